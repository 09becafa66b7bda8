package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
	"digesto/text"
	"digesto/text/figure"
)

// packView is a pack as pages show it.
type packView struct {
	Name, Title, Description, Numeral, Installed, Install string
	Short                                                 string // how much is installed, in a word or two
	Selected                                              bool
	Norms                                                 int
	Examples                                              []string
	Badge                                                 badge
}

// packViews says for each pack what is installed of it.
func (s *Server) packViews(law *corpus.Snapshot, selected string) []packView {
	var out []packView
	for i, p := range s.opt.Packs {
		norms, latest := installedOf(law, p)
		fiches, _ := installedOf(s.opt.Embedded.Snapshot, p)
		v := packView{Name: p.Name, Title: p.Title, Description: p.Description, Numeral: roman(i + 1), Norms: norms + fiches, Selected: p.Name == selected}
		v.Examples = examplesOf(p, 3)
		switch {
		case norms > 0 && latest != "":
			v.Short = count(norms, "norma", "normas")
			v.Installed, v.Badge = count(norms, "norma", "normas")+" · "+dateShort(latest), badge{"is-ok", "Con ley"}
		case norms > 0:
			v.Short = count(norms, "norma", "normas")
			v.Installed, v.Badge = count(norms, "norma", "normas"), badge{"is-ok", "Con ley"}
		default:
			v.Short = "sin ley"
			v.Installed, v.Badge, v.Install = "solo "+count(fiches, "ficha", "fichas")+", sin ley", badge{"is-none", "Sin ley"}, p.Install.Command()
		}
		out = append(out, v)
	}
	return out
}

func examplesOf(p *pack.Pack, n int) []string {
	var out []string
	for _, e := range append([]string{p.FirstQuestion}, p.Examples...) {
		if e != "" && !slices.Contains(out, e) && len(out) < n {
			out = append(out, e)
		}
	}
	return out
}

// installedOf counts the norms of a pack and gives the newest date of their texts.
func installedOf(snap *corpus.Snapshot, p *pack.Pack) (n int, latest digesto.Date) {
	for _, norm := range snap.Norms() {
		if p.Sees(norm) {
			n++
			latest = max(latest, norm.TextAsOf)
		}
	}
	return n, latest
}

type homePage struct {
	Today, Counts, Corpus, Question, Territory string
	AsOf                                       digesto.Date
	Packs                                      []packView
	Places                                     []string // names to choose a territory from
}

// pageHome is the question box and the index of packs.
func (s *Server) pageHome(w http.ResponseWriter, r *http.Request) {
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	h := homePage{Today: dateLong(s.opt.Clock()), Corpus: shortHash(law.Snapshot.Hash()), AsOf: s.now(),
		Question: r.FormValue("question"), Territory: r.FormValue("territory"), Packs: s.packViews(law.Snapshot, r.FormValue("pack"))}
	if d := digesto.Date(r.FormValue("as_of")); d != "" && checkDate(d) == nil {
		h.AsOf = d
	}
	for _, p := range s.opt.Packs {
		h.Places = append(h.Places, p.PlaceNames()...)
	}
	slices.SortFunc(h.Places, func(a, b string) int { return cmp.Compare(text.Fold(a), text.Fold(b)) })
	h.Places = slices.Compact(h.Places)
	h.Counts = count(len(s.opt.Packs), "ámbito", "ámbitos") + " · " + count(len(law.Snapshot.Norms()), "norma", "normas") +
		" · " + count(len(s.opt.Embedded.Snapshot.Norms()), "ficha propia", "fichas propias")
	s.page(w, r, http.StatusOK, "home", "Preguntas a la ley, respuestas que se pueden comprobar", h)
}

func shortHash(h string) string {
	if h == "" {
		return "solo fichas"
	}
	h = strings.TrimPrefix(h, "sha256:")
	return h[:min(len(h), 12)]
}

// pageAsk answers a form and goes to the page of the answer.
func (s *Server) pageAsk(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, s.opt.MaxBody)
	if err := Form(r); err != nil {
		s.fail(w, r, err)
		return
	}
	f := func(k string) string { return strings.TrimSpace(r.PostForm.Get(k)) }
	q := digesto.Question{Text: strings.ToValidUTF8(f("question"), ""), Pack: f("pack"), AsOf: digesto.Date(f("as_of")), Territory: f("territory")}
	q.Conversation = f("session_id")
	if err := s.admit(w, r, &q); err != nil {
		s.fail(w, r, err)
		return
	}
	if about := f("about"); about != "" && q.Text != "" {
		q.Text = s.resolve(q.Pack, about, q.Text)
	}
	ctx, cancel := s.working(r)
	defer cancel()
	ans, err := s.opt.Engine.Ask(ctx, q, func(digesto.Event) {})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if id := s.recent.put(q, ans); id != "" {
		http.Redirect(w, r, "/respuestas/"+url.PathEscape(id), http.StatusSeeOther)
		return
	}
	s.showAnswer(w, r, kept{question: q, answer: ans})
}

// pageAnswer shows an answer that was given a while ago, to who asked or to who runs the
// server; to anyone else there is none.
func (s *Server) pageAnswer(w http.ResponseWriter, r *http.Request) {
	k, ok := s.recent.get(r.PathValue("id"))
	if ok && s.opt.Store != nil {
		u, err := s.opt.Who(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		ok = u.ID == k.question.User || s.admin(r) == nil
	}
	if !ok {
		k, ok = s.traced(r, r.PathValue("id"))
	}
	if !ok {
		s.fail(w, r, &digesto.Error{Code: digesto.CodeNotFound, Message: "esa respuesta ya no está guardada",
			Hint: "las respuestas se guardan el tiempo que diga quien lleva el servicio, y cada una es de quien preguntó; vuelva a hacer la pregunta"})
		return
	}
	s.showAnswer(w, r, k)
}

// traced gives an answer from its trace: its address outlives the process.
func (s *Server) traced(r *http.Request, id string) (k kept, ok bool) {
	if s.opt.Traces == nil {
		return k, false
	}
	user := ""
	if s.opt.Store != nil {
		u, err := s.opt.Who(r)
		if err != nil {
			return k, false
		}
		user = u.ID
	}
	v, err := s.opt.Traces(r.Context(), user, s.admin(r) == nil, id)
	if err != nil {
		return k, false
	}
	var t struct {
		Session  string           `json:"session_id"`
		Question digesto.Question `json:"question"`
		Answer   digesto.Answer   `json:"answer"`
	}
	raw, err := json.Marshal(v)
	if err != nil || json.Unmarshal(raw, &t) != nil || t.Answer.Meta == nil {
		return k, false
	}
	t.Answer.Meta.TraceID, t.Answer.Meta.SessionID = id, t.Session
	return kept{id: id, question: t.Question, answer: t.Answer}, true
}

// showAnswer chooses the page by the outcome.
func (s *Server) showAnswer(w http.ResponseWriter, r *http.Request, k kept) {
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	p := s.answerPage(law.Snapshot, k)
	if k.answer.Meta != nil {
		s.remember(r, &p, k.answer.Meta)
	}
	name, title := "refusal", "No se puede contestar"
	switch {
	case k.answer.Meta != nil && k.answer.Meta.Outcome == digesto.OutcomeAnswer || len(k.answer.Citations) > 0:
		name, title = "answer", k.question.Text
	case k.answer.Meta != nil && k.answer.Meta.Outcome == digesto.OutcomeClarification:
		name, title = "clarify", "Una aclaración antes de buscar"
	case k.answer.Meta != nil && k.answer.Meta.Outcome != digesto.OutcomeRefusal:
		title = "Sin respuesta legal"
	}
	s.page(w, r, http.StatusOK, name, title, p)
}

// optionView is a button of a clarification: what it says and the
// self-contained question that it asks.
type optionView struct{ Label, Query string }

// readingView is one of the questions that may be meant, with its answer and its proof.
type readingView struct {
	Question, Answer string
	Quotes           []string
	Sources          []sourceView
}

// readings gives what a question may mean.
func (s *Server) readings(law *corpus.Snapshot, m *digesto.Meta) (out []readingView) {
	for _, r := range m.Readings {
		v := readingView{Question: r.Question(), Answer: r.Answer}
		v.Sources, _ = s.sources(law, r.Citations, m.AsOf)
		for _, c := range r.Citations {
			v.Quotes = append(v.Quotes, c.Quote)
		}
		out = append(out, v)
	}
	return out
}

// options gives the buttons of a clarification. The question behind each is
// the pack's; an option that the pack does not know asks its own words.
func (s *Server) options(m *digesto.Meta, question string) []optionView {
	var out []optionView
	for _, label := range m.Options {
		out = append(out, optionView{label, s.resolve(m.Pack, question, label)})
	}
	return out
}

// resolve joins a clarified question and the reply to it into one that stands alone.
func (s *Server) resolve(packName, question, reply string) string {
	for _, p := range s.opt.Packs {
		if p.Name != packName {
			continue
		}
		if a, ok := p.Ambiguous(question); ok {
			if o, ok := a.Resolve(reply); ok && o.Query != "" {
				return o.Query
			}
		}
	}
	if reply == question {
		return reply
	}
	return strings.TrimRight(question, " ?.") + ": " + reply
}

type again struct {
	Label, Text, Pack, Territory, Help, Session string
	AsOf                                        digesto.Date
}

type normLine struct {
	Title string
	Date  string
}

// answerPage is an answer of any outcome, ready to be shown.
type answerPage struct {
	Question, Pack, PackTitle, Territory, EditURL string
	Place                                         string // the territory as people call it
	Listed                                        bool   // the gist opens the list that follows it
	Session                                       string
	AsOf                                          digesto.Date
	Gist                                          []span
	Claims                                        [][]span
	Band                                          band
	Steps                                         []stepView
	Facts                                         []fact
	Notes                                         [][]span
	Missing, Examples                             []string
	SourceLines                                   [][]span
	Options                                       []optionView
	Readings                                      []readingView
	Installed                                     []normLine
	Sources                                       []sourceView
	Install, How, Notice, GistClass               string
	Again                                         again
	Before                                        []pastTurn
	Understood                                    string   // what the question was taken as, in a line
	Next                                          []string // questions that may come after
	Vote                                          *voteView
}

type band struct {
	Class, Word, Why string
	Full             []bool
}

// bandOf names the confidence; the limits are those of the contract.
func bandOf(c float64) band {
	switch {
	case c >= .7:
		return band{"", "alta", "Cada afirmación está en una cita literal comprobada.", []bool{true, true, true}}
	case c >= .3:
		return band{"mid", "moderada", "Las citas son literales; las notas dicen por qué no es alta.", []bool{true, true, false}}
	}
	return band{"low", "baja", "Compruebe las fuentes antes de fiarse.", []bool{true, false, false}}
}

func (s *Server) answerPage(law *corpus.Snapshot, k kept) answerPage {
	a, m := k.answer, k.answer.Meta
	if m == nil {
		m = &digesto.Meta{Pack: k.question.Pack, AsOf: k.question.AsOf}
	}
	p := answerPage{Question: k.question.Text, Pack: m.Pack, PackTitle: "sin determinar", AsOf: m.AsOf, Territory: m.Territory, Place: s.place(m.Territory),
		Band: bandOf(a.Confidence), Missing: m.Missing, Options: s.options(m, k.question.Text), Notice: m.AINotice, How: how(m)}
	if a.Notes != nil {
		for _, l := range lines(*a.Notes) {
			p.Notes = append(p.Notes, linked(l))
		}
	}
	var place func(string) (int, string)
	p.Sources, place = s.sources(law, a.Citations, m.AsOf)
	p.body(a, place)
	p.Steps = s.steps(m, a.Citations, place)
	if p.Readings = s.readings(law, m); p.Readings != nil {
		p.Options = nil
	}
	p.Understood, p.Next = m.Told(), m.Next
	p.EditURL = "/?" + url.Values{"question": {cmp.Or(m.Question, k.question.Text)}, "pack": {m.Pack}, "as_of": {string(m.AsOf)}, "territory": {m.Territory}}.Encode() + "#preguntar"
	p.Again = again{Label: "Preguntar otra cosa", Pack: m.Pack, AsOf: m.AsOf, Territory: m.Territory, Help: "Con el mismo ámbito y la misma fecha."}
	if s.opt.Store != nil { // what is asked next goes on with the conversation
		p.Session, p.Again.Session = m.SessionID, m.SessionID
	}
	for _, v := range s.packViews(law, m.Pack) {
		if v.Selected {
			p.PackTitle, p.Install, p.Examples = v.Title, v.Install, v.Examples
		}
	}
	if a.Refusal {
		p.Again.Label, p.Again.Text = "Preguntar de otra forma", k.question.Text
	}
	p.Installed = s.installedLines(law, m.Pack)
	return p
}

var factPattern = regexp.MustCompile(`^(\p{Ll}[\p{L} ]{2,24}): (.+)$`)

// body deals the lines of an answer out: the first is its gist; lines that name
// the source, a datum or a warning that the notes repeat are no claims.
func (p *answerPage) body(a digesto.Answer, place func(string) (int, string)) {
	for _, l := range whole(lines(a.Answer)) {
		datum := factPattern.FindStringSubmatch(l)
		warning, isWarning := strings.CutPrefix(l, "Aviso: ")
		switch {
		case strings.HasPrefix(l, "Fuente: ") || strings.HasPrefix(l, "Fuentes: "):
			p.SourceLines = append(p.SourceLines, once(spans(l, place)))
		case isWarning && a.Notes != nil && strings.Contains(*a.Notes, warning):
		case p.Gist == nil:
			p.Gist = spans(l, place)
			p.Listed = strings.HasSuffix(l, ":")
			if utf8.RuneCountInString(l) > 200 {
				p.GistClass = "long"
			}
		case datum != nil && !markPattern.MatchString(l):
			p.Facts = append(p.Facts, fact{datum[1], datum[2]})
		default:
			p.Claims = append(p.Claims, spans(strings.TrimPrefix(l, "- "), place))
		}
	}
}

// whole joins lines while a quotation is open: one of several paragraphs is one claim.
func whole(in []string) []string {
	var out []string
	depth := 0
	for _, l := range in {
		if depth > 0 {
			out[len(out)-1] += " " + l
		} else {
			out = append(out, l)
		}
		depth = max(0, depth+strings.Count(l, "«")-strings.Count(l, "»"))
	}
	return out
}

// stepView is a line of a calculation, its figure as people write it.
type stepView struct {
	Text, Result, Source string
	Mark                 []span
}

// steps shows a calculation; a step whose source is a cited unit gets its mark.
func (s *Server) steps(m *digesto.Meta, cites []digesto.Citation, place func(string) (int, string)) []stepView {
	var loc figure.Locale
	for _, p := range s.opt.Packs {
		if p.Name == m.Pack {
			loc = figure.LocaleOf(p.Locale)
		}
	}
	var out []stepView
	for _, x := range m.Steps {
		v := stepView{Text: figuresIn(x.Text, loc.Decimal), Source: x.Source}
		if x.Result != "" {
			v.Result = strings.TrimSpace(decimal(x.Result, loc.Decimal) + " " + x.Unit)
		}
		for _, c := range cites {
			if c.Ref != nil && x.Source != "" && (x.Source == c.Ref.Unit || x.Source == c.Ref.Document+"/"+c.Ref.Unit) {
				v.Source, v.Mark = "", spans("["+c.Ref.Label+"]", place)
			}
		}
		out = append(out, v)
	}
	return out
}

// operand is a figure of a step's own arithmetic, as programs write it.
var operand = regexp.MustCompile(`([×=+−/] )(\d+(?:\.\d+)?)`)

// figuresIn writes the figures of a step's arithmetic with the marks of a locale.
func figuresIn(step string, mark byte) string {
	return operand.ReplaceAllStringFunc(step, func(m string) string {
		i := strings.IndexByte(m, ' ') + 1
		return m[:i] + decimal(m[i:], mark)
	})
}

// how says in one line how the answer came about.
func how(m *digesto.Meta) string {
	mode := map[string]string{"extractive": "Respuesta por extracción, sin modelo de lenguaje", "calculator": "Calculada por el programa con datos citados",
		"model": "Redactada por un modelo de lenguaje; cada cita comprobada"}[m.Mode]
	if mode == "" {
		mode = "Sin redacción"
	}
	out := fmt.Sprintf("%s · %d ms · corpus %s", mode, m.ElapsedMS, shortHash(strings.TrimPrefix(m.Corpus, "embedded")))
	if len(m.Degraded) > 0 {
		out += " · con menos medios: " + strings.Join(m.Degraded, ", ")
	}
	return out
}

func (s *Server) installedLines(law *corpus.Snapshot, packName string) []normLine {
	var out []normLine
	for _, snap := range []*corpus.Snapshot{law, s.opt.Embedded.Snapshot} {
		for _, n := range snap.Norms() {
			if !s.sees(packName, n) {
				continue
			}
			if len(out) == 8 {
				return out
			}
			date := "sin fecha"
			if n.TextAsOf != "" {
				date = dateShort(n.TextAsOf)
			}
			if own(n) {
				date = "ficha"
			}
			out = append(out, normLine{Title: short(normName(n)), Date: date})
		}
	}
	return out
}
