// Package browser drives a headless Chromium in tests: pages are opened, used
// and measured as people use them. Without a browser a test skips and says so.
package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// names are the programs that are tried, in this order.
var names = []string{"chromium", "chromium-browser", "google-chrome", "headless-shell"}

// Look is how a page is looked at. The zero value is a light desktop with scripts.
type Look struct {
	Width, Height int // CSS pixels; 1280 × 900
	Dark          bool
	NoScript      bool
}

// Browser is one running Chromium; its tabs share nothing but the process.
type Browser struct{ ctx context.Context }

// shared is the browser of a test binary: starting one takes a second.
var shared struct {
	sync.Mutex
	browser *Browser
	stop    func()
}

// Start gives the browser that the tests of a binary share, or skips the test when there
// is none. TestMain ends it with [Stop].
func Start(t *testing.T) *Browser {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.browser == nil {
		shared.browser, shared.stop = launch(t)
	}
	return shared.browser
}

// Stop ends the shared browser, if there is one.
func Stop() {
	shared.Lock()
	defer shared.Unlock()
	if shared.browser != nil {
		shared.stop()
		shared.browser = nil
	}
}

// Own runs a browser until the test ends, or skips the test when there is none: keys go
// to one page of a browser only.
func Own(t *testing.T) *Browser {
	t.Helper()
	b, stop := launch(t)
	t.Cleanup(stop)
	return b
}

func launch(t *testing.T) (b *Browser, stop func()) {
	t.Helper()
	program := ""
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			program = p
			break
		}
	}
	if program == "" {
		t.Skip("no chromium on this machine: pages are not tried in a browser")
	}
	alloc, end := chromedp.NewExecAllocator(context.Background(), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.ExecPath(program), chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("hide-scrollbars", true), chromedp.WSURLReadTimeout(60*time.Second))
	ctx, cancel := chromedp.NewContext(alloc)
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		end()
		t.Fatalf("the browser does not start: %v", err)
	}
	return &Browser{ctx}, func() { cancel(); end() }
}

// Tab is a page with cookies and storage of its own.
type Tab struct {
	t   *testing.T
	ctx context.Context
}

// Tab opens a page; it closes with the test.
func (b *Browser) Tab(t *testing.T, l Look) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil { // the first call must not carry a deadline
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(stop)
	tab := &Tab{t, ctx}
	if l.Width == 0 {
		l.Width = 1280
	}
	if l.Height == 0 {
		l.Height = 900
	}
	scheme := "light"
	if l.Dark {
		scheme = "dark"
	}
	tab.Do(chromedp.EmulateViewport(int64(l.Width), int64(l.Height)), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}}
		if _, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, media); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: l.NoScript})
		return err
	}))
	return tab
}

// Do runs steps and ends the test at the first that fails, telling where it stood.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		where, _ := chromedp.Run(b.ctx, chromedp.Location())
		b.t.Fatalf("at %s: %v", where, err)
	}
}

// Go opens an address.
func (b *Tab) Go(url string) { b.t.Helper(); b.Do(chromedp.Navigate(url)) }

// Path is the address shown, without its host.
func (b *Tab) Path() string {
	b.t.Helper()
	return Eval[string](b, "location.pathname+location.search+location.hash")
}

// Eval gives the value of an expression of JavaScript. It works where the scripts of the page do not.
func Eval[T any](b *Tab, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("at %s: %s: %v", where(b), js, err)
	}
	return v
}

func where(b *Tab) string {
	at, _ := chromedp.Run(b.ctx, chromedp.Location())
	return at
}

// Wait goes on when an expression holds, or ends the test after 20 s.
func (b *Tab) Wait(js string) {
	b.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+js+")")); err == nil && ok {
			return
		}
	}
	b.t.Fatalf("at %s it never came true: %s\n%s", where(b), js, b.Text("body"))
}

// Text is the text of the first element of a selector, as it is read; "" when there is none.
func (b *Tab) Text(css string) string {
	b.t.Helper()
	return Eval[string](b, "(document.querySelector("+quote(css)+")?.innerText??'')")
}

// Has says whether a selector finds anything that is shown.
func (b *Tab) Has(css string) bool {
	b.t.Helper()
	return Eval[bool](b, "(e=>!!e&&e.checkVisibility())(document.querySelector("+quote(css)+"))")
}

// Click presses the first element of a selector with the mouse.
func (b *Tab) Click(css string) {
	b.t.Helper()
	b.Wait("document.querySelector(" + quote(css) + ")?.checkVisibility()")
	b.Do(chromedp.Click(chromedp.CSS(css)))
}

// Leave runs what leads to another page and waits until it is there.
func (b *Tab) Leave(steps ...func()) {
	b.t.Helper()
	mark := time.Now().Format("150405.000000000")
	Eval[string](b, "document.documentElement.dataset.mark="+quote(mark))
	for _, s := range steps {
		s()
	}
	b.Wait("document.documentElement.dataset.mark!==" + quote(mark) + "&&document.readyState==='complete'")
}

// Type puts text into the first element of a selector, as an input method does.
func (b *Tab) Type(css, text string) {
	b.t.Helper()
	Eval[bool](b, "(e=>{e.focus();e.value='';return document.activeElement===e})(document.querySelector("+quote(css)+"))")
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// Press sends keys to what has the focus.
func (b *Tab) Press(keys string) { b.t.Helper(); b.Do(chromedp.KeyEvent(keys)) }

// Shot keeps a picture of the whole page in the folder that DIGESTO_SHOTS names, if any.
func (b *Tab) Shot(name string) {
	b.t.Helper()
	dir := os.Getenv("DIGESTO_SHOTS")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// Print gives the page as it is printed, a PDF.
func (b *Tab) Print() []byte {
	b.t.Helper()
	var data []byte
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		out, err := cdp.Call(ctx, t, page.PrintToPDF, page.PrintToPDFParams{})
		data = out.Data
		return err
	}))
	return data
}

// Violation is a rule of axe-core that a page breaks.
type Violation struct {
	ID, Help string
	Nodes    []struct{ HTML, FailureSummary string }
}

// Axe gives what axe-core finds wrong with the page as it stands. ok is false
// when DIGESTO_AXE does not name its file.
func (b *Tab) Axe() (found []Violation, ok bool) {
	b.t.Helper()
	file := os.Getenv("DIGESTO_AXE")
	if file == "" {
		return nil, false
	}
	code, err := os.ReadFile(file)
	if err != nil {
		b.t.Fatal(err)
	}
	Eval[bool](b, string(code)+";true")
	tags := `{runOnly:['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice'],resultTypes:['violations']}`
	out := Eval[string](b, "axe.run(document,"+tags+").then(r=>JSON.stringify(r.violations))")
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		b.t.Fatal(err)
	}
	return found, true
}

// quote writes a string of JavaScript.
func quote(s string) string {
	data, _ := json.Marshal(s)
	return strings.ReplaceAll(string(data), "\u2028", `\u2028`)
}

// Summary names what axe-core found.
func Summary(found []Violation) string {
	var out []string
	for _, v := range found {
		for _, n := range v.Nodes[:min(3, len(v.Nodes))] {
			out = append(out, fmt.Sprintf("%s (%s): %s", v.ID, v.Help, n.HTML))
		}
	}
	return strings.Join(out, "\n")
}

// Focus describes what has the focus: its element, id and class.
func (b *Tab) Focus() string {
	b.t.Helper()
	return Eval[string](b, "(e=>e.tagName.toLowerCase()+'#'+e.id+'.'+e.className)(document.activeElement)")
}

// Spoken is the page as a screen reader has it: a line for each node with a name, by its role.
func (b *Tab) Spoken() (out []string) {
	b.t.Helper()
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		tree, err := cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		if err != nil {
			return err
		}
		for _, n := range tree.Nodes {
			if n.Ignored || n.Role == nil || n.Name == nil {
				continue
			}
			var role, name string
			_ = json.Unmarshal(n.Role.Value, &role)
			if _ = json.Unmarshal(n.Name.Value, &name); name != "" {
				out = append(out, role+" "+name)
			}
		}
		return nil
	}))
	return out
}

// TabTo presses Tab until the focus is on what the selector finds, and proves
// that the focus can be seen there.
func (b *Tab) TabTo(css string) {
	b.t.Helper()
	for range 150 {
		if Eval[bool](b, "document.activeElement.matches("+quote(css)+")") {
			if !Eval[bool](b, "(e=>[e,e.closest('label,form')].some(x=>x&&(s=>s.outlineStyle!=='none'&&parseFloat(s.outlineWidth)>=2)(getComputedStyle(x))))(document.activeElement)") {
				b.t.Errorf("at %s: no outline shows the focus on %s", where(b), css)
			}
			return
		}
		b.Press("\t")
	}
	b.t.Fatalf("at %s: Tab never reaches %s", where(b), css)
}

// Media shows the page as another medium does ("print"); "" = the screen again.
func (b *Tab) Media(name string) {
	b.t.Helper()
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name})
		return err
	}))
}
