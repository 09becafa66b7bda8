// Package digesto is the vocabulary of the program: the words that three or
// more packages exchange, and nothing else. It holds no logic beyond the
// spelling of its own values and imports only the standard library.
//
// # A tour
//
// A question in Spanish goes in; an answer comes out in which every claim
// stands on a verbatim, located, dated quotation of the law, or a refusal
// that says what is missing and where to ask.
//
//   - A [Norm] (law, decree…) has [Unit]s (articles, dispositions, sections of
//     a fiche, rows of a table), and each unit has [Version]s with their dates.
//     Package corpus owns them: snapshots on disk, references resolved, the
//     text of a unit on a date. Package corpus/ingest reads files into them.
//   - A [Chunk] is what is indexed: one version of one unit. Package index
//     answers a [Query] with [Hit]s; every other index implements [Searcher].
//   - A domain pack (package pack, data under packs) says what the core may
//     not know: collections, aliases, prompts, classes, fiches, calculators.
//   - Package ask turns a question into an [Answer] by one row of steps;
//     package verify proves every [Citation] of it against the corpus.
//   - Package server and cmd/digesto put it before people and programs.
package digesto
