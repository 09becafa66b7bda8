// Package quote finds a quotation in a text and says where it stands.
//
// A quotation matches verbatim or not at all. Only what a printer or an encoding
// changes is let through: the amount of white space, a hyphen at a line's end,
// invisible marks, the Unicode form of a letter (composed, decomposed, ligature),
// the shape of quotation marks and dashes, the ordinal mark and the degree sign
// that stands for it. Case, accents, punctuation, digits and words are not. A match
// begins and ends at the edge of a word or number: "legal" is not in "ilegal", nor
// "30" in "30.000".
package quote
