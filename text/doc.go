// Package text is the Spanish analysis that indexing and asking share: folding,
// words, stems, stop words that never drop legal meaning, and numbers written in
// words or digits that meet in one canonical term.
//
// The index and the question must be analysed by the same code, or nothing is
// found; that is why it stands below both. The packages beneath it recognise
// citations (cite), quotations (quote) and amounts, dates and periods (figure).
package text
