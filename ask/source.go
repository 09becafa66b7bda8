package ask

import (
	"strings"

	"digesto/corpus"
	"digesto/text"
)

// analyser lends one for a second use while terms of the first are held.
func (h hits) analyser() *text.Analyser {
	if h.spare != nil {
		return h.spare
	}
	return &text.Analyser{}
}

// sourceLine says where quotations come from: unit, norm, date of the text, page.
func sourceLine(x hit) string {
	if !x.law {
		return "Fuente: " + strings.TrimSuffix(x.Norm.Source, ".") + "."
	}
	s := "Fuente: " + corpus.PlaceOf(x.Norm, x.Unit)
	if x.Norm.Supplied {
		s += " (" + corpus.SuppliedMark + ")"
	}
	if d := textDate(x); d != "" {
		s += ". " + d
	}
	return strings.TrimSuffix(s, ".") + "."
}

// textDate says of which day the wording is: when the version was published, else up
// to when the norm's text has reforms; "" when neither is known.
func textDate(x hit) string {
	switch {
	case foreign(x) || len(x.Version.Unseen) > 0 && x.Version.Published == "":
		return "" // see cautions
	case x.Version.Published != "":
		return "Texto publicado el " + day(x.Version.Published)
	case x.Norm.TextAsOf != "" && x.Norm.TextAsOf != x.Norm.Published:
		return "Texto con reformas hasta el " + day(x.Norm.TextAsOf)
	case x.Norm.Published != "":
		return "Texto publicado el " + day(x.Norm.Published)
	}
	return ""
}
