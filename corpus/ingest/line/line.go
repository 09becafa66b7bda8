// Package line has what the readers of all formats give (lines, blocks with their
// versions, metadata, refusals) and what they share with the packages above: plain
// white space, charsets, identifiers, kinds of defect.
package line

import "digesto"

// Line is a stretch of text as a reader saw it: a physical line (PDF, plain
// text, broken HTML) or a whole paragraph (Markdown). Its Text holds the words
// of the source without markup. Readers of physical lines hand them through
// reflow before structure.
type Line struct {
	Text    string             // no markup, no line break; may have leading white space
	Page    int                // physical page on which it begins, from 1; 0 = no pages
	Marks   []digesto.PageMark // further pages that begin inside Text (code points), set by reflow
	Level   int                // heading level 1–6 of the source; 0 = not a heading
	Bold    bool               // the whole line is bold
	Italic  bool               // the whole line is italic
	Small   bool               // smaller than the body (footnotes)
	Quote   bool               // block quotation of the source
	Note    bool               // surely not legal text: reform note, footnote, editor's note
	History bool               // a former wording ("TEXTO ANTERIOR"): kept as a version that is not current
	Gap     bool               // blank line or clear vertical space before it
	Table   bool               // row of a table, cells joined by " | "
}
