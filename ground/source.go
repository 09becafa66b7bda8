package ground

import (
	"strings"

	"digesto/corpus"
	"digesto/retrieve"
)

// SourceLine says where quotations come from: unit, norm, date of the text, page.
func SourceLine(x retrieve.Hit) string {
	if !x.Law {
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

// textDate says of which day the wording is: when a later one than the norm's was published, else
// up to when the norm's text has reforms, else when the norm was published, which may be a text
// composed of older ones; "" when nothing is known.
func textDate(x retrieve.Hit) string {
	switch {
	case foreign(x) || len(x.Version.Unseen) > 0 && x.Version.Published == "":
		return "" // see cautions
	case x.Norm.Published == "" && x.Version.Published != "":
		return "Texto publicado el " + Day(x.Version.Published)
	case x.Version.Published > x.Norm.Published:
		return "Redacción publicada el " + Day(x.Version.Published)
	case x.Version.Published == "" && x.Norm.TextAsOf != "" && x.Norm.TextAsOf != x.Norm.Published:
		return "Texto con reformas hasta el " + Day(x.Norm.TextAsOf)
	case x.Norm.Published != "":
		return "Texto publicado el " + Day(x.Norm.Published)
	}
	return ""
}

// foreign says that a text may not be its norm's own.
func foreign(x retrieve.Hit) bool {
	_, ok := x.Version.Foreign()
	return ok
}
