package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strings"

	"digesto"
	"digesto/pack"
	"digesto/text/lazyregexp"
)

// SummaryPlace is the place that stands for an entry of a pack's digest: what it answers,
// as a fiche of ours, for who has not the law itself; of one that leads to a fiche its own.
func SummaryPlace(p *pack.Pack, e *Entry) (norm, unit string) {
	if _, _, ok := p.FactOf(e.Norm, e.Unit); ok {
		return e.Norm, e.Unit
	}
	sum := sha256.Sum256([]byte(e.Words))
	if s, ok := p.SourceOf(e.Norm); ok {
		norm = s.ID
	}
	return pack.SummaryPrefix + p.Name + "-" + norm, "s" + e.Unit + "-" + hex.EncodeToString(sum[:3])
}

// Summaries gives the norms that stand for the digest of a pack, one for each norm that
// entries are about and whose official title the pack knows; their units are read when they
// are first asked for.
func Summaries(dir fs.FS, p *pack.Pack) (out []digesto.Norm, units func(id string) []digesto.Unit) {
	list, _ := names(dir, p.Name) // the files are the program's own: a test reads them all
	files := map[string][]string{}
	for _, f := range list {
		norm, _, _ := strings.Cut(path.Base(f), ".")
		if s, ok := p.SourceOf(norm); ok {
			files[s.ID] = append(files[s.ID], f)
		}
	}
	done := map[string]bool{}
	for _, s := range p.Sources {
		if files[s.ID] == nil || done[s.ID] {
			continue
		}
		done[s.ID] = true
		out = append(out, summaryOf(p, s))
	}
	return out, func(id string) (units []digesto.Unit) {
		norm := strings.TrimPrefix(id, pack.SummaryPrefix+p.Name+"-")
		k := slices.IndexFunc(p.Sources, func(s pack.Source) bool { return s.ID == norm })
		if k < 0 {
			return nil
		}
		_ = read(dir, p.Name, func(name string) bool { return slices.Contains(files[norm], name) }, func(file File, _ []pack.Problem) {
			for i := range file.Entries {
				if e := &file.Entries[i]; !e.Elsewhere() {
					units = append(units, summaryUnit(p, p.Sources[k], e))
				}
			}
		})
		return units
	}
}

func summaryOf(p *pack.Pack, s pack.Source) digesto.Norm {
	return digesto.Norm{Collection: pack.FicheCollection,
		ID: pack.SummaryPrefix + p.Name + "-" + s.ID, Title: s.Name() + " (" + pack.SummaryLabel + ")", Short: s.Name(), Rank: pack.FicheRank,
		Jurisdiction: p.Jurisdiction(), Territory: s.Territory, Packs: []string{p.Name}, URL: s.URL,
		Source: "Resumen de Digesto de «" + s.Name() + "» (no es el texto oficial)", Format: digesto.FormatFiche,
	}
}

// summaryUnit is what an entry answers, with the place of the law in it.
func summaryUnit(p *pack.Pack, s pack.Source, e *Entry) digesto.Unit {
	_, id := SummaryPlace(p, e)
	ref := s.Name()
	if label := placeLabel(e.Unit); label != "" {
		ref = label + " de " + ref
	}
	url := s.URL
	if p.Anchored(s.Page()) && anchored.MatchString(e.Unit) {
		url += "#" + e.Unit
	}
	return digesto.Unit{
		Norm: pack.SummaryPrefix + p.Name + "-" + s.ID, ID: id, Kind: digesto.KindSection, Number: strings.TrimPrefix(id, "s"),
		Label: "Resumen", Rubric: e.Short(), Path: []string{s.Name()},
		Versions: []digesto.Version{{ID: "1", Text: e.Text, Current: true, Notes: []string{pack.SummaryLabel + ". Lugar oficial: " + ref + ", " + url + "."}}},
	}
}

var (
	anchored = lazyregexp.New(`^a\d+$`)
	numbered = lazyregexp.New(`^(a|da|dt|dd|df)(\d+)([a-z]*)$`)
)

// placeLabel says in words what the id of a unit says; "" when that is not plain.
func placeLabel(unit string) string {
	m := numbered.FindStringSubmatch(unit)
	if m == nil {
		return ""
	}
	kind := map[string]string{"a": "artículo", "da": "disposición adicional", "dt": "disposición transitoria", "dd": "disposición derogatoria", "df": "disposición final"}[m[1]]
	return strings.TrimSpace(kind + " " + m[2] + " " + m[3])
}
