// Package query is what a question was read as: the turn with its day and its law, the
// scope with its pack, and the intent, which says what is asked and what is named. It reads
// by the pack's rules, and by a model where there is one.
package query
