package server_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/pack"
	"digesto/server"
	"digesto/store"
)

// TestReaderOpensAtTheSentence: an article marks what was quoted of it; where this wording
// does not say it, it leads to the one that does, or says that none does.
func TestReaderOpensAtTheSentence(t *testing.T) {
	w := newWorld(t, nil)
	page := func(q string) string { return w.page("/leyes/FARO-1/a2?" + q).Body.String() }
	want(t, page("quote="+url.QueryEscape(quote)), `<mark id="cita" tabindex="-1">`+quote+`</mark>`)
	want(t, page("quote="+url.QueryEscape("Tendrá diez días de descanso al año.")), "Lo citado no está en esta redacción", "version=2001&amp;quote=Tendr")
	want(t, page("quote=El+farero+vuela"), "Lo citado no aparece en el texto guardado")
	if strings.Contains(page(""), `id="cita"`) || strings.Contains(page(""), "Lo citado") {
		t.Error("a page that quotes nothing marks something")
	}
}

// TestReaderLinksAndVersions: references lead to their articles, wordings are named by what
// they changed, the neighbours stand above and below.
func TestReaderLinksAndVersions(t *testing.T) {
	w := newWorld(t, nil)
	page := w.page("/leyes/FARO-1/a2").Body.String()
	want(t, page, `<a href="/leyes/FARO-1/a1" title="Artículo 1. Objeto">El</a>`, "la primera que consta", "añade 5 palabras y quita 2", `id="diferencias"`)
	if n := strings.Count(page, `rel="prev"`); n != 2 {
		t.Errorf("%d links to the article before", n)
	}
}

// TestFragmentIsNotCompared: a wording of which only a part is known is not compared with
// the whole article.
func TestFragmentIsNotCompared(t *testing.T) {
	part := digesto.Version{ID: "2001", Text: "Boyas.", ValidFrom: "2001-01-01", ValidTo: "2020-01-01"}
	now := digesto.Version{ID: "2020", Text: newText, ValidFrom: "2020-01-01", Current: true}
	snap := corpus.Memory(corpus.Document{Norm: digesto.Norm{ID: "FARO-1", Title: "Ley de Faros", Jurisdiction: "xx", Supplied: true},
		Units: []digesto.Unit{{Norm: "FARO-1", ID: "a2", Number: "2", Label: "Artículo 2", Versions: []digesto.Version{part, now}}}})
	w := newWorld(t, func(o *server.Options) {
		o.Law = func() (ask.View, func(), error) { return ask.View{Snapshot: snap}, func() {}, nil }
	})
	page := w.page("/leyes/FARO-1/a2").Body.String()
	want(t, page, "consta solo una parte")
	if strings.Contains(page, `id="diferencias"`) {
		t.Error("a fragment is compared with an article")
	}
	w.asker.answer.Citations[0].Ref.SHA256 = now.SHA256
	if answer := w.askForm(t, url.Values{"question": {"x"}}); strings.Contains(answer, "#diferencias") {
		t.Error("a link leads to a comparison that there is not")
	}
}

// TestSearchOfTheLaw: a name with a number leads to its article; words find articles as well
// as titles; texts of ours are no norms.
func TestSearchOfTheLaw(t *testing.T) {
	var asked []string
	mine := corpus.Memory(corpus.Document{Norm: digesto.Norm{ID: "ficha-1", Title: "Faros, en claro", Jurisdiction: "xx"}, Units: []digesto.Unit{{Norm: "ficha-1", ID: "s1", Label: "Uno", Versions: []digesto.Version{{ID: "1", Text: "Descanso.", Current: true}}}}})
	w := newWorld(t, func(o *server.Options) {
		o.Embedded = ask.View{Snapshot: mine}
		o.Query = func(text string, _ ask.View, _ *pack.Pack) digesto.Query {
			asked = append(asked, text)
			q := digesto.Query{Text: text}
			if strings.HasPrefix(text, "artículo 2 LF") {
				q.Units, q.Norms = []string{"FARO-1/a2"}, []string{"FARO-1"}
			}
			return q
		}
	})
	for _, q := range []string{"LF 2", "2 LF", "LF, 2.1", "2 de la LF"} {
		page := w.page("/leyes?q=" + url.QueryEscape(q)).Body.String()
		want(t, page, "El artículo que pide", `href="/leyes/FARO-1/a2`, "Artículo 2. De la lámpara y el descanso", "1 norma")
		if strings.Contains(page, "Artículos que hablan de ello") {
			t.Errorf("%q: more is shown than the article named", q)
		}
	}
	page := w.page("/leyes?q=descanso").Body.String()
	want(t, page, "Ninguna norma instalada se llama así", "Artículos que hablan de ello", "Tendrá veinte días de descanso al año.", "quote=2.&#43;Tendr")
	page = w.page("/leyes").Body.String()
	want(t, page, "1 norma", `href="/leyes?fichas=1"`, "1 texto nuestro")
	if strings.Contains(page, "Faros, en claro") {
		t.Error("a text of ours stands among the norms")
	}
	want(t, w.page("/leyes?fichas=1").Body.String(), "Faros, en claro", "no son ley")
	want(t, w.page("/leyes/FARO-1?q=descanso").Body.String(), "Artículos que hablan de «descanso»", "/leyes/FARO-1/a2?quote=")
	want(t, w.page("/leyes/FARO-1?leer=1").Body.String(), "Esta ley regula los faros", "Tendrá veinte días", "Ver el índice")
}

// TestAnswerAndTheLawOfToday: a stored answer says what law it was given from, and what
// has changed since.
func TestAnswerAndTheLawOfToday(t *testing.T) {
	s := store.Memory(clock)
	now := time.Date(2019, 6, 1, 9, 0, 0, 0, time.UTC)
	w := newWorld(t, func(o *server.Options) { o.Store, o.Clock = s, func() time.Time { return now } })
	u, _ := w.snap.Unit("FARO-1", "a2")
	old := "Tendrá diez días de descanso al año."
	c := &w.asker.answer.Citations[0]
	c.Quote, c.Ref.Version, c.Ref.SHA256 = old, "2001", u.Versions[0].SHA256
	c.Ref.Start = len([]rune(oldText)) - len([]rune(old))
	c.Ref.End = len([]rune(oldText))
	w.asker.answer.Answer, w.asker.answer.Meta.AsOf = "«"+old+"» [C1]", "2019-06-01"
	rec := w.do("POST", "/preguntar", "question=x", "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html")
	at := rec.Header().Get("Location")
	if page := w.page(at).Body.String(); strings.Contains(page, "La ley cambió") {
		t.Error("nothing has changed yet")
	}
	now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	want(t, w.page(at).Body.String(), "La ley cambió desde su respuesta", "version=2020#diferencias", "Contestada con la ley instalada el 1 jun 2019")
	w.asker.answer.Meta.TraceID = "t-past" // who asks today for the law of that day gets it
	rec = w.do("POST", "/preguntar", "question=x&as_of=2019-06-01", "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html")
	if page := w.page(rec.Header().Get("Location")).Body.String(); strings.Contains(page, "La ley cambió") {
		t.Error("the law of the day asked for is called outdated")
	}
}

// TestOptionsAreWords: a clarification offers packs by their titles, never by their names.
func TestOptionsAreWords(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Derecho del mar"}, {Name: "aire", Title: "Derecho del aire"}}
	})
	w.asker.answer = digesto.Answer{Answer: "¿De qué país?", Citations: []digesto.Citation{}, Meta: &digesto.Meta{Outcome: digesto.OutcomeClarification, TraceID: "t5", Options: []string{"mar", "aire"}}}
	page := w.askForm(t, url.Values{"question": {"faros"}})
	want(t, page, "<b>Derecho del mar</b>", "<b>Derecho del aire</b>")
	if strings.Contains(page, "<b>mar</b>") {
		t.Error("an id is offered as an option")
	}
}

// TestMistakesInWords: what goes wrong on a page is told without fields, addresses of the
// API or commands; to programs it is told with them.
func TestMistakesInWords(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { o.Store = store.Memory(clock) })
	rec := w.do("POST", "/preguntar", "question=++", "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html")
	want(t, rec.Body.String(), "Escriba primero su pregunta.", `aria-invalid="true"`)
	if rec.Code != 422 {
		t.Errorf("an empty question: %d", rec.Code)
	}
	for _, path := range []string{"/nada", "/leyes/NADA", "/leyes/FARO-1/a99", "/respuestas/nada", "/leyes/FARO-1/a2?as_of=ayer", "/leyes/FARO-1/a2?as_of=1990-01-01", "/analitica?days=abc", "/conversaciones?state=rota", "/conversaciones?cursor=zz", "/conversaciones/nada", "/compartida/nada", "/documento/nada", "/corpus/nada"} {
		page := w.page(path).Body.String()
		_, main, _ := strings.Cut(page, "<main")
		main, _, _ = strings.Cut(main, "</main>")
		for _, not := range []string{"/v1/", "campo", "as_of", "digesto corpus", "openapi", "AAAA", "unidad", "«days»", "«archived»", "1990-01-01", "ursor"} {
			if strings.Contains(main, not) {
				t.Errorf("%s tells %q: %s", path, not, main)
			}
		}
	}
	want(t, w.do("GET", "/v1/norms/NADA", "").Body.String(), "/v1/norms")
}

// TestCalendar: the last day of a term is a file that calendars take.
func TestCalendar(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.answer.Answer = "Demanda del farero: el último día es el 1 de diciembre de 2026."
	w.asker.answer.Meta.Mode, w.asker.answer.Meta.Steps = "calculator", []digesto.Step{{Text: "No cuentan los domingos"}, {Text: "Último día: 1 de diciembre de 2026"}}
	page := w.askForm(t, url.Values{"question": {"x"}})
	want(t, page, "Ponerlo en mi calendario", "/calendario?asunto=Demanda&#43;del&#43;farero&amp;dia=2026-12-01")
	rec := w.do("GET", "/calendario?asunto=Demanda+del+farero%3B+otra%0AX-MAL:1&dia=2026-12-01", "")
	want(t, rec.Body.String(), "BEGIN:VEVENT\r\n", "DTSTART;VALUE=DATE:20261201\r\n", "DTEND;VALUE=DATE:20261202\r\n", `Demanda del farero\; otra\nX-MAL:1`, "TRIGGER:-P3D")
	for _, l := range strings.Split(rec.Body.String(), "\r\n") {
		if len(l) > 75 || strings.Contains(l, "\n") {
			t.Errorf("a line of %d octets: %q", len(l), l)
		}
	}
	if got := rec.Header().Get("Content-Type"); !strings.HasPrefix(got, "text/calendar") {
		t.Error(got)
	}
	if rec := w.page("/calendario?dia=ayer&asunto=x"); rec.Code != 422 {
		t.Errorf("no day: %d", rec.Code)
	}
}

// TestVotesAreReviewed: what people find wrong stands where whoever runs the server, or they
// themselves, looks again.
func TestVotesAreReviewed(t *testing.T) {
	who := "ana"
	w, s, id := kept(t)
	if _, err := s.Begin(t.Context(), store.Begin{User: "local", Conversation: id, Text: "¿y de río?"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Finish(t.Context(), store.Finish{Conversation: id, Turn: 3, Text: "No.", Meta: store.Metadata{store.TypeKey: []byte(`"answer"`)},
		Run: store.Run{Trace: "t-mal", User: "local", Conversation: id, Turn: 3, At: clock(), Type: "answer", Topic: "faros de río"}}); err != nil {
		t.Fatal(err)
	}
	w.form("/conversaciones/"+id+"/4", url.Values{"rating": {"-1"}, "comment": {"falta el <b>río</b>"}})
	want(t, w.page("/analitica").Body.String(), "Por revisar", "faros de río", "falta el &lt;b&gt;río", "/respuestas/t-mal", "0 sí · 1 no")
	other := newWorld(t, func(o *server.Options) {
		o.Store = s
		o.Who = func(*http.Request) (store.User, error) { return store.User{ID: who}, nil }
	})
	if page := other.page("/analitica").Body.String(); strings.Contains(page, "faros de río") {
		t.Error("somebody else's question is shown")
	}
}
