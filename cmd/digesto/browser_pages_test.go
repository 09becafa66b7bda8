package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto/internal/browser"
	"digesto/internal/long"
)

// pagesToTry are the addresses of every kind of page over the law of TestPages;
// "?" begins a question, asked in the home page.
var pagesToTry = []string{"/", "/?pack=laboral&question=hola", "?¿Cuántos días de descanso tiene el farero?", "?háblame de contratos", "?¿Cuántas lunas tiene el planeta Zork?",
	"/leyes", "/leyes?q=nada+se+llama+así", "/leyes/FARO-1", "/leyes/FARO-1/a2", "/leyes/FARO-1/a2?version=2001", "/corpus", "/leyes?pack=laboral&territory=es", "/evaluacion", "/admin", "/admin/entrar", "/analitica?all=true", "/registro", "/verificar", "/conversaciones", "/conversaciones?state=deleted", "/analitica", "/ayuda", "/docs", "/documento", "/leyes/FARO-1?leer=1", "/leyes/FARO-1/a2?quote=veinte+días", "/leyes?q=descanso",
	"/jus", "/jus?op=convertir&amount=x", "/jus?op=presupuesto&item=divorcio_bilateral&qty=1", "/jus?op=comparar&from=2024-01-01", "/laboral", "/laboral?op=despido&desde=2020-01-01&hasta=2024-06-30&salario=1800&pagas=14&tipo=improcedente", "/laboral?op=paro&cotizados=x", "/nada"}

// TestPages opens every page by day, by night and on a narrow screen (without
// DIGESTO_LONG, every second one and only there): nothing
// is wider than the screen, nothing jumps, and axe-core finds nothing.
func TestPages(t *testing.T) {
	b := browser.Start(t)
	base := serveLaw(t, lawData(t, map[string]string{"laboral": "versions", "argentina": "conversation"}))
	if os.Getenv("DIGESTO_AXE") == "" {
		t.Log("DIGESTO_AXE does not name axe.min.js: axe-core is left out")
	}
	for name, look := range long.Some(map[string]browser.Look{"light": {}, "dark": {Dark: true}, "narrow": {Width: 320, Height: 640}}, "narrow") {
		t.Run(name, func(t *testing.T) {
			tab := b.Tab(t, look)
			for k, page := range pagesToTry {
				if k%2 == 1 && !long.Wanted() {
					continue
				}
				open(tab, base, page)
				checkPage(t, tab, page)
				if strings.HasPrefix(page, "/laboral?op=despido") {
					tab.Shot("laboral-" + name)
				}
			}
			last := browser.Eval[string](tab, "fetch('/v1/conversations').then(r=>r.json()).then(j=>j.conversations[0]?.id||'')")
			if last == "" {
				t.Fatal("no conversation is kept")
			}
			tab.Go(base + "/conversaciones/" + last)
			checkPage(t, tab, "a conversation")
			tab.Go(base + "/conversaciones/" + last + "/2")
			checkPage(t, tab, "an answer of a conversation")
		})
	}
}

func open(tab *browser.Tab, base, page string) {
	question, ok := strings.CutPrefix(page, "?")
	if !ok {
		tab.Go(base + page)
		return
	}
	tab.Go(base + "/")
	tab.Type("#q", question)
	tab.Leave(func() { tab.Click("form.ask .primary") }, func() { tab.Wait("location.pathname!=='/'") })
}

func checkPage(t *testing.T, tab *browser.Tab, page string) {
	t.Helper()
	if wide := browser.Eval[int](tab, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
		t.Errorf("%s: %d px wider than the screen", page, wide)
	}
	if n := browser.Eval[int](tab, "document.querySelectorAll('h1').length"); n != 1 {
		t.Errorf("%s: %d headings of the first level", page, n)
	}
	if n := browser.Eval[int](tab, "[...performance.getEntriesByType('navigation'),...performance.getEntriesByType('resource')].filter(e=>e.name.startsWith(location.origin)).reduce((n,e)=>n+e.encodedBodySize,0)"); n > 100_000 {
		t.Errorf("%s: %d bytes at first view", page, n)
	}
	shift := browser.Eval[float64](tab, layoutShift)
	if shift > 0.01 { // a machine that is held up gets a page in pieces: a fault jumps again
		tab.Go(browser.Eval[string](tab, "location.href"))
		shift = min(shift, browser.Eval[float64](tab, layoutShift))
	}
	if shift > 0.01 {
		t.Errorf("%s: what is on the screen jumps by %.3f", page, shift)
	}
	if found, _ := tab.Axe(); len(found) > 0 {
		t.Errorf("%s: %s", page, browser.Summary(found))
	}
}

const layoutShift = `new Promise(done=>{let n=0;try{new PerformanceObserver(l=>{for(const e of l.getEntries())if(!e.hadRecentInput)n+=e.value}).observe({type:'layout-shift',buffered:true})}catch{}setTimeout(()=>done(n),30)})`

// TestFirstView prints what the ask page costs a browser that sees it for the
// first time, as Lighthouse does, and holds it to its budget of 60 KB:
//
//	go test ./cmd/digesto -run TestFirstView -v
func TestFirstView(t *testing.T) {
	b := browser.Start(t)
	base := serveLaw(t, lawData(t, map[string]string{"laboral": "versions"}))
	tab := b.Tab(t, browser.Look{Width: 360, Height: 740})
	tab.Go(base + "/")
	var f struct {
		Requests                                int
		Bytes, Paint, Content, DOM, Load, Shift float64
	}
	out := browser.Eval[string](tab, `(async()=>{
		const all=[...performance.getEntriesByType('navigation'),...performance.getEntriesByType('resource')], nav=all[0];
		const paint=n=>performance.getEntriesByName(n)[0]?.startTime||0;
		return JSON.stringify({Requests:all.length,Bytes:all.reduce((n,e)=>n+e.transferSize,0),Paint:paint('first-paint'),Content:paint('first-contentful-paint'),
			DOM:nav.domContentLoadedEventEnd,Load:nav.loadEventEnd,Shift:await `+layoutShift+`})})()`)
	if err := json.Unmarshal([]byte(out), &f); err != nil {
		t.Fatal(err)
	}
	t.Logf("ask page, first view at 360 px: %.1f KB in %d requests; first paint %.0f ms, first content %.0f ms, DOM ready %.0f ms, loaded %.0f ms; layout shift %.3f",
		f.Bytes/1000, f.Requests, f.Paint, f.Content, f.DOM, f.Load, f.Shift)
	if f.Bytes > 60e3 || f.Bytes < 5e3 || f.Requests > 5 || f.Shift > 0.01 {
		t.Errorf("above the budget of 60 KB, 5 requests and no shift: %+v", f)
	}
}

// TestBrowserClarifies puts the three use cases of contextual clarification in
// the browser: a clear question, a vague one with its buttons, and small talk.
func TestBrowserClarifies(t *testing.T) {
	b := browser.Start(t)
	base := serveLaw(t, lawData(t, map[string]string{"argentina": "conversation"}))
	for name, look := range long.Some(map[string]browser.Look{"scripts": {}, "noscript": {NoScript: true}}, "scripts") {
		t.Run(name, func(t *testing.T) {
			tab := b.Tab(t, look)
			ask := func(question string) {
				tab.Go(base + "/")
				tab.Type("#q", question)
				browser.Eval[string](tab, "document.querySelector('select[name=pack]').value='argentina'")
				tab.Leave(func() { tab.Click("form.ask .primary") }, func() { tab.Wait("location.pathname!=='/'") })
			}
			ask("háblame de alimentos")
			if !tab.Has("#fuente-1") {
				t.Errorf("a clear question is not answered: %s", tab.Text("main"))
			}
			ask("háblame de contratos")
			if n := browser.Eval[int](tab, "document.querySelectorAll('.option').length"); n < 2 || tab.Has("#fuente-1") {
				t.Fatalf("%d options: %s", n, tab.Text("main"))
			}
			if text := tab.Text("main"); strings.Contains(text, "CLARIFICATION") {
				t.Error(text)
			}
			asked := tab.Path()
			tab.Leave(func() { tab.Click(".option") }, func() { tab.Wait("location.pathname!=='" + asked + "'") })
			if got := proofOf(tab); !strings.Contains(got, "acuerdo de voluntades") {
				t.Errorf("the chosen option leads to %s", tab.Text("main"))
			}
			ask("quien sos?")
			if text := tab.Text("main"); !strings.Contains(text, "asistente de derecho argentino") || strings.Contains(text, "NON-LEGAL") || tab.Has("#fuente-1") {
				t.Errorf("small talk: %s", text)
			}
		})
	}
}

// TestLongListOfLaw opens the list of a library of many norms: its first view is as
// light as the ask page, it narrows itself as one types, says so, and the keyboard
// alone and a browser without scripts get to the same.
func TestLongListOfLaw(t *testing.T) {
	b := browser.Start(t)
	data := t.TempDir()
	file := filepath.Join(t.TempDir(), "muchas.jsonl")
	var law strings.Builder
	for k := range 140 {
		fmt.Fprintf(&law, `{"_id":"FARO-%03d/a1","title":"Artículo 1. Objeto","text":"Esta ley regula el faro número %d.","metadata":{"norm":"FARO-%03d","norm_title":"Ley %d/2001, del Faro de la Punta número %d y de las obligaciones de quien lo cuida","rank":"ley","jurisdiction":"%s","unit":"a1","version":"2001","valid_from":"2001-01-01"}}`+"\n", k, k, k, k, k, []string{"es", "pe"}[k%2])
	}
	if err := os.WriteFile(file, []byte(law.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(t.Context(), []string{"corpus", "add", file, "--pack", "laboral"}, e); code != 0 {
		t.Fatal(errs)
	}
	base := serveLaw(t, data)
	rows := "document.querySelectorAll('#normas>ul>li').length"
	for name, look := range long.Some(map[string]browser.Look{"wide": {}, "narrow": {Width: 320, Height: 640, Dark: true}}, "narrow") {
		t.Run(name, func(t *testing.T) {
			tab := b.Tab(t, look)
			tab.Go(base + "/leyes")
			checkPage(t, tab, "the list")
			if n := browser.Eval[int](tab, "[...performance.getEntriesByType('navigation'),...performance.getEntriesByType('resource')].reduce((n,e)=>n+e.transferSize,0)"); n > 60_000 || n < 5000 {
				t.Errorf("%d bytes at first view", n)
			}
			if n := browser.Eval[int](tab, rows); n != 30 {
				t.Errorf("%d norms on the first page", n)
			}
			tab.TabTo("form[role=search] input[type=search]")
			tab.Press("número 77")
			tab.Wait(rows + "===1")
			if got := tab.Text("#normas"); !strings.Contains(got, "número 77") {
				t.Error(got)
			}
			tab.Wait("document.querySelector('#aviso').textContent==='1 norma'")
			if at := browser.Eval[string](tab, "location.search+' '+document.activeElement.name"); !strings.Contains(at, "77") || !strings.HasSuffix(at, " q") {
				t.Errorf("the address and the focus after typing: %s", at)
			}
			checkPage(t, tab, "the list narrowed")
			tab.Go(base + "/leyes?page=3")
			checkPage(t, tab, "the third page")
			tab.TabTo("nav.pager a[rel=next]")
			tab.Leave(func() { tab.Press("\r") }, func() { tab.Wait("location.search.includes('page=4')") })
		})
	}
	tab := b.Tab(t, browser.Look{NoScript: true})
	tab.Go(base + "/leyes")
	tab.Type("form[role=search] input[type=search]", "número 77")
	tab.Leave(func() { tab.Click("form[role=search] button") }, func() { tab.Wait("location.search.includes('77')") })
	if n := browser.Eval[int](tab, rows); n != 1 {
		t.Errorf("without scripts %d norms are found: %s", n, tab.Text("#normas"))
	}
}
