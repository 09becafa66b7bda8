// Package ask is the pipeline: one question in, one verified answer out.
//
// [Engine.Ask] is a row of steps, one file each: open, route, classify,
// retrieve, rerank, ground, write, verify, close. Each takes what the step
// before it gave and returns a value of its own; there is no shared bag of
// state. The outcome is settled before the first word is written.
//
// Law comes first: a [View] of an installed snapshot. What the packs embed
// (fiches, tables) is a second view of the lowest rank, used when the law does
// not answer. Without a model the answer is written by extraction: the
// sentences of the governing unit that answer, with the condition or exception
// the same unit states.
package ask
