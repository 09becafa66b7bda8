package dating

import (
	"strings"

	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Parts that a change put in, and parts repealed or printed again away from the note that
// says so: what a former state needs besides the wordings that a later one followed.

// addition is a part of a unit that a note beside it says a change put in.
type addition struct {
	from, to int // paragraphs
	change   change
}

// puttingIn is a note of a part that was put in.
var puttingIn = lazyregexp.New(`^\W*(?:\(?\d{1,3}\)\W*)?(?:este |el |los |las |la )?(?:inciso|numeral|literal|acapite|parrafo|apartado|item|vineta|primer|segundo|tercer|cuarto|quinto|sexto|septimo|ultimo|penultimo)[^,:;]{0,40}\b(?:incorpora|adiciona|agrega|anadi)d[oa]s?\b[^:]*$`)

// PutIn reads a note below a part in quotation marks that bears its call.
func (d *Texts) PutIn(note string) {
	n := len(d.Paras)
	if n == 0 || d.InPast || !puttingIn.MatchString(text.Fold(line.Clip(note, 1200))) {
		return
	}
	t := strings.TrimLeft(note, " _*")
	size := heading.NoteMark(t)
	last := strings.ReplaceAll(callAtEnd.FindString(d.Paras[n-1].Text), " ", "")
	if size == 0 || !strings.Contains(last, strings.ReplaceAll(t[:size], " ", "")) || !closesQuotation(d.Paras[n-1].Text) {
		return
	}
	from := n - 1
	for ; from >= 0 && !OpensQuotation(d.Paras[from].Text); from-- {
		if from < n-1 && closesQuotation(d.Paras[from].Text) || n-from > paragraphsBack {
			return
		}
	}
	list := ReformsOf([]string{note})
	if from < 0 || len(list) != 1 || list[0].Published == "" {
		return
	}
	d.added = append(d.added, addition{from, n, change{reform: list[0]}})
}

// RepealedBy reads the note, further below, of the repeal of the former wording that begins here.
func (d *Texts) RepealedBy(note string) {
	if list := ReformsOf([]string{note}); len(list) > 0 && list[len(list)-1].Published != "" {
		r := list[len(list)-1]
		d.SetPart(len(d.Past)-1, FormerPart{at: len(d.Paras), Until: r.From, told: &change{reform: r, follows: true, repeals: true}})
	}
}

// headEnd gives the place after the quotation that began before the number of the unit;
// -1 = none did.
func (d *Texts) headEnd() int {
	if !d.Quoted {
		return -1
	}
	for k, p := range d.Paras {
		if k > 0 && OpensQuotation(p.Text) {
			return -1
		}
		if closesQuotation(p.Text) {
			return k + 1
		}
	}
	return -1
}

// OpensQuotation and closesQuotation say that a paragraph begins, or ends, with a quotation mark.
func OpensQuotation(p string) bool {
	s, _ := heading.TrimLead(p)
	return heading.OpenQuote(s) > 0
}

func closesQuotation(p string) bool {
	t := strings.TrimRight(callAtEnd.ReplaceAllString(p, ""), " .;,*_)")
	return strings.HasSuffix(t, "\"") || strings.HasSuffix(t, "”") || strings.HasSuffix(t, "»")
}
