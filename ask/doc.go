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
//
// The other files, by the step that they belong to:
//
//   - the question: conversation and keep (what was said before), resume and near
//     (what goes on with it), understood, askback, parts (several questions in one text), kind (what is
//     asked for), focus (its words and their weight), kin, spelling,
//     territory, understand (by a model), abroad (law of another country), flags;
//   - the search: decompose, gather, collections, hint and alike (fiches that
//     lead to a place), refs and names, expand, evaluate, settle, order, score
//     and assist (by models), guided (packs with guides), urgent;
//   - the sentences: unitcache, presence, sentences (their features and
//     weights), extract, detail and itemlist (numbered parts and lists),
//     quoting, conflict;
//   - the decision: gate (evidence and confidence), refuse, time;
//   - the words: model and structured (prompts and answers of models),
//     numbered, plain, tone;
//   - around it: engine, seat (who works when), trace, resume.
package ask
