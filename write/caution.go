package write

import (
	"slices"
	"strings"

	"digesto"
	"digesto/extract"
	"digesto/ground"
	"digesto/retrieve"
)

// What must be known before a text is read: that it is older than the law of the day, or
// perhaps not the law's at all. It is said first, and lowers what the answer claims.

// doubtCeiling is the most that an answer may claim which stands on a text that is known
// to be older than the law, or whose origin is doubtful: less than is said without the
// note that the evidence is limited (verify.Sure, .7).
const doubtCeiling = .5

// partialNote is how much of the note on a partial repeal is said, in characters.
const partialNote = 240

// cautions says what speaks against a text on the day asked for.
func cautions(g ground.Grounds, x retrieve.Hit) (out []string) {
	if !x.Law {
		return nil
	}
	if n := x.Norm; n.Status == digesto.StatusPartial && n.StatusNote != "" && (n.RepealedFrom == "" || n.RepealedFrom <= g.AsOf()) {
		out = append(out, "Atención: la norma está derogada en parte, y no consta que este texto quede en vigor. "+strings.TrimSuffix(extract.Cut(n.StatusNote, partialNote), ".")+".")
	}
	for _, d := range x.Version.Defects {
		switch d.Kind {
		case digesto.DefectBorrowed, digesto.DefectNotOwn:
			out = append(out, "Atención: el origen de este texto es dudoso. "+d.Detail)
		case digesto.DefectConditional:
			if s := "Atención: la vigencia de esta redacción dependía de una condición, y no consta que se cumpliera."; !slices.Contains(out, s) { // several of its notes may say so
				out = append(out, s)
			}
		}
	}
	for _, r := range x.Version.Unseen {
		if since(r) > g.AsOf() {
			continue
		}
		what := "este texto"
		if len(r.Parts) > 0 {
			what = "el apartado " + strings.Join(r.Parts, ", ") + " de este texto"
		}
		out = append(out, "Atención: "+what+" no es el vigente. Lo cambió "+changedBy(g, r)+" y la redacción nueva no está instalada en su norma; lo que sigue es la anterior.")
	}
	return out
}

// since is the first day on which a change counts, as far as is known.
func since(r digesto.Reform) digesto.Date {
	if r.From != "" {
		return r.From
	}
	return r.Day()
}

// Caution says once, before the text of a unit, what speaks against it.
func (d *Draft) Caution(x retrieve.Hit) string {
	list := cautions(d.Grounds, x)
	if len(list) == 0 {
		return ""
	}
	d.Confidence = min(d.Confidence, doubtCeiling)
	return strings.Join(list, " ")
}

// changedBy names the norm that made a change as people call it, with its day.
func changedBy(g ground.Grounds, r digesto.Reform) string {
	if !g.Law.Empty() {
		if n, ok := g.Law.Snapshot.Norm(r.Norm); ok && n.Name != "" {
			r.Name = n.Name
		}
	}
	return ground.ReformName(r)
}
