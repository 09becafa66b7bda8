package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"digesto/corpus/ingest"
	"digesto/internal/browser"
	"digesto/pack"
	"digesto/packs"
)

// oddLaw is law that a private publisher gave, whose titles shout.
const oddLaw = `{"_id":"LEY-5/a1","title":"Artículo 1. Descanso del farero","text":"El farero tiene veinte días de descanso al año.","metadata":{"norm":"LEY-5","norm_title":"NORMAS","rank":"ley","jurisdiction":"es","unit":"a1","version":"2001","valid_from":"2001-01-01","url":"https://editorial.example/ley-5"}}
{"_id":"LEY-5/a2","title":"Artículo 2. Guardia del farero","text":"La guardia del farero dura doce horas, y se anota en el libro del faro.","metadata":{"norm":"LEY-5","unit":"a2","version":"2001","valid_from":"2001-01-01","url":"https://editorial.example/ley-5"}}
{"_id":"DEC-6-2024/a1","title":"Artículo 1. Libro del faro","text":"El libro del faro se conserva diez años.","metadata":{"norm":"DEC-6-2024","norm_title":"PODER EJECUTIVO","rank":"decreto","jurisdiction":"es","unit":"a1","version":"2024","valid_from":"2024-01-01","url":"https://editorial.example/dec-6"}}
`

func oddData(t *testing.T) string {
	t.Helper()
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "raras.jsonl")
	if err := os.WriteFile(file, []byte(oddLaw), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(t.Context(), []string{"corpus", "add", file, "--pack", "laboral"}, e); code != 0 {
		t.Fatal(errs)
	}
	return data
}

var addresses = regexp.MustCompile(`https?://[^\s<>"»)\\]+`)

// TestRefusalsLinkNoPrivatePublisher: what is refused leads to public bodies and to the
// publishers that the packs name, never to whoever gave a text; on the page as in the JSON.
func TestRefusalsLinkNoPrivatePublisher(t *testing.T) {
	base := serveLaw(t, oddData(t))
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	public := map[string]bool{strings.TrimPrefix(base, "http://"): true}
	host := func(address string) string {
		u, _ := url.Parse(strings.TrimRight(address, ".,;:"))
		return u.Host
	}
	for _, p := range all {
		for _, address := range placesOf(p) {
			public[host(address)] = true
		}
	}
	refused, linked := 0, 0
	for _, p := range all {
		for _, question := range []string{"¿Qué dice el artículo 900 de la Ley 5?", "¿Cuántas lunas tiene el planeta Zork según la ley?", "¿Qué dice la ley de apicultura de las Marismas?", "¿Cuánto mide el libro del faro de la Ley 5?", "¿Puedo criar abejas en la azotea del faro?"} {
			body, _ := json.Marshal(map[string]string{"question": question, "pack": p.Name})
			said := putTo(t, base, string(body))
			var a struct {
				Refusal bool
				Meta    struct {
					Trace string `json:"trace_id"`
				}
			}
			if err := json.Unmarshal([]byte(said), &a); err != nil || !a.Refusal {
				continue
			}
			refused++
			req, _ := http.NewRequestWithContext(t.Context(), "GET", base+"/respuestas/"+a.Meta.Trace, nil)
			req.Header.Set("Accept", "text/html")
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			whole, _ := io.ReadAll(res.Body)
			res.Body.Close()
			page := string(whole)
			if !strings.Contains(page, `id="pregunta"`) {
				t.Fatalf("no page of the refusal: %.300s", page)
			}
			for _, address := range addresses.FindAllString(said+page, -1) {
				linked++
				if h := host(address); !public[h] {
					t.Errorf("%s, %q: leads to %s", p.Name, question, address)
				}
			}
		}
	}
	if refused < 10 || linked < 3 {
		t.Errorf("%d refusals with %d links were looked at", refused, linked)
	}
}

// placesOf are the addresses of the bodies and publishers that a pack names.
func placesOf(p *pack.Pack) (out []string) {
	for _, b := range p.Bodies {
		out = append(out, b.URL)
	}
	for _, s := range p.Sources {
		out = append(out, s.URL)
	}
	for _, f := range p.Fiches {
		for _, x := range f.Facts {
			out = append(out, x.URL)
		}
	}
	return out
}

// TestNoTitleShouts: a title in capitals is shown as a sentence with the number of its norm,
// wherever the pages name it.
func TestNoTitleShouts(t *testing.T) {
	b := browser.Start(t)
	base := serveLaw(t, oddData(t))
	tab := b.Tab(t, browser.Look{})
	const headings = "[document.title,...[...document.querySelectorAll('h1,h2,h3,main a,main dt,main dd,summary')].map(e=>e.textContent)].join('\\n')"
	for page, name := range map[string]string{"/leyes": "Normas (Ley 5)", "/leyes?q=DEC-6": "Poder ejecutivo (Decreto 6/2024)", "/leyes/LEY-5": "Normas (Ley 5)", "/leyes/LEY-5?leer=1": "Normas (Ley 5)", "/leyes/DEC-6-2024": "Poder ejecutivo (Decreto 6/2024)", "/leyes/LEY-5/a1": "Normas (Ley 5)", "/corpus/laboral": "Normas (Ley 5)",
		"?¿Cuántos días de descanso tiene el farero?": "Normas (Ley 5)"} {
		open(tab, base, page)
		said := browser.Eval[string](tab, headings)
		if !strings.Contains(said, name) {
			t.Errorf("%s does not name %q: %.600s", page, name, said)
		}
		for line := range strings.SplitSeq(said, "\n") {
			if letters := strings.Map(func(r rune) rune { return map[bool]rune{true: r, false: -1}[unicode.IsLetter(r)] }, line); len(letters) > 5 && letters == strings.ToUpper(letters) || strings.Contains(line, "PODER EJECUTIVO") || strings.Contains(line, "NORMAS") {
				t.Errorf("%s shouts %q", page, strings.TrimSpace(line))
			}
		}
	}
}

// TestPrintedPage prints an answer and an article: each sheet says of which day and of what
// law it is, that a program wrote it, and where it is found again; nothing to press is on it.
func TestPrintedPage(t *testing.T) {
	b := browser.Start(t)
	base := serveLaw(t, lawData(t, map[string]string{"laboral": "versions"}))
	tab := b.Tab(t, browser.Look{})
	tab.Go(base + "/")
	tab.Type("#q", restQuestion)
	browser.Eval[string](tab, "document.querySelector('select[name=pack]').value='laboral'")
	tab.Leave(func() { tab.Click("form.ask .primary") }, func() { tab.Wait("location.pathname.startsWith('/respuestas/')") })
	printed := func() string {
		t.Helper()
		text, err := ingest.Plain(t.Context(), "hoja.pdf", tab.Print(), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(text), " ")
	}
	holds := func(sheet string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(sheet, part) && !strings.Contains(strings.ReplaceAll(sheet, " ", ""), strings.ReplaceAll(part, " ", "")) {
				t.Errorf("the sheet of %s lacks %q:\n%s", tab.Path(), part, sheet)
			}
		}
		for _, not := range []string{"Preguntar", "Imprimir", "Conversaciones", "Saltar al contenido"} {
			if strings.Contains(sheet, not) {
				t.Errorf("the sheet of %s has %q", tab.Path(), not)
			}
		}
	}
	day := browser.Eval[string](tab, "document.querySelector('.only-print').textContent.match(/ley del (\\d+ \\S+ \\d{4})/)[1]")
	holds(printed(), restQuestion, "Derecho laboral", "ley del "+day, "veinte días", "programa", base+tab.Path())
	tab.Go(base + "/leyes/FARO-1/a2")
	holds(printed(), "Ley 1/2001, de los Faros", "ARTÍCULO 2", "veinte días", "2020", base+"/leyes/FARO-1/a2")
}
