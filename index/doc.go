// Package index finds chunks: BM25 over stems, plain words and bigrams of the
// fields title, path and body, vectors beside them, filters inside the search,
// one hit a unit, ties by id. An index is derived from a snapshot of the corpus
// and can always be built again; it holds no legal text.
//
// Scores are exact: float64 from true term frequencies, added in one fixed
// order, the same to the bit whatever the CPU, the number of segments or
// the strategy chosen. Compact 8-bit impacts only decide which chunks are worth
// scoring, and never exclude one that could be among the best.
//
// Vectors of a segment of 16,384 and more are chosen by two-bit codes before they
// are multiplied; that may lose one, see OpenOptions.ExactVectors.
package index
