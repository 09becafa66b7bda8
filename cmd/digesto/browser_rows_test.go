package main

import (
	"strings"
	"testing"

	"digesto/internal/browser"
)

// TestRowsInTheBrowser holds what only a browser shows: where a page opens, what stretches,
// where the focus goes, what Enter does.
func TestRowsInTheBrowser(t *testing.T) {
	b := browser.Own(t)
	base := serveLaw(t, lawData(t, map[string]string{"laboral": "versions", "argentina": "conversation"}))
	tab := b.Tab(t, browser.Look{})

	tab.Go(base + "/") // nothing typed: the browser itself says so, and nothing is sent
	if browser.Eval[bool](tab, "document.querySelector('form.ask').checkValidity()") {
		t.Error("an empty question may be sent")
	}
	tab.Type("#q", restQuestion)
	tab.TabTo("#q")
	tab.Leave(func() { tab.Press("\r") }, func() { tab.Wait("location.pathname.startsWith('/respuestas/')") })

	// The sources are folded: the panel beside a short answer does not stretch the page.
	if tall := browser.Eval[float64](tab, "document.querySelector('aside.margin .source').getBoundingClientRect().height"); tall > 420 {
		t.Errorf("a source is %.0f px high before it is opened", tall)
	}
	if n := browser.Eval[int](tab, "document.querySelectorAll('aside.margin .source details[open]').length"); n != 0 {
		t.Errorf("%d sources are open", n)
	}

	// The article opens at the sentence, marked.
	tab.Leave(func() { tab.Click("#fuente-1 h3 a") }, func() { tab.Wait("location.pathname.startsWith('/leyes/')") })
	if !strings.Contains(tab.Path(), "#cita") || !browser.Eval[bool](tab, "(r=>r.top>=0&&r.bottom<=innerHeight)(document.querySelector('mark#cita').getBoundingClientRect())") {
		t.Errorf("%s does not open at the sentence", tab.Path())
	}

	// A mistake in a form takes the focus, and leads to its field.
	tab.Go(base + "/jus?op=convertir&amount=ayer")
	tab.Wait("document.activeElement.getAttribute('role')==='alert'") // autofocus acts when the page is drawn, after it has loaded
	if !tab.Has("[role=alert] a[href='#amount']") || !tab.Has("#amount[aria-invalid=true]") {
		t.Error("the summary does not lead to the field")
	}

	// A calculation leads to its form, filled in with what was told; changed there, it is done again.
	tab.Go(base + "/")
	tab.Type("#q", "Me despidieron el 3 de noviembre de 2026, ¿hasta qué día puedo demandar?")
	browser.Eval[string](tab, "document.querySelector('select[name=pack]').value='laboral'")
	tab.Leave(func() { tab.Click("form.ask .primary") }, func() { tab.Wait("location.pathname.startsWith('/respuestas/')") })
	tab.Leave(func() { tab.Click("article a[href^='/laboral?']") }, func() { tab.Wait("location.pathname==='/laboral'") })
	if day := browser.Eval[string](tab, "document.querySelector('#c-desde').value+' '+document.querySelector('#c-tipo').value"); day != "2026-11-03 despido" || !tab.Has(".result output") {
		t.Errorf("the form holds %q", day)
	}
	tab.Go(base + "/laboral?op=despido&desde=2020-01-01") // what lacks is told at the top, beside its field, by the name that people see
	tab.Wait("document.activeElement.getAttribute('role')==='alert'")
	if said := tab.Text("[role=alert]"); !tab.Has("[role=alert] a[href='#c-hasta']") || !tab.Has("#c-hasta[aria-invalid=true]") || strings.Contains(said, "AAAA") || strings.Contains(said, "«hasta»") {
		t.Errorf("the mistake is told as %q", said)
	}
	tab.Go(base + "/laboral?op=despido&desde=2020-01-01&faltan=1") // filled in by a question as far as it went: no mistake yet
	if tab.Has("[role=alert]") {
		t.Error("what a question did not say is told as a mistake")
	}

	// Buttons of a clarification say words of people.
	tab.Go(base + "/")
	tab.Type("#q", "háblame de contratos")
	browser.Eval[string](tab, "document.querySelector('select[name=pack]').value='argentina'")
	tab.Leave(func() { tab.Click("form.ask .primary") }, func() { tab.Wait("location.pathname.startsWith('/respuestas/')") })
	said := browser.Eval[string](tab, "[...document.querySelectorAll('.option')].map(o=>o.innerText).join('|')")
	if !strings.Contains(said, "|") || strings.ContainsAny(said, "_/") {
		t.Errorf("options: %s", said)
	}
}
