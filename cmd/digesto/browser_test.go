package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"digesto/internal/browser"
	"digesto/internal/long"

	"github.com/rogpeppe/go-internal/txtar"
)

// lawData installs the made-up law of scripts in a folder of its own.
func lawData(t *testing.T, packs map[string]string) string {
	t.Helper()
	data := t.TempDir()
	for pack, script := range packs {
		ar, err := txtar.ParseFile(filepath.Join("testdata", "script", script+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for _, f := range ar.Files {
			name := filepath.Join(dir, filepath.Base(f.Name))
			if err := os.WriteFile(name, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": data})
		if code := run(context.Background(), []string{"corpus", "add", dir, "--pack", pack}, e); code != 0 {
			t.Fatal(errs)
		}
	}
	return data
}

// serveLaw runs `digesto serve` in process over a data folder and gives its address.
func serveLaw(t *testing.T, data string, more ...string) string {
	t.Helper()
	return serveApp(t, nil, map[string]string{"DIGESTO_DATA": data}, more...)
}

// serveApp runs `digesto serve` in process with an environment, changed first if
// change is not nil.
func serveApp(t *testing.T, change func(*program), vars map[string]string, more ...string) string {
	t.Helper()
	var out, errs syncBuffer
	e := env{in: strings.NewReader(""), out: &out, err: &errs, lookup: func(k string) (string, bool) { v, ok := vars[k]; return v, ok }}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	a := newApp(ctx, e)
	if change != nil {
		change(a)
	}
	go func() { done <- a.exit(a.dispatch(append([]string{"serve", "--addr", "127.0.0.1:0"}, more...))) }()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != 0 {
			t.Errorf("serve ends with %d: %s", code, errs.String())
		}
	})
	url := regexp.MustCompile(`http://\S+`)
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if u := url.FindString(out.String()); u != "" {
			return u
		}
	}
	t.Fatal("no address: " + errs.String())
	return ""
}

// TestBrowserPath goes the whole way of a reader (question, source, versions,
// a text verified, the calculator) as different readers do.
func TestBrowserPath(t *testing.T) {
	b := browser.Start(t)
	base := serveLaw(t, lawData(t, map[string]string{"laboral": "versions"}))
	for name, look := range long.Some(map[string]browser.Look{
		"desktop":     {},
		"dark":        {Dark: true},
		"narrow":      {Width: 320, Height: 640},
		"noscript":    {NoScript: true},
		"noscript320": {Width: 320, Height: 640, NoScript: true},
	}, "noscript320") {
		t.Run(name, func(t *testing.T) { walk(t, b.Tab(t, look), base, look) })
	}
	t.Run("keyboard", func(t *testing.T) { walkByKeys(t, b.Tab(t, browser.Look{}), base) })
}

func walk(t *testing.T, tab *browser.Tab, base string, look browser.Look) {
	tab.Go(base + "/")
	if look.Dark {
		if bg := browser.Eval[string](tab, "getComputedStyle(document.body).backgroundColor"); bg != "rgb(16, 22, 19)" {
			t.Errorf("the paper is %s in the dark", bg)
		}
	}
	tab.Type("#q", "¿Cuántos días de descanso tiene el farero?")
	browser.Eval[string](tab, "document.querySelector('select[name=pack]').value='laboral'")
	tab.Leave(func() { tab.Click("form.ask .primary") }, func() { tab.Wait("location.pathname.startsWith('/respuestas/')") })
	answered(t, tab)

	if look.Width == 320 && !look.NoScript { // the source opens as a sheet and gives the focus back
		tab.Click(".gist .cite")
		tab.Wait("document.querySelector('dialog.sheet')?.open")
		tab.Click("dialog.sheet > .btn")
		tab.Wait("!document.querySelector('dialog.sheet')&&document.activeElement.matches('.cite')")
	} else {
		tab.Click(".gist .cite")
		tab.Wait("document.querySelector('#cita-1').matches(':target')")
	}
	tab.Leave(func() { tab.Click("#fuente-1 h3 a") })
	versions(t, tab)

	menu(tab, look, "/verificar")
	tab.Type("#texto", "Según el artículo 2 de la Ley 1/2001, de los Faros: «El farero tiene veinte días de descanso al año.»")
	tab.Leave(func() { tab.Click("main .btn.primary") })
	verified(t, tab)

	menu(tab, look, "/jus")
	tab.Leave(func() { tab.Click(".tabs a[href='/jus?op=convertir']") })
	tab.Type("#amount", "12")
	tab.Type("#when", "2025-06-30")
	tab.Leave(func() { tab.Click("main .btn.primary") })
	if got := tab.Text(".result output"); !strings.Contains(got, "$") {
		t.Errorf("the calculator says %q", got)
	}
	if wide := browser.Eval[int](tab, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
		t.Errorf("%d px wider than the screen", wide)
	}
}

// menu goes to a page by the menu, opened first where it is folded.
func menu(tab *browser.Tab, look browser.Look, path string) {
	if look.Width == 320 {
		tab.Click(".menu-open")
	}
	tab.Leave(func() { tab.Click(".menu a[href='" + path + "']") })
}

// proofOf is what the first source marks, folded or not.
func proofOf(tab *browser.Tab) string {
	return browser.Eval[string](tab, "document.querySelector('#cita-1')?.textContent??''")
}

func answered(t *testing.T, tab *browser.Tab) {
	t.Helper()
	if got := proofOf(tab); !strings.Contains(got, "veinte días") {
		t.Errorf("the source marks %q", got)
	}
	if got := tab.Text(".gist"); !strings.Contains(got, "veinte días") {
		t.Errorf("the answer says %q", got)
	}
}

// versions looks at both wordings of the article and at what changed.
func versions(t *testing.T, tab *browser.Tab) {
	t.Helper()
	if ins, del := tab.Text("#diferencias ~ .art ins"), tab.Text("#diferencias ~ .art del"); !strings.Contains(ins, "veinte") || !strings.Contains(del, "diez") {
		t.Errorf("what changed: +%q -%q", ins, del)
	}
	tab.Leave(func() { tab.Click(".timeline a[href*='version=2001']") })
	if got := tab.Text(".art"); !strings.Contains(got, "diez días") {
		t.Errorf("the old wording is %q", got)
	}
	if got := tab.Text("header .badge"); got != "Texto anterior" {
		t.Errorf("its seal says %q", got)
	}
}

func verified(t *testing.T, tab *browser.Tab) {
	t.Helper()
	if n := browser.Eval[int](tab, "document.querySelectorAll('.checked .v.is-ok').length"); n == 0 {
		t.Errorf("nothing is held up: %s", tab.Text("main"))
	}
}

// walkByKeys goes the same way without a mouse.
func walkByKeys(t *testing.T, tab *browser.Tab, base string) {
	tab.Go(base + "/")
	tab.Press("\t")
	if got := tab.Focus(); !strings.Contains(got, "skip") {
		t.Errorf("the first stop is %s", got)
	}
	tab.Press("\r")
	tab.Wait("location.hash==='#contenido'")
	tab.Press("/")
	tab.Wait("document.activeElement.id==='q'")
	tab.Type("#q", "¿Cuántos días de descanso tiene el farero?")
	tab.TabTo("select[name=pack]")
	tab.Press("d")
	tab.Press("e")
	tab.Press("r")
	tab.Press("e")
	tab.Press("c")
	tab.Press("h")
	tab.Press("o")
	tab.Press(" ")
	tab.Press("l")
	tab.TabTo("form.ask .primary")
	tab.Leave(func() { tab.Press("\r") }, func() { tab.Wait("location.pathname.startsWith('/respuestas/')") })
	answered(t, tab)
	tab.TabTo(".gist .cite")
	tab.Press("\r")
	tab.Wait("document.querySelector('#cita-1').matches(':target')&&document.querySelector('#cita-1').checkVisibility()")
	tab.TabTo("#fuente-1 h3 a")
	tab.Leave(func() { tab.Press("\r") })
	if got := tab.Text("#diferencias ~ .art ins"); !strings.Contains(got, "veinte") {
		t.Errorf("what changed: %q", got)
	}
	tab.TabTo(".menu a[href='/verificar']")
	tab.Leave(func() { tab.Press("\r") })
	tab.TabTo("#texto")
	tab.Type("#texto", "Según el artículo 2 de la Ley 1/2001, de los Faros: «El farero tiene veinte días de descanso al año.»")
	tab.TabTo("main .btn.primary")
	tab.Leave(func() { tab.Press("\r") })
	verified(t, tab)
	tab.TabTo(".menu a[href='/jus']")
	tab.Leave(func() { tab.Press("\r") })
	tab.TabTo("#when")
	tab.Type("#when", "2025-06-30")
	tab.Leave(func() { tab.Press("\r") })
	if got := tab.Text(".result output"); !strings.Contains(got, "$") {
		t.Errorf("the calculator says %q", got)
	}
}
