package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"digesto/internal/browser"
	"digesto/internal/long"
)

// person does what a person does on a page, in one of the ways people have: with the
// mouse, with the keyboard alone, or in a browser without scripts.
type person struct {
	t     *testing.T
	tab   *browser.Tab
	base  string
	keys  bool // the keyboard alone
	look  browser.Look
	steps int
	found string // address of the first answer
}

// press activates a link, a button or a summary; what leads to another page is waited for.
func (p *person) press(css string, leaves bool) {
	p.t.Helper()
	p.steps++
	do := func() {
		if p.keys {
			p.tab.TabTo(css)
			p.tab.Press("\r")
			return
		}
		p.tab.Click(css)
	}
	if leaves {
		p.tab.Leave(do)
	} else {
		do()
	}
}

// submit sends a question and waits for the page of its answer.
func (p *person) submit(css string) {
	p.t.Helper()
	p.steps++
	before := p.tab.Path()
	p.tab.Leave(func() {
		if p.keys {
			p.tab.TabTo(css)
			p.tab.Press("\r")
		} else {
			p.tab.Click(css)
		}
	}, func() { p.tab.Wait("(location.pathname+location.search+location.hash)!==" + fmt.Sprintf("%q", before)) })
}

func (p *person) write(css, text string) {
	p.t.Helper()
	p.steps++
	if p.keys {
		p.tab.TabTo(css)
	}
	p.tab.Type(css, text)
}

// menu goes to a page by the menu, opened first where it is folded.
func (p *person) menu(path string) {
	p.t.Helper()
	if p.look.Width < 1152 {
		p.press(".menu-open", false)
	}
	p.press(".menu a[href='"+path+"']", true)
}

// choose sets a list to an option that begins so.
func (p *person) choose(css, value, begins string) {
	p.t.Helper()
	p.steps++
	if p.keys {
		p.tab.TabTo(css)
		for _, r := range begins {
			p.tab.Press(string(r))
		}
	} else {
		browser.Eval[string](p.tab, "document.querySelector("+fmt.Sprintf("%q", css)+").value="+fmt.Sprintf("%q", value))
	}
	if got := browser.Eval[string](p.tab, "document.querySelector("+fmt.Sprintf("%q", css)+").value"); got != value {
		p.t.Errorf("%s is %q, not %q", css, got, value)
	}
}

func (p *person) sees(css string, parts ...string) {
	p.t.Helper()
	if !p.tab.Has(css) {
		p.t.Errorf("%s is not shown at %s", css, p.tab.Path())
		return
	}
	for _, x := range parts {
		if got := p.tab.Text(css); !strings.Contains(got, x) {
			p.t.Errorf("at %s, %s says %q, not %q", p.tab.Path(), css, got, x)
		}
	}
}

// inView says whether something can be seen without scrolling.
const inView = "(e=>{if(!e||!e.checkVisibility())return false;const r=e.getBoundingClientRect();return r.top<innerHeight&&r.bottom>0})(document.querySelector(%q))"

const restQuestion = "¿Cuántos días de descanso tiene el farero?"

// tasks are what people come for, each with how it is done.
var tasks = []struct {
	name string
	do   func(*person)
}{
	{"averiguar cuántos días", func(p *person) {
		p.tab.Go(p.base + "/")
		p.write("#q", restQuestion)
		p.choose("select[name=pack]", "laboral", "derecho l")
		if p.keys && !p.look.NoScript { // Enter sends
			p.steps++
			p.tab.TabTo("#q")
			p.tab.Leave(func() { p.tab.Press("\r") }, func() { p.tab.Wait("location.pathname.startsWith('/respuestas/')") })
		} else {
			p.submit("form.ask .primary")
		}
		p.found = p.tab.Path()
		p.sees(".ladder", "veinte días")
		p.sees(".signals", "¿Está en la ley?", "¿Responde a su pregunta?")
	}},
	{"comprobarlo", func(p *person) {
		if p.look.Width < 960 && !p.look.NoScript {
			p.press(".ladder .cite", false)
			p.tab.Wait("document.querySelector('dialog.sheet mark')?.checkVisibility()")
			p.press("dialog.sheet > .btn", false)
			return
		}
		p.press(".ladder .cite", false)
		p.tab.Wait(fmt.Sprintf(inView, "#cita-1"))
		p.sees("#cita-1", "veinte días")
	}},
	{"ver el artículo", func(p *person) {
		p.press("#fuente-1 h3 a", true)
		p.tab.Wait(fmt.Sprintf(inView, "#cita"))
		p.sees("#cita", "veinte días")
	}},
	{"repreguntar", func(p *person) {
		p.steps++
		p.tab.Go(p.base + "/conversaciones")
		p.press(".asks a", true)
		p.write("#seguir", "¿y qué regula la ley de los faros?")
		p.submit("article > form:last-of-type .primary")
		p.sees(".before", restQuestion)
	}},
	{"cambiar de país", func(p *person) {
		p.press(".taken summary", false)
		p.choose("#cambiar-donde", "argentina", "derecho a")
		p.submit(".change-form .btn")
		if got := browser.Eval[string](p.tab, "document.querySelector('#cambiar-donde')?.value||document.querySelector('[name=pack]')?.value"); got != "argentina" {
			p.t.Errorf("the country is %q", got)
		}
	}},
	{"revisar una carta", func(p *person) {
		p.menu("/verificar")
		p.write("#texto", "Según el artículo 2 de la Ley 1/2001, de los Faros: «El farero tiene veinte días de descanso al año.»")
		p.press("main .btn.primary", true)
		p.sees(".checked .v.is-ok", "veinte días")
	}},
	{"calcular", func(p *person) {
		p.menu("/jus")
		p.press(".tabs a[href='/jus?op=convertir']", true)
		p.write("#amount", "12")
		p.write("#when", "2025-06-30")
		p.press("main .btn.primary", true)
		p.sees(".result output", "$")
	}},
	{"imprimir", func(p *person) {
		p.steps++
		p.tab.Go(p.base + "/conversaciones")
		p.press("section:last-of-type .asks li:last-child a", true)
		p.press(".turn a[href^='/conversaciones/']", true)
		p.tab.Media("print")
		defer p.tab.Media("")
		p.sees(".only-print", "ley del")
		for _, css := range []string{".menu", ".after", "form.ask"} {
			if p.tab.Has(css) {
				p.t.Errorf("%s is printed", css)
			}
		}
		p.sees("#cita-1", "veinte días")
	}},
	{"volver mañana", nil}, // the server is started again
	{"preguntar por un contrato", func(p *person) {
		p.steps++
		p.tab.Go(p.base + "/documento")
		p.write("#pega", "CONTRATO\nPrimera. El farero cuidará la lámpara.\nSegunda. El periodo de prueba será de seis meses.")
		p.press("main .btn.primary", true)
		p.write("#q", "¿Cuánto dura el periodo de prueba en este contrato?")
		p.press("form.ask .primary", true)
		p.sees(".ladder", "seis meses")
		p.press("button[value=borrar]", true)
		p.sees("main", "no queda nada")
	}},
}

// TestTenTasks does what people come for as they do it, wide and narrow, with the mouse,
// the keyboard alone and without scripts, and prints how many steps and seconds each took:
//
//	DIGESTO_LONG=1 go test ./cmd/digesto -run TestTenTasks -v
func TestTenTasks(t *testing.T) {
	b := browser.Start(t)
	var table strings.Builder
	rows := map[string]string{} // by task and way
	var names []string
	ways := map[string]person{
		"ratón 1280": {}, "ratón 390": {look: browser.Look{Width: 390, Height: 844}},
		"teclado 1280": {keys: true}, "teclado 390": {keys: true, look: browser.Look{Width: 390, Height: 844}},
		"sin script 1280": {look: browser.Look{NoScript: true}}, "sin script 390": {look: browser.Look{Width: 390, Height: 844, NoScript: true}},
	}
	order := []string{"ratón 1280", "ratón 390", "teclado 1280", "teclado 390", "sin script 1280", "sin script 390"}
	chosen := long.Some(ways, "ratón 390", "sin script 390")
	for _, name := range order {
		way, ok := chosen[name]
		if !ok {
			continue
		}
		names = append(names, name)
		t.Run(name, func(t *testing.T) {
			data := lawData(t, map[string]string{"laboral": "versions", "argentina": "conversation"})
			base, stop := serveUntil(t, data)
			p := way
			if p.look.Width == 0 {
				p.look.Width = 1280
			}
			p.t, p.base = t, base
			p.tab = b.Tab(t, p.look)
			for _, task := range tasks {
				p.steps = 0
				began := time.Now()
				if task.do == nil {
					stop()
					p.base, stop = serveUntil(t, data)
					p.steps++
					p.tab.Go(p.base + "/conversaciones")
					p.press("section:last-of-type .asks li:last-child a", true)
					p.press(".turn a[href^='/conversaciones/']", true)
					p.sees(".ladder", "veinte días")
					p.steps++
					p.tab.Go(p.base + p.found)
					p.sees(".ladder", "veinte días")
				} else {
					task.do(&p)
				}
				rows[task.name+name] = fmt.Sprintf("%d · %.1f s", p.steps, time.Since(began).Seconds())
			}
			stop()
		})
	}
	w := tabwriter.NewWriter(&table, 2, 8, 2, ' ', 0)
	fmt.Fprintln(w, "tarea (pasos · segundos)\t"+strings.Join(names, "\t"))
	for _, task := range tasks {
		line := task.name
		for _, name := range names {
			line += "\t" + rows[task.name+name]
		}
		fmt.Fprintln(w, line)
	}
	w.Flush()
	t.Log("\n" + table.String())
}

// serveUntil runs `digesto serve` in process until it is stopped.
func serveUntil(t *testing.T, data string) (base string, stop func()) {
	t.Helper()
	var out, errs syncBuffer
	e := env{in: strings.NewReader(""), out: &out, err: &errs, lookup: func(k string) (string, bool) { return data, k == "DIGESTO_DATA" }}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() { done <- run(ctx, []string{"serve", "--addr", "127.0.0.1:0"}, e) }()
	ended := false
	stop = func() {
		if ended {
			return
		}
		ended = true
		cancel()
		if code := <-done; code != 0 {
			t.Errorf("serve ends with %d: %s", code, errs.String())
		}
	}
	t.Cleanup(stop)
	url := regexp.MustCompile(`http://\S+`)
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if u := url.FindString(out.String()); u != "" {
			return u, stop
		}
	}
	t.Fatal("no address: " + errs.String())
	return "", stop
}
