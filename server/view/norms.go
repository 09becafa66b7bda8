package view

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text"
)

type normRow struct {
	URL, Title, Detail string
	Badge              badge
}

// normsPerPage keeps the first view of the list, with style and script, under 60 KB.
const normsPerPage = 30

// Norms is a page of the list of the law.
type Norms struct {
	Q, Count    string
	Exact, Said []Hit    // articles named; articles that speak of what is searched
	Own         bool     // the texts of ours are shown, not the law
	Empty       bool     // there is no law at all
	Ours        string   // how many there are of them
	Absent      []string // known by that name, and not installed
	Packs       []packView
	Territories []placeView
	Groups      []normGroup
	Page, Pages int
	Prev, Next  string // addresses of the pages beside this one; "" = there is none
}

// normGroup are the norms of one territory; Name is "" where the list is of one alone.
type normGroup struct {
	Name  string
	Norms []normRow
}

// Found is what a search of the law found: articles named, articles that speak of it,
// and the norms named, by id.
type Found struct {
	Exact, Said []Hit
	Named       []string
}

// Norms is a page of the norms found, as the fields of an address ask for them.
func (s *Site) Norms(law *corpus.Snapshot, found []digesto.Norm, hits Found, asked url.Values) Norms {
	p := Norms{Q: strings.TrimSpace(asked.Get("q")), Exact: hits.Exact, Said: hits.Said, Empty: len(law.Norms()) == 0, Packs: s.packViews(law, asked.Get("pack")), Territories: s.places(law, asked.Get("territory"))}
	words := strings.Fields(text.Fold(p.Q))
	found = slices.DeleteFunc(found, func(n digesto.Norm) bool { return !titled(n, words) && !slices.Contains(hits.Named, n.ID) })
	if asked.Get("pack") != "" { // of no country known, they are of no pack
		found = slices.DeleteFunc(found, func(n digesto.Norm) bool { return n.Jurisdiction == "" && len(n.Packs) == 0 })
	}
	mine := slices.DeleteFunc(slices.Clone(found), func(n digesto.Norm) bool { return !own(n) })
	all := slices.DeleteFunc(found, own)
	if p.Own = asked.Get("fichas") != "" || p.Q == "" && len(all) == 0; p.Own { // with no law, what there is
		all = mine
	}
	slices.SortStableFunc(all, byPlace)
	slices.SortStableFunc(all, func(a, b digesto.Norm) int { // what is named comes first
		return or(slices.Contains(hits.Named, a.ID), 0, 1) - or(slices.Contains(hits.Named, b.ID), 0, 1)
	})
	p.turn(asked, len(all))
	from, to := (p.Page-1)*normsPerPage, min(p.Page*normsPerPage, len(all))
	if len(mine) > 0 && !p.Own {
		p.Ours = count(len(mine), "texto nuestro", "textos nuestros")
	}
	if p.Count = count(len(all), or(p.Own, "texto nuestro", "norma"), or(p.Own, "textos nuestros", "normas")); len(all) == 0 && p.Q != "" {
		p.Count = "Ninguna norma instalada se llama así"
		p.Absent = s.absent(law, words, asked.Get("pack"))
	} else if p.Pages > 1 {
		p.Count += ": del " + Thousands(from+1) + " al " + Thousands(to)
	}
	p.Groups = s.normGroups(all[from:to], len(all) > 0 && TerritoryOf(all[0]) != TerritoryOf(all[len(all)-1]))
	return p
}

// byPlace orders norms by territory, countries before their parts, those of none last.
func byPlace(a, b digesto.Norm) int {
	x, y := TerritoryOf(a), TerritoryOf(b)
	if (x == "") != (y == "") {
		return or(x == "", 1, -1)
	}
	return strings.Compare(x, y)
}

// turn finds the page that an address asks for, among those that n norms fill.
func (p *Norms) turn(q url.Values, n int) {
	p.Pages = max(1, (n+normsPerPage-1)/normsPerPage)
	asked, _ := strconv.Atoi(q.Get("page"))
	p.Page = min(max(1, asked), p.Pages)
	at := func(k int) string {
		if k < 1 || k > p.Pages {
			return ""
		}
		to := url.Values{"page": {strconv.Itoa(k)}}
		for _, name := range []string{"q", "pack", "territory", "fichas"} {
			if v := q.Get(name); v != "" {
				to.Set(name, v)
			}
		}
		return "/leyes?" + to.Encode()
	}
	p.Prev, p.Next = at(p.Page-1), at(p.Page+1)
}

// normGroups are the rows of norms, which come by territory.
func (s *Site) normGroups(list []digesto.Norm, named bool) (out []normGroup) {
	last := ""
	for k, n := range list {
		if code := TerritoryOf(n); k == 0 || code != last {
			g := normGroup{}
			if named {
				g.Name = s.placeOf(n)
			}
			out, last = append(out, g), code
		}
		g := &out[len(out)-1]
		g.Norms = append(g.Norms, normRow{normURL(n.ID), NormName(n), s.normDetail(n), normBadge(n)})
	}
	return out
}

// placeView is a territory that the list can be narrowed to.
type placeView struct {
	Code, Name string
	Selected   bool
}

// places are those of the law installed, countries before their parts.
func (s *Site) places(snap *corpus.Snapshot, selected string) []placeView {
	seen := map[string]bool{}
	var out []placeView
	for _, n := range snap.Norms() {
		code := TerritoryOf(n)
		if code == "" || seen[code] {
			continue
		}
		seen[code] = true
		out = append(out, placeView{code, s.placeOf(n), code == selected})
	}
	slices.SortFunc(out, func(a, b placeView) int { // a country first, then its parts by name
		x, part, _ := strings.Cut(a.Code, "-")
		y, other, _ := strings.Cut(b.Code, "-")
		return cmp.Or(strings.Compare(x, y), or(part == "", 0, 1)-or(other == "", 0, 1), strings.Compare(text.Fold(a.Name), text.Fold(b.Name)))
	})
	return out
}

// rankWords are ranks whose words need more than their identifier has.
var rankWords = map[string]string{"decreto_necesidad_urgencia": "decreto de necesidad y urgencia", "real_decreto_ley": "real decreto-ley", "decreto_ley": "decreto-ley",
	"ley_organica": "ley orgánica", "constitucion": "constitución", "resolucion": "resolución"}

// rankName is a rank as people write it.
func rankName(rank string) string {
	return cmp.Or(rankWords[rank], strings.ReplaceAll(rank, "_", " "))
}

func (s *Site) normDetail(n digesto.Norm) string {
	var parts []string
	if own(n) {
		return strings.TrimSuffix(rankName(n.Rank)+" · revisada el "+DateShort(n.TextAsOf), " · revisada el ")
	}
	for _, p := range []string{n.ID, rankName(n.Rank), s.place(n.Territory)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if n.TextAsOf != "" {
		parts = append(parts, "texto hasta el "+DateShort(n.TextAsOf))
	}
	return strings.Join(parts, " · ")
}
