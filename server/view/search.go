package view

import (
	"cmp"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text"
	"digesto/text/sentence"
)

// Hit is an article that a search of the law found.
type Hit struct {
	URL, Title, Norm, Text string
	Badge                  badge
}

// HitOf shows a unit by its sentence that is nearest to what was searched.
func HitOf(snap *corpus.Snapshot, id, version, q string, today digesto.Date) (h Hit, ok bool) {
	i := strings.LastIndexByte(id, '/')
	if i < 0 {
		return h, false
	}
	n, ok := snap.Norm(id[:i])
	if !ok {
		return h, false
	}
	u, err := snap.Load(n.ID, id[i+1:])
	if err != nil {
		return h, false
	}
	ver, err := PickVersion(snap, n, u, "", version)
	if err != nil {
		return h, false
	}
	h = Hit{URL: UnitURL(n.ID, u.ID), Title: titleOf(u), Norm: NormName(n), Badge: unitBadge(n, ver, today)}
	wanted, most := stemsOf(q), -1.0
	for _, x := range sentence.Split(ver.Text) {
		if l := likeness(stemsOf(x.Text), wanted); l > most {
			most, h.Text = l, x.Text
		}
	}
	if most > 0 {
		h.URL += "?" + QuoteParam(h.Text) + "#cita"
	}
	h.Text = strings.Join(strings.FieldsFunc(strings.ReplaceAll(h.Text, " | ", "|"), func(r rune) bool { return r == '|' }), " · ")
	if r := []rune(h.Text); len(r) > 260 {
		cut := string(r[:260])
		h.Text = cut[:max(strings.LastIndexByte(cut, ' '), 0)] + "…"
	}
	return h, true
}

// titleOf is the label of a unit and its rubric, where that is words: of a row of a table
// it is the heads of all columns.
func titleOf(u digesto.Unit) string {
	if u.Rubric == "" || strings.Contains(u.Rubric, "|") {
		return u.Label
	}
	return u.Label + ". " + corpus.HeadingOf(u.Rubric)
}

// absentShown is how many norms that are not installed a search names.
const absentShown = 3

// absent names the norms that the packs know by some words and that are not installed.
func (s *Site) absent(law *corpus.Snapshot, words []string, packName string) (out []string) {
	for _, p := range s.Packs {
		if packName != "" && p.Name != packName {
			continue
		}
		names := map[string]string{}
		for _, a := range p.Aliases {
			names[a.Norm] += " " + a.Name
		}
		for _, x := range p.Sources {
			_, there := law.Norm(x.ID)
			name := cmp.Or(x.Short, x.Title)
			if !there && len(out) < absentShown && !slices.Contains(out, name) && titled(digesto.Norm{ID: x.ID, Title: x.Title, Short: x.Short, Name: names[x.ID]}, words) {
				out = append(out, name)
			}
		}
	}
	return out
}

// titled says whether all words of a search begin words of a norm's names.
func titled(n digesto.Norm, words []string) bool {
	hay := " " + strings.Join(strings.FieldsFunc(text.Fold(n.Title+" "+n.Short+" "+n.Name+" "+n.ID), func(r rune) bool { return r == ' ' || r == ',' || r == '(' || r == ')' || r == '/' || r == '«' }), " ")
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(hay, " "+w) && !(len(w) > 3 && strings.Contains(hay, w)) })
}
