// Package eval measures: retrieval over collections in BEIR layout, and whole
// answers with their quotations checked.
//
// It runs what it is given (a way to build a Searcher, a function that answers) and
// counts. Definitions of the measures stand with [Metrics]; golden figures in
// golden/*.tsv are compared by a test wherever the evaluation sets are present.
package eval
