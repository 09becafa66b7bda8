package corpus

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"digesto"
)

// Validate says what would make a document unfit: no id, an id that cannot
// stand in a chunk's, a repeated unit or version, an empty text, a text that is
// not UTF-8, offsets outside of it, a hash that is not its text's.
func (d *Document) Validate() error {
	id := d.Norm.ID
	if strings.TrimSpace(id) == "" || id != strings.TrimSpace(id) || strings.ContainsAny(id, "\x00\n") {
		return errInvalid("Una norma de %s no tiene un identificador válido (%q)", d.File, id)
	}
	if len(d.Units) == 0 {
		return errInvalid("La norma %s no tiene ninguna unidad", id)
	}
	seen := make(map[string]bool, len(d.Units))
	for i := range d.Units {
		u := &d.Units[i]
		if !validID(u.ID) || seen[u.ID] {
			return errInvalid("La norma %s tiene una unidad repetida o sin identificador válido (%q)", id, u.ID)
		}
		seen[u.ID] = true
		if what := faultOf(u); what != "" {
			return errInvalid("%s/%s: %s", id, u.ID, what)
		}
	}
	return nil
}

func validID(s string) bool {
	return s != "" && !strings.ContainsAny(s, "/ \t\n\x00") && utf8.ValidString(s)
}

// faultOf gives what is wrong with a unit, "" if it is sound.
func faultOf(u *digesto.Unit) string {
	if len(u.Versions) == 0 {
		return "no tiene ninguna versión"
	}
	seen := map[string]bool{}
	for i := range u.Versions {
		v := &u.Versions[i]
		if !validID(v.ID) || seen[v.ID] {
			return fmt.Sprintf("versión repetida o sin identificador válido (%q)", v.ID)
		}
		seen[v.ID] = true
		if what := versionFault(v); what != "" {
			return "versión " + v.ID + ": " + what
		}
	}
	return ""
}

func versionFault(v *digesto.Version) string {
	switch {
	case strings.TrimSpace(v.Text) == "":
		return "texto vacío"
	case !utf8.ValidString(v.Text):
		return "texto que no es UTF-8"
	case v.SHA256 != "" && v.SHA256 != textHash(v.Text):
		return "la huella no es la del texto"
	case v.ValidFrom != "" && v.ValidTo != "" && v.ValidTo < v.ValidFrom:
		return "deja de regir antes de empezar"
	}
	n := utf8.RuneCountInString(v.Text)
	for i, p := range v.Pages {
		if p.Start < 0 || p.Start > n || p.Page < 1 || i == 0 && p.Start != 0 || i > 0 && p.Start < v.Pages[i-1].Start {
			return fmt.Sprintf("marca de página fuera del texto (%d)", p.Start)
		}
	}
	for _, r := range v.Refs {
		if r.Start < 0 || r.End > n || r.Start >= r.End {
			return fmt.Sprintf("referencia fuera del texto (%d–%d)", r.Start, r.End)
		}
	}
	return ""
}
