package ground

import (
	"slices"
	"strings"

	"digesto"
	"digesto/passage"
	"digesto/retrieve"
)

// What an answer says about time: which wording it quotes, what proves that it
// held on the day asked for, and what does not.

// TimeNotes says what is not known about the dates of a text.
func TimeNotes(g Grounds, x retrieve.Hit) []string {
	if !x.Law {
		return nil
	}
	at := g.History()
	if at == "" {
		return slices.Concat(undated(x), ceases(x.Norm), defectNotes(x.Version))
	}
	out := append([]string{"Respuesta a fecha " + Day(at) + "."}, ceases(x.Norm)...)
	v := x.Version
	switch {
	case !x.Assumed:
	case v.Published != "":
		out = append(out, "Texto publicado el "+Day(v.Published)+"; vigencia no acreditada a esa fecha: no consta desde cuándo rige.")
	case x.Norm.TextAsOf > at:
		out = append(out, "Texto con reformas hasta el "+Day(x.Norm.TextAsOf)+"; vigencia no acreditada: no consta qué redacción regía a esa fecha.")
	default:
		out = append(out, "Vigencia no acreditada a esa fecha: la fuente no dice desde cuándo rige este texto.")
	}
	for _, r := range passage.Unseen(v, at) {
		if len(r.Parts) == 0 {
			continue // said before the text: see cautions
		}
		out = append(out, "Entre esta redacción y la siguiente consta otra reforma, "+ReformName(r)+", del apartado "+strings.Join(r.Parts, ", ")+", cuyo texto no está en la fuente: esa parte no se cita.")
	}
	return append(out, defectNotes(v)...)
}

// defectNotes tells what is wrong with the text quoted, as its source leaves it.
func defectNotes(v digesto.Version) (out []string) {
	for _, d := range v.Defects {
		if d.Kind == digesto.DefectBorrowed || d.Kind == digesto.DefectNotOwn {
			continue // said before the text: see cautions
		}
		out = append(out, "Aviso sobre el texto citado. "+strings.TrimSuffix(d.Detail, ".")+".")
	}
	return out
}

// ceases warns of a repeal that is still to come.
func ceases(n digesto.Norm) []string {
	if n.Status != digesto.StatusInForce || n.RepealedFrom == "" {
		return nil
	}
	return []string{"La norma deja de regir el " + Day(n.RepealedFrom) + ": hasta entonces vale el texto citado."}
}

// undated says what is not known of the text in force today.
func undated(x retrieve.Hit) []string {
	if x.Version.ValidFrom != "" || foreign(x) || len(x.Version.Unseen) > 0 {
		return nil // known, or said before the text
	}
	known := textDate(x)
	if known == "" {
		known = "La fuente no dice la fecha del texto"
	}
	if x.Norm.Status == digesto.StatusInForce {
		return []string{known + ": la fuente lo da por vigente; no consta desde cuándo rige esta redacción."}
	}
	return []string{known + "; vigencia no acreditada."}
}

func ReformName(r digesto.Reform) string {
	s := r.Name
	if d := r.Day(); d != "" {
		s += " (" + Day(d) + ")"
	}
	return s
}
