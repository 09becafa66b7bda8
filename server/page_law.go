package server

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text"
	"digesto/text/diff"
)

type normRow struct {
	URL, Title, Detail string
	Badge              badge
}

// normsPerPage keeps the first view of the list, with style and script, under 60 KB.
const normsPerPage = 30

type normsPage struct {
	Q, Count    string
	Exact, Said []lawHit // articles named; articles that speak of what is searched
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

// pageNorms lists what is installed, by pack, territory and words of the title, a page at a time.
func (s *Server) pageNorms(w http.ResponseWriter, r *http.Request) {
	q := strings.TrimSpace(r.FormValue("q"))
	var exact, said []lawHit
	var named []string
	var err error
	if q != "" && r.FormValue("page") == "" {
		if exact, said, named, err = s.searchLaw(r, q, r.FormValue("pack"), r.FormValue("territory")); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	found, _, err := s.norms(r.FormValue("pack"), r.FormValue("territory"), "")
	if err != nil {
		s.fail(w, r, err)
		return
	}
	words := strings.Fields(text.Fold(q))
	found = slices.DeleteFunc(found, func(n digesto.Norm) bool { return !titled(n, words) && !slices.Contains(named, n.ID) })
	if r.FormValue("pack") != "" { // of no country known, they are of no pack
		found = slices.DeleteFunc(found, func(n digesto.Norm) bool { return n.Jurisdiction == "" && len(n.Packs) == 0 })
	}
	mine := slices.DeleteFunc(slices.Clone(found), func(n digesto.Norm) bool { return !own(n) })
	all := slices.DeleteFunc(found, own)
	showOwn := r.FormValue("fichas") != "" || q == "" && len(all) == 0 // with no law, what there is
	if showOwn {
		all = mine
	}
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	p := normsPage{Q: q, Exact: exact, Said: said, Own: showOwn, Empty: len(law.Snapshot.Norms()) == 0, Packs: s.packViews(law.Snapshot, r.FormValue("pack")), Territories: s.places(law.Snapshot, r.FormValue("territory"))}
	slices.SortStableFunc(all, byPlace)
	slices.SortStableFunc(all, func(a, b digesto.Norm) int { // what is named comes first
		return or(slices.Contains(named, a.ID), 0, 1) - or(slices.Contains(named, b.ID), 0, 1)
	})
	p.turn(r.URL.Query(), len(all))
	from, to := (p.Page-1)*normsPerPage, min(p.Page*normsPerPage, len(all))
	if len(mine) > 0 && !showOwn {
		p.Ours = count(len(mine), "texto nuestro", "textos nuestros")
	}
	if p.Count = count(len(all), or(showOwn, "texto nuestro", "norma"), or(showOwn, "textos nuestros", "normas")); len(all) == 0 && q != "" {
		p.Count = "Ninguna norma instalada se llama así"
		p.Absent = s.absent(law.Snapshot, words, r.FormValue("pack"))
	} else if p.Pages > 1 {
		p.Count += ": del " + thousands(from+1) + " al " + thousands(to)
	}
	p.Groups = s.normGroups(all[from:to], len(all) > 0 && territoryOf(all[0]) != territoryOf(all[len(all)-1]))
	title := "Leyes"
	if p.Page > 1 {
		title += ", página " + strconv.Itoa(p.Page)
	}
	s.page(w, r, http.StatusOK, "norms", title, p)
}

// byPlace orders norms by territory, countries before their parts, those of none last.
func byPlace(a, b digesto.Norm) int {
	x, y := territoryOf(a), territoryOf(b)
	if (x == "") != (y == "") {
		return or(x == "", 1, -1)
	}
	return strings.Compare(x, y)
}

// turn finds the page that an address asks for, among those that n norms fill.
func (p *normsPage) turn(q url.Values, n int) {
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
func (s *Server) normGroups(list []digesto.Norm, named bool) (out []normGroup) {
	last := ""
	for k, n := range list {
		if code := territoryOf(n); k == 0 || code != last {
			g := normGroup{}
			if named {
				g.Name = s.placeOf(n)
			}
			out, last = append(out, g), code
		}
		g := &out[len(out)-1]
		g.Norms = append(g.Norms, normRow{normURL(n.ID), normName(n), s.normDetail(n), normBadge(n)})
	}
	return out
}

// placeOf names where a norm holds.
func (s *Server) placeOf(n digesto.Norm) string {
	switch name := s.place(territoryOf(n)); {
	case name == "":
		return "Sin territorio"
	case n.Territory == "":
		return name + " (todo el país)"
	default:
		return name
	}
}

// placeView is a territory that the list can be narrowed to.
type placeView struct {
	Code, Name string
	Selected   bool
}

// place is what a pack calls a territory, or its code.
func (s *Server) place(code string) string {
	for _, p := range s.opt.Packs {
		if name := p.Place(code); name != "" {
			return name
		}
	}
	return code
}

// places are those of the law installed, countries before their parts.
func (s *Server) places(snap *corpus.Snapshot, selected string) []placeView {
	seen := map[string]bool{}
	var out []placeView
	for _, n := range snap.Norms() {
		code := territoryOf(n)
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

func (s *Server) normDetail(n digesto.Norm) string {
	var parts []string
	if own(n) {
		return strings.TrimSuffix(rankName(n.Rank)+" · revisada el "+dateShort(n.TextAsOf), " · revisada el ")
	}
	for _, p := range []string{n.ID, rankName(n.Rank), s.place(n.Territory)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if n.TextAsOf != "" {
		parts = append(parts, "texto hasta el "+dateShort(n.TextAsOf))
	}
	return strings.Join(parts, " · ")
}

// link is a line that leads to a unit.
type link struct {
	URL, Number, Name string
	Shown             bool
}

func unitLink(u digesto.Unit, shown string) link {
	l := link{URL: unitURL(u.Norm, u.ID), Number: u.Number, Name: corpus.HeadingOf(u.Rubric), Shown: u.ID == shown}
	if l.Name == "" { // its label has its number
		l.Number, l.Name = "", u.Label
	}
	return l
}

// group are the units under one heading; Heads are the parts of its path that
// the group before does not share, each with its depth.
type group struct {
	Path  string
	Heads []heading
	Units []link
}

type heading struct {
	Depth int
	Text  string
}

type normPage struct {
	Title, Detail, StatusNote, URL string
	Full, Check, Provenance        string // official title where it is not the name; where to compare a supplied text; what it is
	Badge                          badge
	Groups                         []group
	Relations                      relationViews
	Self, Q                        string
	Hits                           []lawHit   // of a search within it
	Reading                        []readUnit // its texts one after the other
	Prev, Next                     string     // pages of the reading
}

// readUnit is a unit in a continuous reading.
type readUnit struct {
	URL, Label, Rubric string
	Heads              []heading
	Paragraphs         [][]run
	Badge              badge
}

// readAtOnce is how many units a page of continuous reading has.
const readAtOnce = 20

// read fills the texts of a norm one after the other, from a page on.
func (s *Server) read(snap *corpus.Snapshot, n digesto.Norm, page int, p *normPage) error {
	k, first := 0, (page-1)*readAtOnce
	var last []string
	for u, err := range snap.All(n.ID) {
		if err != nil {
			return err
		}
		if k++; k <= first {
			last = u.Path
			continue
		}
		if k > first+readAtOnce {
			p.Next = p.Self + "?leer=" + strconv.Itoa(page+1)
			break
		}
		v, err := pickVersion(snap, n, u, "", "")
		if err != nil {
			continue // none holds today
		}
		r := readUnit{URL: unitURL(n.ID, u.ID), Label: u.Label, Rubric: corpus.HeadingOf(u.Rubric), Paragraphs: numbered(linkedParagraphs(v.Text, refLinks(snap, n, v))), Badge: unitBadge(n, v, s.now())}
		if strings.Join(last, "\x00") != strings.Join(u.Path, "\x00") {
			r.Heads, last = headings(last, u.Path), u.Path
		}
		p.Reading = append(p.Reading, r)
	}
	if page > 1 {
		p.Prev = p.Self + "?leer=" + strconv.Itoa(page-1)
	}
	return nil
}

// pageNorm is the table of contents of a norm.
func (s *Server) pageNorm(w http.ResponseWriter, r *http.Request) {
	snap, n, done, err := s.find(r.PathValue("norm"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	p := normPage{Title: normName(n), Provenance: provenance(n), Check: or(n.Official, "", webURL(n.Page)), Detail: s.normDetail(n), StatusNote: n.StatusNote, URL: webURL(n.URL), Badge: normBadge(n)}
	if n.Title != p.Title {
		p.Full = n.Title
	}
	p.Self, p.Q = normURL(n.ID), r.FormValue("q")
	if page, _ := strconv.Atoi(r.FormValue("leer")); page > 0 {
		if err := s.read(snap, n, min(page, 10000), &p); err != nil {
			s.fail(w, r, err)
			return
		}
		s.page(w, r, http.StatusOK, "norm", normName(n), p)
		return
	}
	if p.Hits, err = s.within(r, n.ID, p.Q); err != nil {
		s.fail(w, r, err)
		return
	}
	var last []string
	for u, err := range snap.All(n.ID) {
		if err != nil {
			s.fail(w, r, err)
			return
		}
		path := strings.Join(u.Path, " › ")
		if len(p.Groups) == 0 || p.Groups[len(p.Groups)-1].Path != path {
			p.Groups = append(p.Groups, group{Path: path, Heads: headings(last, u.Path)})
			last = u.Path
		}
		g := &p.Groups[len(p.Groups)-1]
		g.Units = append(g.Units, unitLink(u, ""))
	}
	rel, err := snap.Amendments(n.ID)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p.Relations = normRelations(snap, rel)
	s.page(w, r, http.StatusOK, "norm", normName(n), p)
}

// headings are the parts of a path from the first that differs from the last one.
func headings(last, path []string) (out []heading) {
	same := 0
	for same < len(last) && same < len(path)-1 && last[same] == path[same] {
		same++
	}
	for i, part := range path[same:] {
		out = append(out, heading{min(same+i, 3), corpus.HeadingOf(part)})
	}
	return out
}

// headingsOf are the headings over a unit, none of which shouts.
func headingsOf(path []string) (out []string) {
	for _, part := range path {
		out = append(out, corpus.HeadingOf(part))
	}
	return out
}

// versionView is a wording of a unit: when it is of, whether it holds, what it changed.
type versionView struct {
	URL, Name, State, What string
	Shown, Diff            bool // Diff: it can be compared with the one before
}

type refView struct{ URL, Name, Note string }

type unitPage struct {
	NormURL, NormTitle, SelfURL, Label, Rubric, Dates, Formal, Official, AskURL string
	Check, Provenance                                                           string
	Path, Notes                                                                 []string
	AsOf                                                                        digesto.Date
	Badge                                                                       badge
	Paragraphs                                                                  [][]run
	Versions                                                                    []versionView
	Refs                                                                        []refView
	Relations                                                                   relationViews
	Siblings                                                                    []link
	Prev, Next                                                                  *link
	Diff                                                                        []diff.Piece
	Alone                                                                       string // why it is not compared with the wording before it
	Elsewhere                                                                   string // address of the wording that says what was quoted
	Lost                                                                        bool   // no wording says it
	DiffFrom, DiffTo                                                            string
}

// pageUnit is one unit: its text on a day or in a named version, and around it
// versions, references and neighbours.
func (s *Server) pageUnit(w http.ResponseWriter, r *http.Request) {
	snap, n, u, at, done, err := s.unitOf(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	v, err := pickVersion(snap, n, u, at, r.FormValue("version"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p := s.unitPage(snap, n, u, v, or(at == "", s.now(), at), r.FormValue("quote"))
	neighbours(snap, n, u, &p)
	p.Refs = refViews(snap, n, v)
	cited, err := snap.CitedBy(n.ID, u.ID)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p.Relations = unitRelations(snap, v, cited)
	s.page(w, r, http.StatusOK, "unit", strings.TrimSpace(u.Label+". "+corpus.HeadingOf(u.Rubric))+" — "+normName(n), p)
}

// pickVersion gives the version asked for by id, else the one of the day, else
// the last one there is: a page about history shows it.
func pickVersion(snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, at digesto.Date, id string) (digesto.Version, error) {
	for _, v := range u.Versions {
		if id != "" && v.ID == id {
			return v, nil
		}
	}
	v, err := snap.Text(n.ID, u.ID, at)
	if err != nil && at == "" && len(u.Versions) > 0 {
		return u.Versions[len(u.Versions)-1], nil
	}
	return v, err
}

func (s *Server) unitPage(snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, v digesto.Version, at digesto.Date, quoted string) unitPage {
	self := unitURL(n.ID, u.ID)
	p := unitPage{NormURL: normURL(n.ID), NormTitle: normName(n), SelfURL: self, Label: u.Label, Rubric: corpus.HeadingOf(u.Rubric), Path: headingsOf(u.Path), AsOf: at,
		Dates: versionDates(n, v), Badge: unitBadge(n, v, at), Notes: v.Notes, Formal: formal(n, u, v), Official: webURL(n.URL), Provenance: provenance(n)}
	if n.Official {
		p.Official = webURL(corpus.LinkTo(n, u))
	} else if n.Supplied {
		p.Check = webURL(corpus.PageOf(n, u))
	}
	p.AskURL = "/?" + url.Values{"question": {u.Label + " de " + normName(n) + ": "}}.Encode() + "#preguntar"
	p.find(n, u, v, quoted, refLinks(snap, n, v))
	p.Versions = s.versionViews(n, u, v.ID)
	for i, x := range u.Versions {
		if x.ID != v.ID || i == 0 {
			continue
		}
		if !comparable(u.Versions[i-1], v) {
			p.Alone = "De la redacción anterior consta solo una parte: no se comparan."
			continue
		}
		p.Diff = shortened(diff.Words(u.Versions[i-1].Text, v.Text))
		p.DiffFrom, p.DiffTo = versionDates(n, u.Versions[i-1]), versionDates(n, v)
	}
	return p
}

// neighbours fills the units under the same heading and those before and after.
func neighbours(snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, p *unitPage) {
	path := strings.Join(u.Path, "\x00")
	var last *link
	found := false
	for x := range snap.Units(n.ID) {
		l := unitLink(x, u.ID)
		if strings.Join(x.Path, "\x00") == path && len(p.Siblings) < 120 {
			p.Siblings = append(p.Siblings, l)
		}
		name := link{URL: l.URL, Name: strings.TrimSuffix(x.Label+". "+corpus.HeadingOf(x.Rubric), ". ")}
		switch {
		case x.ID == u.ID:
			p.Prev, found = last, true
		case found && p.Next == nil:
			p.Next = &name
		}
		last = &name
	}
}

// refViews lists the references of a text, each once, with a link when the
// target is installed.
func refViews(snap *corpus.Snapshot, n digesto.Norm, v digesto.Version) []refView {
	var out []refView
	seen := map[string]bool{}
	text := []rune(v.Text)
	for _, ref := range v.Refs {
		if ref.Start < 0 || ref.End > len(text) || ref.Start >= ref.End {
			continue
		}
		norm := ref.Norm
		if norm == "" && ref.Name == "" {
			norm = n.ID
		}
		x := refView{Name: string(text[ref.Start:ref.End])}
		if u, ok := snap.Unit(norm, ref.Unit); ok && ref.Unit != "" {
			x.URL = unitURL(norm, ref.Unit)
			if u.Rubric != "" {
				x.Note = corpus.HeadingOf(u.Rubric)
			}
		} else if _, ok := snap.Norm(norm); ok && norm != n.ID {
			x.URL = normURL(norm)
		}
		if x.URL == "" && norm == n.ID { // "este artículo" leads nowhere else
			continue
		}
		if key := x.Name + x.URL; !seen[key] {
			seen[key] = true
			out = append(out, x)
		}
	}
	return out
}
