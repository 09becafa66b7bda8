package server_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
	"digesto/server"
	"digesto/text/cite"
)

// TestExamplesAreLinks: what may be asked is told once, as links.
func TestExamplesAreLinks(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Derecho del mar", FirstQuestion: "¿Cuánto descansa?"}}
	})
	w.asker.answer = digesto.Answer{Answer: "Soy un programa. Puede preguntar, por ejemplo:\n- Derecho del mar: «¿Cuánto descansa?»", Citations: []digesto.Citation{},
		Meta: &digesto.Meta{Outcome: digesto.OutcomeNonLegal, TraceID: "t7", Pack: "mar"}}
	_, main, _ := strings.Cut(w.askForm(t, url.Values{"question": {"hola"}}), "<main")
	want(t, main, "Soy un programa.", `<button class="link-btn" name="question" value="¿Cuánto descansa?">`)
	if strings.Contains(main, "«¿Cuánto descansa?»") || strings.Contains(main, "por ejemplo:") {
		t.Error("the examples are told as text too")
	}
}

// TestMissingInWords: what is not installed has its name, and no order of the program is
// told to who does not run it.
func TestMissingInWords(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Derecho del mar", Sources: []pack.Source{{ID: "B-1", Title: "Ley 3/2001, de Boyas", Short: "Ley de Boyas"}}, Aliases: []cite.Alias{{Name: "código de anclas", Norm: "A-2"}}}}
	})
	notes := "No está el texto de «boyas»; se instala con: digesto corpus add CARPETA --pack mar."
	w.asker.answer = digesto.Answer{Answer: "No puedo responder.", Citations: []digesto.Citation{}, Refusal: true, Notes: &notes,
		Meta: &digesto.Meta{Outcome: digesto.OutcomeRefusal, TraceID: "t8", Pack: "mar", Missing: []string{"B-1", "A-2", "C-3"}, AsOf: "2026-11-21"}}
	_, main, _ := strings.Cut(w.askForm(t, url.Values{"question": {"¿Y las boyas?"}, "pack": {"mar"}}), "<main")
	want(t, main, "<dt>Ley de Boyas</dt>", "<dt>Código de anclas</dt>", "<dt>C-3</dt>")
	for _, not := range []string{"B-1", "A-2", "digesto corpus"} {
		if strings.Contains(main, not) {
			t.Errorf("%q is told to people", not)
		}
	}
}

// TestReadingsFoldTheirLaw: what may be meant is chosen among lines of ours; the law of
// each is one press away.
func TestReadingsFoldTheirLaw(t *testing.T) {
	w := newWorld(t, nil)
	cites := w.asker.answer.Citations
	r := digesto.NewReading("¿Cuánto descansa el farero?", "Veinte días al año.")
	r.Citations = cites
	w.asker.answer = digesto.Answer{Answer: "Elija una:", Citations: []digesto.Citation{}, Meta: &digesto.Meta{Outcome: digesto.OutcomeClarification, TraceID: "t9", Pack: "mar", Readings: []digesto.Reading{r},
		Territory: "xx", Understood: []digesto.Understood{{Kind: "where", Text: "xx", From: "question"}}}}
	_, main, _ := strings.Cut(w.askForm(t, url.Values{"question": {"descanso"}}), "<main")
	before, folded, ok := strings.Cut(main, "<summary>Lo que dice la ley")
	if !ok || strings.Contains(before, "<mark>") || !strings.Contains(folded, "<mark>«"+quote) || !strings.Contains(before, "Veinte días al año.") {
		t.Errorf("%.3000s", main)
	}
	if n := strings.Count(before, "</b> xx"); n != 1 {
		t.Errorf("the place is told %d times", n)
	}
}

// TestReaderMarksTheSentence: an address carries the beginning of a quotation; the page
// marks the sentence whole, and lists no reference that leads to the text itself.
func TestReaderMarksTheSentence(t *testing.T) {
	w := newWorld(t, nil)
	words := strings.Fields(quote)
	page := w.page("/leyes/FARO-1/a2?" + url.Values{"quote": {strings.Join(words[:3], " ")}}.Encode()).Body.String()
	_, marked, _ := strings.Cut(page, `<mark id="cita"`)
	marked, _, _ = strings.Cut(marked, "</mark>")
	if !strings.HasSuffix(marked, words[len(words)-1]) && !strings.HasSuffix(marked, ".") {
		t.Errorf("marked: %q of %q", marked, quote)
	}
}

// TestFactsOfTheInstalled: the counts of the home page and of the list are of norms, ours apart.
func TestFactsOfTheInstalled(t *testing.T) {
	w := newWorld(t, nil)
	want(t, w.page("/").Body.String(), "1 norma")
	want(t, w.page("/leyes").Body.String(), "<span data-count>1 norma")
	w = newWorld(t, func(o *server.Options) {
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Derecho del mar"}}
		var docs []corpus.Document
		for _, n := range []digesto.Norm{{ID: "ficha-mar-boyas", Format: digesto.FormatFiche}, {ID: "ficha-mar-faros", Format: digesto.FormatFiche}, {ID: pack.SummaryPrefix + "mar-FARO-1", Format: digesto.FormatFiche}, {ID: "tabla-mar", Format: digesto.FormatTable}} {
			n.Title, n.Packs = n.ID, []string{"mar"}
			docs = append(docs, corpus.Document{Norm: n})
		}
		o.Embedded.Snapshot = corpus.Memory(docs...)
	})
	want(t, w.page("/").Body.String(), "1 ámbito · 1 norma · 2 fichas propias · 1 ley resumida · 1 tabla propia")
	want(t, w.page("/corpus").Body.String(), "<dt>Fichas propias</dt><dd>2</dd>", "<dt>Ley resumida</dt><dd>1</dd>", "<dt>Tabla propia</dt><dd>1</dd>")
}

// TestFormFits: an answer leads to the calculator that goes with it, filled in with what was told.
func TestFormFits(t *testing.T) {
	var asked digesto.Question
	w := newWorld(t, func(o *server.Options) {
		o.Routes = []server.Route{{Pattern: "GET /faro", Handle: func(*http.Request) (any, error) { return server.Page{}, nil },
			Fits: func(q digesto.Question, a digesto.Answer) (string, string) {
				asked = q
				return "/faro?" + url.Values{"dias": {"20"}}.Encode(), "Calcular mis días"
			}}}
	})
	want(t, w.askForm(t, url.Values{"question": {"¿Cuánto descanso?"}, "pack": {"mar"}}), `href="/faro?dias=20">Calcular mis días</a>`)
	if asked.Text != "¿Cuánto descanso?" {
		t.Errorf("asked %+v", asked)
	}
}

// TestKnownAndNotInstalled: a search for a law that is known by its name, and is not there, says so.
func TestKnownAndNotInstalled(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Derecho del mar", Sources: []pack.Source{{ID: "B-1", Title: "Ley 3/2001, de Boyas"}, {ID: "FARO-1", Title: "Ley 1/2001, de los Faros"}},
			Aliases: []cite.Alias{{Name: "LBOY", Norm: "B-1"}}}}
	})
	page := w.page("/leyes?q=LBOY").Body.String()
	want(t, page, "Ninguna norma instalada se llama así", "<li>Ley 3/2001, de Boyas <span class=\"badge is-none\">No instalada</span>")
	if page := w.page("/leyes?q=faros").Body.String(); strings.Contains(page, "No instalada") {
		t.Error("a law that is there is said to lack")
	}
}

// TestCountriesOnce: a norm that two packs see is counted once on the first page.
func TestCountriesOnce(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Derecho del mar", Jurisdictions: []string{"xx"}}, {Name: "costa", Title: "Costas", Jurisdictions: []string{"xx"}}}
	})
	_, panel, _ := strings.Cut(w.page("/").Body.String(), `id="instalado"`)
	panel, _, _ = strings.Cut(panel, "</dl>")
	if n := strings.Count(panel, "<dd>1 norma</dd>"); n != 1 {
		t.Errorf("%d times: %s", n, panel)
	}
}

// TestEmptyInstallsByOneClick: with no law the first page says so, and who runs the server brings
// the official texts from it; an answer from words of ours alone offers the same.
func TestEmptyInstallsByOneClick(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Law, o.Texts = nil, nil
		o.Jobs = server.NewJobs(t.Context(), clock, nil)
		o.Admin = func(*http.Request) error { return nil }
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Derecho del mar", Install: pack.Install{Add: "digesto corpus add CARPETA"}}}
	})
	want(t, w.page("/").Body.String(), "Todavía no hay ninguna ley instalada", "solo fichas", `name="do" value="install">Derecho del mar`)
	want(t, w.page("/leyes").Body.String(), `<a href="/corpus">`)
}
