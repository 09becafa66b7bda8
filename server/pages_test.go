package server_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/url"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/server"
)

// post sends the question form and follows to the page of the answer.
func (w *world) askForm(t *testing.T, form url.Values) string {
	t.Helper()
	rec := w.do("POST", "/preguntar", form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html")
	if rec.Code != 303 {
		t.Fatalf("status %d: %s", rec.Code, rec.Body)
	}
	page := w.page(rec.Header().Get("Location"))
	if page.Code != 200 {
		t.Fatalf("page %d: %s", page.Code, page.Body)
	}
	return page.Body.String()
}

func want(t *testing.T, page string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(page, p) {
			t.Errorf("the page lacks %q", p)
		}
	}
}

func TestAnswerPage(t *testing.T) {
	w := newWorld(t, nil)
	page := w.askForm(t, url.Values{"question": {"¿Cuánto descansa?"}})
	want(t, page, `<mark id="cita-1" tabindex="-1">`+quote+"</mark>", "<mark>«"+quote+"»</mark>", "hora antes de ponerse", `href="#cita-1"`, `id="fuente-1"`, "¿Está en la ley?", "Sí, al pie de la letra", "¿Responde a su pregunta?", "Probablemente sí", "pág. 4",
		`badge is-ok">Vigente`, "vigente desde el 1 ene 2020", "https://example.org/faros", "Primera nota.", "Segunda nota.", "/leyes/FARO-1/a2")
	if strings.Contains(page, `class="claims"><li>`) || strings.Contains(page, `id="porque"`) {
		t.Error("the line of the source is shown as a claim")
	}
}

// TestQuotesOfOneText stand in it together, under one number.
func TestQuotesOfOneText(t *testing.T) {
	w := newWorld(t, nil)
	c := w.asker.answer.Citations[0]
	ref := *c.Ref
	ref.Label, ref.Start, ref.End = "C2", 3, 13
	w.asker.answer.Citations = append(w.asker.answer.Citations, digesto.Citation{Quote: newText[3:13], Source: c.Source, Page: c.Page, Ref: &ref})
	w.asker.answer.Answer = "«" + quote + "» [C1]\n«El farero» [C2]\nprovincia: Mar Abierto"
	page := w.askForm(t, url.Values{"question": {"x"}})
	want(t, page, `<mark id="cita-1" tabindex="-1">`+newText[3:13]+"</mark>", "<mark>"+quote+"</mark>", "<dt>Provincia</dt><dd>Mar Abierto</dd>")
	if strings.Contains(page, `id="fuente-2"`) || strings.Count(page, `href="#cita-1"`) != 2 {
		t.Error("two quotations of one text do not share their source")
	}
}

// TestQuoteOfTwoParagraphs is one claim with one mark.
func TestQuoteOfTwoParagraphs(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.answer.Answer = "«Primero.\nSegundo.» [C1]\n«Otra cosa.» [C1]"
	page := w.askForm(t, url.Values{"question": {"x"}})
	want(t, page, "<mark>«Primero. Segundo.»</mark><a class=\"cite\"", "«Otra cosa.»")
	if strings.Count(page, "<mark>«") != 2 {
		t.Error("a quotation is cut into claims")
	}
}

// TestQuoteOfAnotherText shows the quotation alone when the stored text is not the one cited.
func TestQuoteOfAnotherText(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.answer.Citations[0].Ref.SHA256 = "otro"
	page := w.askForm(t, url.Values{"question": {"x"}})
	want(t, page, `<mark id="cita-1" tabindex="-1">`+quote+"</mark>", "Sin texto a la vista", "Ya no se puede comprobar")
	if strings.Contains(page, "hora antes") {
		t.Error("a quotation is marked inside a text it was not taken from")
	}
}

func TestRefusalPage(t *testing.T) {
	w := newWorld(t, nil)
	notes := "Puede preguntar a la Capitanía."
	w.asker.answer = digesto.Answer{Answer: "No encontré nada sobre boyas.", Citations: []digesto.Citation{}, Refusal: true, Notes: &notes,
		Meta: &digesto.Meta{Outcome: digesto.OutcomeRefusal, TraceID: "t2", Pack: "mar", Missing: []string{"Ley de Boyas"}, AsOf: "2026-11-21"}}
	page := w.askForm(t, url.Values{"question": {"¿Y las boyas?"}, "pack": {"mar"}})
	want(t, page, "No encontré nada sobre boyas.", "Ley de Boyas", "Capitanía", "¿Y las boyas?</textarea>")
	if strings.Contains(page, "¿Responde a su pregunta?") {
		t.Error("a refusal shows confidence")
	}
}

func TestClarificationPage(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.answer = digesto.Answer{Answer: "¿De qué faros?", Citations: []digesto.Citation{},
		Meta: &digesto.Meta{Outcome: digesto.OutcomeClarification, TraceID: "t3", SessionID: "s9", Options: []string{"faros de mar", "faros de río"}}}
	page := w.askForm(t, url.Values{"question": {"faros"}})
	want(t, page, `name="question" value="faros: faros de mar"`, "¿De qué faros?")
	w.askForm(t, url.Values{"question": {"los de río"}, "about": {"faros"}})
	if w.asker.got.Text != "faros: los de río" {
		t.Errorf("asked %q", w.asker.got.Text)
	}
}

// TestReadingsPage: what a question may mean is shown with its answer and its proof, and
// each is asked by a click.
func TestReadingsPage(t *testing.T) {
	w := newWorld(t, nil)
	r := digesto.NewReading("¿Cuánto descansa el farero?", "Veinte días al año.")
	r.Citations = w.asker.answer.Citations
	quote := r.Citations[0].Quote
	w.asker.answer = digesto.Answer{Answer: "Elija una:\n\n1. " + r.Text, Citations: []digesto.Citation{},
		Meta: &digesto.Meta{Outcome: digesto.OutcomeClarification, TraceID: "t4", SessionID: "s9", Options: []string{r.Text}, Readings: []digesto.Reading{r}}}
	page := w.askForm(t, url.Values{"question": {"el de la torre"}})
	want(t, page, `name="question" value="¿Cuánto descansa el farero?"`, "Veinte días al año.", "«"+quote+"»")
	if strings.Contains(page, "el de la torre: ") {
		t.Error("the reading is joined to the question that it replaces")
	}
}

// TestEscaping puts markup in every field that a stranger writes.
func TestEscaping(t *testing.T) {
	const evil = `"><script>alert(1)</script>`
	w := newWorld(t, nil)
	w.asker.answer.Answer = evil + " [C1]"
	w.asker.answer.Citations[0].Quote = evil
	w.asker.answer.Citations[0].Ref.Title = evil
	w.asker.answer.Citations[0].Ref.URL = "javascript:alert(1)"
	w.asker.answer.Citations[0].Ref.SHA256 = "otro"
	pages := []string{w.askForm(t, url.Values{"question": {evil}, "territory": {evil}})}
	for _, p := range []string{"/?question=" + url.QueryEscape(evil), "/leyes?q=" + url.QueryEscape(evil), "/leyes/" + url.PathEscape(evil), "/" + url.PathEscape(evil)} {
		pages = append(pages, w.page(p).Body.String())
	}
	for i, page := range pages {
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "javascript:") {
			t.Errorf("page %d lets markup through", i)
		}
		if strings.Contains(page, "style=") || strings.Contains(page, "onclick=") {
			t.Errorf("page %d has inline style or script", i)
		}
	}
}

func TestLawPages(t *testing.T) {
	w := newWorld(t, nil)
	want(t, w.page("/leyes").Body.String(), "Ley de Faros (Ley 1/2001)", "/leyes/FARO-1", "Vigente")
	want(t, w.page("/leyes/FARO-1").Body.String(), "De la lámpara y el descanso", "/leyes/FARO-1/a2", "Título I. Del faro")
	now := w.page("/leyes/FARO-1/a2").Body.String()
	want(t, now, "veinte días", "<ins>", "<del>diez </del>", "Redacción de la Ley 9/2019.", "Texto anterior", `rel="prev"`)
	old := w.page("/leyes/FARO-1/a2?as_of=2005-01-01").Body.String()
	want(t, old, "diez días", "Texto anterior")
	if strings.Contains(old, "una hora antes") {
		t.Error("the text of another time is shown")
	}
	want(t, w.page("/leyes/FARO-1/a2?version=2001").Body.String(), "diez días")
	if rec := w.page("/leyes/FARO-1/a9"); rec.Code != 404 || !strings.Contains(rec.Body.String(), "Volver a preguntar") {
		t.Errorf("missing article: %d", rec.Code)
	}
}

func TestHomeAndCorpus(t *testing.T) {
	w := newWorld(t, nil)
	want(t, w.page("/").Body.String(), "Sábado, 21 de noviembre de 2026", `value="2026-11-21"`, "1 norma")
	want(t, w.page("/corpus").Body.String(), "Sin fecha del texto")
	if strings.Contains(w.page("/corpus").Body.String(), "digesto corpus") {
		t.Error("an order of the program is told to people")
	}
	if rec := w.page("/respuestas/nada"); rec.Code != 404 {
		t.Errorf("an answer that never was: %d", rec.Code)
	}
}

// TestNoLaw works on what is embedded alone.
func TestNoLaw(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { o.Law = nil })
	for _, p := range []string{"/", "/leyes", "/corpus"} {
		if rec := w.page(p); rec.Code != 200 {
			t.Errorf("%s: %d", p, rec.Code)
		}
	}
}

func TestPreferences(t *testing.T) {
	w := newWorld(t, nil)
	rec := w.do("POST", "/preferencias", "theme=dark&back=/leyes", "Content-Type", "application/x-www-form-urlencoded")
	if rec.Code != 303 || rec.Header().Get("Location") != "/leyes" || !strings.Contains(rec.Header().Get("Set-Cookie"), "theme=dark") {
		t.Errorf("%d %v", rec.Code, rec.Header())
	}
	for _, back := range []string{"https://malo.example", "//malo.example", `/\malo.example`, "javascript:1", ""} {
		rec := w.do("POST", "/preferencias", url.Values{"theme": {"x"}, "back": {back}}.Encode(), "Content-Type", "application/x-www-form-urlencoded")
		if rec.Header().Get("Location") != "/" {
			t.Errorf("back %q leads to %q", back, rec.Header().Get("Location"))
		}
	}
	want(t, w.do("GET", "/", "", "Cookie", "theme=dark").Body.String(), `<html lang="es" data-theme="dark">`)
}

// TestRecentIsBounded forgets the oldest answers.
func TestRecentIsBounded(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { o.Recent = 2 })
	for _, id := range []string{"a", "b", "c"} {
		w.asker.answer.Meta.TraceID = id
		w.postJSON("/v1/ask", `{"question":"x"}`)
	}
	for id, code := range map[string]int{"a": 404, "b": 200, "c": 200} {
		if rec := w.page("/respuestas/" + id); rec.Code != code {
			t.Errorf("%s: %d, want %d", id, rec.Code, code)
		}
	}
}

// TestFirstViewIsSmall keeps the first view, uncompressed, within 60 KB.
func TestFirstViewIsSmall(t *testing.T) {
	w := newWorld(t, nil)
	total := 0
	for _, p := range []string{"/", "/static/style.css", "/static/app.js", "/static/favicon.svg"} {
		rec := w.page(p)
		if rec.Code != 200 {
			t.Fatalf("%s: %d", p, rec.Code)
		}
		total += rec.Body.Len()
	}
	if total > 60<<10 {
		t.Errorf("the first view is %d bytes", total)
	}
}

func TestStaticIsCached(t *testing.T) {
	w := newWorld(t, nil)
	if rec := w.page("/static/nada.css"); rec.Code != 404 || !strings.Contains(rec.Body.String(), "No hay nada en esta dirección") {
		t.Errorf("a file that is none: %d %s", rec.Code, rec.Body)
	}
	page := w.page("/").Body.String()
	i := strings.Index(page, "/static/style.css?v=")
	link := page[i : i+strings.IndexByte(page[i:], '"')]
	rec := w.page(link)
	if !strings.Contains(rec.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("%s: %q", link, rec.Header().Get("Cache-Control"))
	}
	if again := w.do("GET", link, "", "If-None-Match", rec.Header().Get("ETag")); again.Code != 304 {
		t.Errorf("revalidation: %d", again.Code)
	}
}

// TestFicheBadge never lets a fiche look like law.
func TestFicheBadge(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Embedded.Snapshot = corpus.Memory(corpus.Document{Norm: digesto.Norm{ID: "F1", Title: "Ficha de faros", Packs: []string{"mar"}, Status: digesto.StatusInForce},
			Units: []digesto.Unit{{ID: "s1", Kind: digesto.KindSection, Label: "Ficha", Versions: []digesto.Version{{ID: "1", Text: "El faro alumbra.", Current: true, ValidFrom: "2020-01-01"}}}}})
	})
	page := w.page("/leyes/F1/s1").Body.String()
	want(t, page, `badge is-note">Ficha`, "no es texto legal")
	if strings.Contains(page, ">Vigente<") {
		t.Error("a fiche is shown as law in force")
	}
}

// TestLongPagesAreSqueezed: a long page comes by gzip to who takes it, and is the same page.
func TestLongPagesAreSqueezed(t *testing.T) {
	w := newWorld(t, nil)
	plain := w.page("/docs")
	small := w.do("GET", "/docs", "", "Accept", "text/html", "Accept-Encoding", "gzip, br")
	if plain.Body.Len() < 8<<10 || small.Header().Get("Content-Encoding") != "gzip" || small.Body.Len() > plain.Body.Len()/2 || plain.Header().Get("Content-Encoding") != "" || plain.Header().Get("Vary") != "Accept-Encoding" {
		t.Fatalf("%d bytes plain, %d as %q", plain.Body.Len(), small.Body.Len(), small.Header().Get("Content-Encoding"))
	}
	z, err := gzip.NewReader(small.Body)
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := io.ReadAll(z); err != nil || !bytes.Equal(whole, plain.Body.Bytes()) {
		t.Errorf("the page is not the same: %v", err)
	}
	// What reorders what is read is let out no more than in a plain page.
	w.snap = corpus.Memory(corpus.Document{Norm: digesto.Norm{ID: "LARGA-1", Title: "Ley \u202elarga", Official: true}, Units: []digesto.Unit{{ID: "a1", Label: "Artículo 1", Versions: []digesto.Version{{ID: "1", Current: true, Text: strings.Repeat("El farero\u202e cuida la lámpara.\n", 400)}}}}})
	long := w.do("GET", "/leyes/LARGA-1/a1", "", "Accept", "text/html", "Accept-Encoding", "gzip")
	if z, err = gzip.NewReader(long.Body); err != nil {
		t.Fatal(err)
	}
	if whole, err := io.ReadAll(z); err != nil || !bytes.Contains(whole, []byte("cuida la lámpara")) || bytes.Contains(whole, []byte("\u202e")) {
		t.Errorf("characters that reorder, or no page: %v %.300s", err, whole)
	}
}
