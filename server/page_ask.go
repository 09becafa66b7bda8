package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
	"digesto/text"
	"digesto/text/figure"
)

// packView is a pack as pages show it.
type packView struct {
	Name, Title, Description, Numeral, Installed, Install string
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
		mine := oursOf(s.opt.Embedded.Snapshot, p)
		v := packView{Name: p.Name, Title: p.Title, Description: p.Description, Numeral: roman(i + 1), Norms: norms + mine.all(), Selected: p.Name == selected}
		v.Examples = examplesOf(p, 3)
		switch {
		case norms > 0 && latest != "":
			v.Installed, v.Badge = count(norms, "norma", "normas")+" · "+dateShort(latest), badge{"is-ok", "Con ley"}
		case norms > 0:
			v.Installed, v.Badge = count(norms, "norma", "normas"), badge{"is-ok", "Con ley"}
		default:
			v.Installed, v.Badge, v.Install = "sin ley: solo "+mine.words(), badge{"is-none", "Sin ley"}, p.Install.Command()
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
	Error                                      string // what is missing in the question
	Today, Counts, Corpus, Question, Territory string
	AsOf                                       digesto.Date
	Packs                                      []packView
	Countries                                  []fact   // with how many norms of each are installed
	Empty, Boss                                bool     // no law is installed; who looks can install it
	Places                                     []string // names to choose a territory from
}

// pageHome is the question box and the index of packs.
func (s *Server) pageHome(w http.ResponseWriter, r *http.Request) { s.home(w, r, "") }

// home shows the question box, with what is wrong with the question.
func (s *Server) home(w http.ResponseWriter, r *http.Request, wrong string) {
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	h := homePage{Error: wrong, Today: DateLong(s.opt.Clock()), Corpus: shortHash(law.Snapshot.Hash()), AsOf: s.now(),
		Question: r.FormValue("question"), Territory: r.FormValue("territory"), Packs: s.packViews(law.Snapshot, r.FormValue("pack"))}
	if d := digesto.Date(r.FormValue("as_of")); d != "" && checkDate(d) == nil {
		h.AsOf = d
	}
	for _, p := range s.opt.Packs {
		h.Places = append(h.Places, p.PlaceNames()...)
	}
	slices.SortFunc(h.Places, func(a, b string) int { return cmp.Compare(text.Fold(a), text.Fold(b)) })
	h.Places = slices.Compact(h.Places)
	h.Countries = s.countries(law.Snapshot)
	if h.Empty = len(law.Snapshot.Norms()) == 0; h.Empty {
		h.Boss = s.opt.Jobs != nil && s.admin(r) == nil
	}
	h.Counts = count(len(s.opt.Packs), "ámbito", "ámbitos") + " · " + count(len(law.Snapshot.Norms()), "norma", "normas")
	if mine := oursOf(s.opt.Embedded.Snapshot, nil).words(); mine != "" {
		h.Counts += " · " + mine
	}
	s.page(w, r, or(wrong == "", http.StatusOK, http.StatusUnprocessableEntity), "home", "Preguntas a la ley, respuestas que se pueden comprobar", h)
}

// countries counts the norms of each country, and those of none.
func (s *Server) countries(snap *corpus.Snapshot) (out []fact) {
	n := map[string]int{}
	for _, x := range snap.Norms() {
		country, _, _ := strings.Cut(territoryOf(x), "-")
		n[cmp.Or(s.place(country), "De ningún país en particular")]++
	}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		out = append(out, fact{name, count(n[name], "norma", "normas")})
	}
	return out
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
	q.Conversation, q.Tone = f("session_id"), f("tone")
	if q.Text == "" {
		s.home(w, r, "Escriba primero su pregunta.")
		return
	}
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
		At       time.Time        `json:"at"`
		Question digesto.Question `json:"question"`
		Answer   digesto.Answer   `json:"answer"`
	}
	raw, err := json.Marshal(v)
	if err != nil || json.Unmarshal(raw, &t) != nil || t.Answer.Meta == nil {
		return k, false
	}
	t.Answer.Meta.TraceID, t.Answer.Meta.SessionID = id, t.Session
	return kept{id: id, question: t.Question, answer: t.Answer, at: t.At}, true
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
	if m := k.answer.Meta; m != nil && m.TraceID != "" {
		p.Address = baseOf(r) + "/respuestas/" + url.PathEscape(m.TraceID)
	}
	if p.Boss = s.opt.Jobs != nil && s.admin(r) == nil; p.Boss {
		p.Minor = append(p.Minor, p.Orders...)
	}
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
type optionView struct {
	Label, Query string
	Said         string // what choosing it says in a conversation
	Pack         string // that it means; "" = none
}

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
		o := optionView{Label: label, Query: s.resolve(m.Pack, question, label), Said: label}
		for _, p := range s.opt.Packs { // a pack by its name is no word of people
			if p.Name == label {
				o.Label, o.Pack = p.Title, p.Name
			}
		}
		out = append(out, o)
	}
	return out
}

// resolve joins a clarified question and the reply to it into one that stands alone.
func (s *Server) resolve(packName, question, reply string) string {
	for _, p := range s.opt.Packs {
		if p.Name == packName {
			return p.Resolved(question, reply)
		}
	}
	return (&pack.Pack{}).Resolved(question, reply)
}

type again struct {
	Label, Text, Pack, Territory, Help, Session string
	AsOf                                        digesto.Date
}

// answerPage is an answer of any outcome, ready to be shown.
type answerPage struct {
	Question, Pack, PackTitle, Territory, EditURL string
	Place                                         string // the territory as people call it
	Session                                       string
	AsOf                                          digesto.Date
	Ladder                                        ladder
	Signals                                       []signal
	Taken                                         []takenView // what the question was taken as
	Packs                                         []packView
	Asked                                         string // the question made self-contained
	Plain, Boss                                   bool   // in plain language; who looks runs the server
	Given                                         string // what law it was answered from
	Address                                       string // where it is found again
	Changed                                       []sourceView
	Calendar                                      string // address of the last day as a file for calendars
	Form                                          *link  // of a calculator, filled in with what was told
	Steps                                         []stepView
	Facts                                         []fact
	Notes, Minor                                  [][]span // what changes the answer; what does not
	Orders                                        [][]span // for who runs the server
	Missing                                       []string
	Examples                                      []exampleView
	Options                                       []optionView
	Readings                                      []readingView
	Count                                         string // of norms installed of its pack
	Sources                                       []sourceView
	Install, How, Notice                          string
	Again                                         again
	Before                                        []pastTurn
	Next                                          []string // questions that may come after
	Vote                                          *voteView
}

// exampleView is a question that can be asked, and of which pack; Of is its title where
// there are several.
type exampleView struct{ Pack, Of, Text string }

func examplesFor(pack, of string, texts []string) (out []exampleView) {
	for _, t := range texts {
		out = append(out, exampleView{pack, of, t})
	}
	return out
}

// takenView is one thing that a question was taken as.
type takenView struct{ Kind, Text string }

// noLaw says that a question was of no law: it is of no country either.
func noLaw(m *digesto.Meta) bool {
	return m.Outcome == digesto.OutcomeNonLegal || m.Outcome == digesto.OutcomeReformulate
}

// kindsTaken name them.
var kindsTaken = map[string]string{"who": "Quién", "where": "Dónde", "when": "Cuándo", "subject": "Entendí", "norm": "Norma", "amount": "Cantidad"}

func taken(m *digesto.Meta) (out []takenView) {
	for _, u := range m.Understood {
		if u.From == "default" && noLaw(m) {
			continue // nothing of it was meant
		}
		out = append(out, takenView{or(kindsTaken[u.Kind] == "", "Dato", kindsTaken[u.Kind]), u.Text + or(u.From == "conversation", " (de antes)", "")})
	}
	return out
}

func (s *Server) answerPage(law *corpus.Snapshot, k kept) answerPage {
	a, m := k.answer, k.answer.Meta
	if m == nil {
		m = &digesto.Meta{Pack: k.question.Pack, AsOf: k.question.AsOf}
	}
	p := answerPage{Question: k.question.Text, Pack: m.Pack, PackTitle: "sin determinar", AsOf: m.AsOf, Territory: m.Territory, Place: s.place(m.Territory),
		Missing: s.missing(m), Options: s.options(m, k.question.Text), Notice: m.AINotice, How: how(m)}
	var place func(string) (int, string)
	p.Sources, place = s.sources(law, a.Citations, m.AsOf)
	p.body(a, m, place)
	p.sortNotes(a)
	p.Signals = signals(a, m, p.Sources, len(p.Ladder.Cautions) > 0)
	if len(p.Ladder.Cautions) > 0 && len(p.Sources) == 1 && p.Sources[0].Badge.Class == "is-ok" {
		p.Sources[0].Badge = badge{"is-doubt", "Con reservas"}
	}
	p.Steps = s.steps(m, a.Citations, place)
	if day := deadline(m.Steps); day != "" {
		about, _, _ := strings.Cut(textOf(p.Ladder.Gist), ":")
		p.Calendar = CalendarURL(day, about)
	}
	p.Form = s.formFor(k)
	if p.Readings = s.readings(law, m); p.Readings != nil {
		p.Options = nil
	}
	p.Taken, p.Next, p.Asked = taken(m), m.Next, cmp.Or(m.Question, k.question.Text)
	if slices.ContainsFunc(p.Taken, func(t takenView) bool { return t.Text == p.Place }) {
		p.Place = "" // said already
	}
	p.Plain = k.question.Tone == "sencillo"
	p.given(k, law)
	p.EditURL = "/?" + url.Values{"question": {cmp.Or(m.Question, k.question.Text)}, "pack": {m.Pack}, "as_of": {string(m.AsOf)}, "territory": {m.Territory}}.Encode() + "#preguntar"
	p.Again = again{Label: "Preguntar otra cosa", Pack: m.Pack, AsOf: m.AsOf, Territory: m.Territory, Help: "Con el mismo ámbito y la misma fecha."}
	if s.opt.Store != nil { // what is asked next goes on with the conversation
		p.Session, p.Again.Session = m.SessionID, m.SessionID
	}
	if noLaw(m) && k.question.Pack == "" {
		p.Pack, p.PackTitle, p.Packs, p.Again.Pack = "", "", s.packViews(law, ""), ""
		for _, x := range s.opt.Packs {
			p.Examples = append(p.Examples, examplesFor(x.Name, x.Title, examplesOf(x, 1))...)
		}
		p.Ladder.without(p.Examples)
		return p
	}
	p.Packs = s.packViews(law, m.Pack)
	for _, v := range p.Packs {
		if v.Selected {
			p.PackTitle, p.Install, p.Count, p.Examples = v.Title, v.Install, v.Installed, examplesFor(v.Name, "", v.Examples)
		}
	}
	if a.Refusal {
		p.Again.Label, p.Again.Text = "Preguntar de otra forma", k.question.Text
	}
	return p
}

// formFor is the form of a calculator that goes with an answer.
func (s *Server) formFor(k kept) *link {
	if k.answer.Meta == nil || k.answer.Meta.Pack == "" {
		return nil
	}
	q := k.question
	q.Text = cmp.Or(k.answer.Meta.Question, q.Text)
	for _, r := range s.opt.Routes {
		if r.Fits == nil {
			continue
		}
		if to, name := r.Fits(q, k.answer); to != "" {
			return &link{URL: to, Name: name}
		}
	}
	return nil
}

// missing names what is not installed as people call it.
func (s *Server) missing(m *digesto.Meta) (out []string) {
	for _, id := range m.Missing {
		name := ""
		for _, p := range s.opt.Packs {
			for _, x := range p.Sources {
				if x.ID == id {
					name = cmp.Or(x.Short, x.Title)
				}
			}
			for _, a := range p.Aliases {
				if a.Norm == id && !a.Weak && len(a.Name) > len(name) {
					name = a.Name
				}
			}
		}
		out = append(out, upperFirst(cmp.Or(name, id)))
	}
	return out
}

var factPattern = regexp.MustCompile(`^(\p{Ll}[\p{L} ]{2,24}): (.+)$`)

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

// currencies are what people call those of ISO 4217.
var currencies = map[string]string{"EUR": "€", "ARS": "pesos", "PEN": "soles"}

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
			v.Result = strings.TrimSpace(decimal(x.Result, loc.Decimal) + " " + cmp.Or(currencies[x.Unit], x.Unit))
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
var operand = regexp.MustCompile(`([×=+−/] )(\d[\d.,]*)`)

// figuresIn writes the figures of a step's arithmetic with the marks of a locale.
func figuresIn(step string, mark byte) string {
	return operand.ReplaceAllStringFunc(step, func(m string) string {
		i := strings.IndexByte(m, ' ') + 1
		number := strings.TrimRight(m[i:], ".,")
		if _, frac, _ := strings.Cut(number, "."); strings.Contains(number, ",") || len(frac) > 2 { // it is written so already
			return m
		}
		return m[:i] + decimal(number, mark) + m[i+len(number):]
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
