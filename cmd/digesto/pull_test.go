package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"digesto"
)

// openData speaks the schema of the open-data service with texts of our own.
// after switches to the state of affairs some days later.
type openData struct {
	*httptest.Server
	after atomic.Bool
	hits  atomic.Int64
	fault func(w http.ResponseWriter, r *http.Request) bool // answers in the place of the service; nil = never
}

func newOpenData(t *testing.T) *openData {
	t.Helper()
	o := &openData{}
	o.Server = httptest.NewServer(http.HandlerFunc(o.serve))
	t.Cleanup(o.Close)
	return o
}

func (o *openData) serve(w http.ResponseWriter, r *http.Request) {
	n := o.hits.Add(1)
	if o.fault != nil && o.fault(w, r) {
		return
	}
	switch p := r.URL.Path; {
	case strings.HasSuffix(p, "/boe/sumario/20300315"):
		fmt.Fprint(w, lampSummary)
	case p == "/diario_boe/xml.php":
		fmt.Fprint(w, lampReform(r.URL.Query().Get("id")))
	case strings.HasSuffix(p, "/legislacion-consolidada/id/BOE-A-2030-1"):
		if n%3 == 1 { // the service is unwell now and then
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, o.law())
	case strings.HasSuffix(p, "/id/BOE-A-2030-1/texto/indice"):
		fmt.Fprint(w, `<response><data><bloque><id>a1</id><fecha_actualizacion>20300315</fecha_actualizacion></bloque><bloque><id>a2</id><fecha_actualizacion>20300102</fecha_actualizacion></bloque></data></response>`)
	case strings.HasSuffix(p, "/id/BOE-A-2030-1/texto/bloque/a1"), strings.HasSuffix(p, "/id/BOE-A-2030-1/metadatos"):
		fmt.Fprint(w, o.law()) // more than was asked for: only the block is taken
	case strings.HasSuffix(p, "/legislacion-consolidada"):
		list := ""
		if o.after.Load() {
			list = `{"identificador":"BOE-A-2030-1","titulo":"Ley 1/2030","fecha_actualizacion":"20300320T000000Z"},{"identificador":"BOE-A-2030-77","titulo":"Otra","fecha_actualizacion":"20300320T000000Z"}`
		}
		fmt.Fprint(w, `{"status":{"code":"200","text":"ok"},"data":[`+list+`]}`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (o *openData) law() string {
	second := ""
	if o.after.Load() {
		second = `<version id_norma="BOE-A-2030-9" fecha_publicacion="20300315" fecha_vigencia="20300401"><p class="articulo">Artículo 1. Tasa de lectura.</p><p class="parrafo">La tasa de lectura es de siete monedas por libro y año.</p></version>`
	}
	return `<?xml version="1.0" encoding="utf-8"?><response><status><code>200</code><text>ok</text></status><data><metadatos><identificador>BOE-A-2030-1</identificador>` +
		`<rango codigo="1300">Ley</rango><fecha_disposicion>20300101</fecha_disposicion><numero_oficial>1/2030</numero_oficial><titulo>Ley 1/2030, de 1 de enero, de bibliotecas de prueba.</titulo>` +
		`<fecha_publicacion>20300102</fecha_publicacion><fecha_vigencia>20300103</fecha_vigencia><estatus_derogacion>N</estatus_derogacion><url_eli>https://leyes.example/eli/1</url_eli></metadatos>` +
		`<texto><bloque id="a1" tipo="precepto" titulo="Artículo 1"><version id_norma="BOE-A-2030-1" fecha_publicacion="20300102" fecha_vigencia="20300103"><p class="articulo">Artículo 1. Tasa de lectura.</p>` +
		`<p class="parrafo">La tasa de lectura es de cinco monedas por libro y año.</p></version>` + second + `</bloque>` +
		`<bloque id="a2" tipo="precepto" titulo="Artículo 2"><version id_norma="BOE-A-2030-1" fecha_publicacion="20300102" fecha_vigencia="20300103"><p class="articulo">Artículo 2. Préstamo.</p>` +
		`<p class="parrafo">El préstamo dura veinte días y se puede renovar una vez.</p></version></bloque></texto></data></response>`
}

// pullRun runs a command with the texts' server on this machine.
func pullRun(t *testing.T, o *openData, today, data string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	day, err := time.Parse(time.DateOnly, today)
	if err != nil {
		t.Fatal(err)
	}
	e := env{in: &bytes.Buffer{}, out: &stdout, err: &stderr, lookup: func(k string) (string, bool) {
		if k == "DIGESTO_FETCH_BOE" {
			return o.URL + "/datosabiertos/api", true
		}
		return "", false
	}}
	e.clock = func() time.Time { return day }
	a := newApp(t.Context(), e)
	a.Loopback, a.Sleep = true, func(context.Context, time.Duration) error { return nil }
	code = a.exit(a.dispatch(append([]string{"--data", data}, args...)))
	return code, stdout.String(), stderr.String()
}

func TestPullUpdateAndBack(t *testing.T) {
	o, data := newOpenData(t), t.TempDir()
	code, out, errs := pullRun(t, o, "2030-02-01", data, "corpus", "pull", "boe:BOE-A-2030-1", "--pack", "laboral", "--json")
	if code != 0 || !strings.Contains(out, `"state": "new"`) || !strings.Contains(out, `"norms": 1`) {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	if list, err := os.ReadFile(filepath.Join(data, "pulled", "FUENTES.tsv")); err != nil || !strings.Contains(string(list), "BOE-A-2030-1.xml\t"+o.URL) {
		t.Errorf("%s, %v", list, err)
	}
	if code, out, _ = pullRun(t, o, "2030-02-02", data, "corpus", "pull", "BOE-A-2030-1", "--pack", "laboral"); code != 0 || !strings.Contains(out, "1 sin cambios") {
		t.Errorf("again: %d %s", code, out)
	}
	if code, out, errs = pullRun(t, o, "2030-02-03", data, "corpus", "update"); code != 0 || !strings.Contains(out, "0 cambios") {
		t.Errorf("nothing new: %d %s %s", code, out, errs)
	}
	o.after.Store(true)
	code, out, errs = pullRun(t, o, "2030-04-10", data, "corpus", "update")
	if code != 0 || !strings.Contains(out, "[-cinco-] {+siete+}") || !strings.Contains(out, "2 normas cambiadas") || !strings.Contains(out, "1 bloques descargados") {
		t.Errorf("update: %d %s %s", code, out, errs)
	}
	if left, _ := filepath.Glob(filepath.Join(data, "pulled", "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	for day, want := range map[string]string{"2030-03-20": "cinco", "2030-04-01": "siete"} {
		if _, out, errs = pullRun(t, o, "2030-04-10", data, "corpus", "show", "BOE-A-2030-1", "1", "--as-of", day); !strings.Contains(out, want) {
			t.Errorf("%s: %s %s", day, out, errs)
		}
	}
	if code, out, errs = pullRun(t, o, "2030-04-10", data, "corpus", "rollback"); code != 0 {
		t.Errorf("rollback: %d %s %s", code, out, errs)
	}
	if _, out, _ = pullRun(t, o, "2030-04-10", data, "corpus", "show", "BOE-A-2030-1", "1"); !strings.Contains(out, "cinco") {
		t.Errorf("after going back: %s", out)
	}
	file := filepath.Join(t.TempDir(), "leyes.digesto")
	code, out, errs = pullRun(t, o, "2030-04-10", data, "corpus", "export", file, "--json")
	var made struct{ Key string }
	if err := json.Unmarshal([]byte(out), &made); code != 0 || err != nil {
		t.Fatalf("export: %d %s %s", code, out, errs)
	}
	other := t.TempDir()
	if code, _, errs = pullRun(t, o, "2030-04-10", other, "corpus", "import", file); code == 0 || !strings.Contains(errs, made.Key) {
		t.Errorf("import without trust: %d %s", code, errs)
	}
	if code, _, errs = pullRun(t, o, "2030-04-10", other, "corpus", "import", file, "--trust", made.Key); code != 0 {
		t.Errorf("import: %d %s", code, errs)
	}
	if _, out, _ = pullRun(t, o, "2030-04-10", other, "corpus", "show", "BOE-A-2030-1", "2", "--cite", "es"); !strings.Contains(out, "Artículo 2 de la Ley 1/2030") {
		t.Errorf("citation: %s", out)
	}
	if code, out, errs = pullRun(t, o, "2030-04-10", data, "corpus", "rm", "BOE-A-2030-1", "--purge"); code != 0 || !strings.Contains(out, "borradas") {
		t.Errorf("purge: %d %s %s", code, out, errs)
	}
	found := false
	_ = filepath.WalkDir(data, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b, _ := os.ReadFile(path)
			found = found || bytes.Contains(b, []byte("tasa de lectura"))
		}
		return nil
	})
	if found {
		t.Error("the text is still on the disk")
	}
}

func TestPullRefusesOtherHosts(t *testing.T) {
	o, data := newOpenData(t), t.TempDir()
	code, out, _ := pullRun(t, o, "2030-02-01", data, "corpus", "pull", "https://otra.example/ley.pdf", "--json")
	if want := digesto.Codes[digesto.CodeForbidden].Exit; code != want || !strings.Contains(out, "fuentes permitidas") {
		t.Errorf("%d, want %d: %s", code, want, out)
	}
	if code, _, errs := pullRun(t, o, "2030-02-01", data, "corpus", "pull", "nada"); code == 0 || !strings.Contains(errs, "paquete") {
		t.Errorf("%d %s", code, errs)
	}
}
