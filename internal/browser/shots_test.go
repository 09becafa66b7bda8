package browser

import (
	"os"
	"strings"
	"testing"
)

// TestShots takes pictures of the pages of a server that runs elsewhere, in
// four looks, for a person to look at:
//
//	DIGESTO_URL=http://127.0.0.1:8080 DIGESTO_SHOTS=/dir go test ./internal/browser -run TestShots
//
// DIGESTO_PAGES is what to open: "name=/path" or "name=?question", separated by lines.
func TestShots(t *testing.T) {
	base, pages := os.Getenv("DIGESTO_URL"), os.Getenv("DIGESTO_PAGES")
	if base == "" || os.Getenv("DIGESTO_SHOTS") == "" {
		t.Skip("DIGESTO_URL and DIGESTO_SHOTS name no server and no folder")
	}
	if pages == "" {
		pages = "inicio=/\nleyes=/leyes\ncorpus=/corpus\nverificar=/verificar\njus=/jus\nconversaciones=/conversaciones"
	}
	b := Start(t)
	looks := map[string]Look{"claro-1280": {}, "oscuro-1280": {Dark: true}, "claro-390": {Width: 390, Height: 844}, "oscuro-390": {Width: 390, Height: 844, Dark: true}, "claro-320": {Width: 320, Height: 700}, "oscuro-320": {Width: 320, Height: 700, Dark: true}}
	for name, look := range looks {
		if only := os.Getenv("DIGESTO_LOOKS"); only != "" && !strings.Contains(only, name) {
			continue
		}
		tab := b.Tab(t, look)
		for line := range strings.SplitSeq(pages, "\n") {
			page, path, _ := strings.Cut(strings.TrimSpace(line), "=")
			if question, ok := strings.CutPrefix(path, "?"); ok {
				tab.Go(base + "/")
				tab.Type("#q", question)
				tab.Leave(func() { tab.Click("form.ask .primary") }, func() { tab.Wait("location.pathname!=='/'") })
			} else {
				tab.Go(base + path)
			}
			tab.Shot(page + "-" + name)
			if wide := Eval[int](tab, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
				t.Errorf("%s, %s: %d px wider than the screen", page, name, wide)
			}
			if found, ok := tab.Axe(); ok && len(found) > 0 {
				t.Errorf("%s, %s: %s", page, name, Summary(found))
			}
		}
	}
}
