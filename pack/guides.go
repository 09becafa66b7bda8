package pack

import (
	"cmp"
	"slices"
	"strings"
)

// HasGuides says that the pack's fiches are guides: they have sections by which
// questions ask for them.
func (p *Pack) HasGuides() bool { return len(p.Sections) > 0 }

// Guides gives the pack's fiches as a retriever sees them, by unit.
func (p *Pack) Guides() map[string]Guide {
	out := map[string]Guide{}
	for _, f := range p.Fiches {
		for k, u := range f.Units {
			id := f.Norm.ID + "/" + u.ID
			out[id] = Guide{Unit: id, Norm: f.Norm.ID, Title: f.Title, Section: u.Number, Text: f.Facts[k].Ask + " " + f.Facts[k].Text, Territory: f.Norm.Territory}
		}
	}
	return out
}

// Pick chooses the passages that answer a question, of the guide that was found
// first and of no other: those of the section that the question asks for; when it
// asks for none, the one that holds what it says beside the guide's matter, and
// for a bare matter an overview, one passage a section. Of several in a section
// those come first that hold what the question says beside the matter. nil: the
// guide has no such section.
func (r *Retriever) Pick(question string, t Territory, f Found, most int) []Passage {
	r.once.Do(r.prepare)
	if len(f.Passages) == 0 {
		return nil
	}
	if len(r.Pack.Sections) == 0 { // fiches that are no guides: the one fact that says most of the question
		words := r.matter(r.spell(question), t.Name)
		if best, n := r.holding(f.Passages, words); 2*n >= len(words) && n > 0 {
			return best[:1]
		}
		return nil
	}
	guide, most := f.Passages[0].Norm, max(1, most)
	own := r.extra(question, t.Name, guide)
	asked := r.Pack.SectionsOf(question)
	last := len(r.Pack.Sections) - 1
	for _, s := range asked {
		list := r.ofSection(guide, s, f)
		if s.Name == r.Pack.Sections[last].Name { // the section of what has none: its words ask for nothing certain
			continue
		}
		list = r.byExtra(list, own)
		return list[:min(len(list), most)]
	}
	var all []Passage
	for _, s := range r.Pack.Sections {
		all = append(all, r.ofSection(guide, s, f)...)
	}
	if best, n := r.holding(all, own); n > 0 {
		return best[:min(len(best), most)]
	}
	if len(own) > 1 && len(asked) == 0 {
		return nil
	}
	var out []Passage
	for _, p := range all {
		if r.general(p) && len(out) < min(most, overview) {
			out = append(out, p)
		}
	}
	return out
}

// Unsaid counts the words of a question that neither the guide's title nor the
// passages picked say: what an answer from them may not be about.
func (r *Retriever) Unsaid(question string, t Territory, picked []Passage) int {
	if len(picked) == 0 || len(r.Pack.Sections) == 0 {
		return 0
	}
	n := 0
	for w := range r.extra(question, t.Name, picked[0].Norm) {
		said := slices.ContainsFunc(picked, func(p Passage) bool { return r.stems(p.Text)[w] })
		n += int(b2f(!said))
	}
	return n
}

// overview is how many passages say what a guide has when nothing more is asked.
const overview = 3

// holding gives the passages that hold most of the words, and how many.
func (r *Retriever) holding(list []Passage, words map[string]bool) (best []Passage, n int) {
	for _, p := range list {
		own, k := r.stems(p.Text), 0
		for w := range words {
			if own[w] {
				k++
			}
		}
		switch {
		case k > n:
			best, n = []Passage{p}, k
		case k == n && k > 0:
			best = append(best, p)
		}
	}
	return best, n
}

// ofSection gives the passages of a guide's section in the order of its file,
// with the scores of what was found.
func (r *Retriever) ofSection(guide string, s Section, f Found) []Passage {
	var out []Passage
	for _, fi := range r.Pack.Fiches {
		if fi.Norm.ID != guide {
			continue
		}
		for _, u := range fi.Units {
			g := r.Guides[guide+"/"+u.ID]
			if !s.is(g.Section) {
				continue
			}
			p := Passage{Guide: g}
			if k := slices.IndexFunc(f.Passages, func(x Passage) bool { return x.Unit == g.Unit }); k >= 0 {
				p.Score = f.Passages[k].Score
			}
			out = append(out, p)
		}
	}
	return out
}

// extra are the stems of a question beside the matter of its guide.
func (r *Retriever) extra(question, place, guide string) map[string]bool {
	out := r.matter(r.spell(question), place)
	for _, g := range r.Guides {
		if g.Norm != guide {
			continue
		}
		title := r.stems(g.Title)
		for w := range title {
			delete(out, w)
		}
		for said, others := range r.Pack.Synonyms.found(question) {
			if slices.ContainsFunc(others, func(o string) bool { return within(r.stems(o), title) }) {
				for w := range r.stems(said) {
					delete(out, w)
				}
			}
		}
		break
	}
	return out
}

func within(some, all map[string]bool) bool {
	for w := range some {
		if !all[w] {
			return false
		}
	}
	return len(some) > 0
}

// byExtra puts the passages that hold most of the extra words first, then the
// section's general ones; without any such passage all stand as they are.
func (r *Retriever) byExtra(list []Passage, extra map[string]bool) []Passage {
	hits := map[string]int{}
	top := 0
	for _, p := range list {
		own := r.stems(strings.ReplaceAll(p.Section, "-", " ") + " " + p.Text)
		for w := range extra {
			if own[w] {
				hits[p.Unit]++
			}
		}
		top = max(top, hits[p.Unit])
	}
	if top == 0 {
		return list
	}
	out := slices.DeleteFunc(slices.Clone(list), func(p Passage) bool { return hits[p.Unit] < top && strings.Contains(p.Section, "-") && !r.general(p) })
	slices.SortStableFunc(out, func(a, b Passage) int { return cmp.Compare(hits[b.Unit], hits[a.Unit]) })
	return out
}

// general says that a passage is its section as such ("requisitos"), no case of
// it ("requisitos-sociolaboral").
func (r *Retriever) general(p Passage) bool {
	return slices.ContainsFunc(r.Pack.Sections, func(s Section) bool {
		return s.Name == p.Section || slices.Contains(s.Aliases, p.Section)
	})
}
