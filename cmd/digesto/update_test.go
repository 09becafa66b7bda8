package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/sync"
)

// lampSummary is the issue of 2030-03-15: two general dispositions, of which one
// changes the installed law and the other only names it, and a call for posts.
const lampSummary = `{"status":{"code":"200","text":"ok"},"data":{"sumario":{"metadatos":{"fecha_publicacion":"20300315"},"diario":[{"numero":"64","seccion":[` +
	`{"codigo":"1","departamento":{"epigrafe":{"item":[{"identificador":"BOE-A-2030-9","titulo":"Ley 9/2030, de tasas de prueba"},{"identificador":"BOE-A-2030-10","titulo":"Orden de prueba"}]}}},` +
	`{"codigo":"2B","departamento":{"epigrafe":{"item":{"identificador":"BOE-A-2030-11","titulo":"Convocatoria de prueba"}}}}]}]}}}`

// lampReform is a norm as published on that day.
func lampReform(id string) string {
	word := map[string]string{"BOE-A-2030-9": "MODIFICA", "BOE-A-2030-10": "CITA", "BOE-A-2030-11": "MODIFICA"}[id]
	return `<?xml version="1.0" encoding="UTF-8"?><documento><metadatos><identificador>` + id + `</identificador></metadatos><analisis><referencias><anteriores><anterior referencia="BOE-A-2030-1">` +
		`<palabra codigo="270">` + word + `</palabra><texto>el art. 1 de la Ley 1/2030</texto></anterior></anteriores></referencias></analisis><texto><p>Palabras.</p></texto></documento>`
}

// lampLibrary has the law of the service as it was in February of 2030.
func lampLibrary(t *testing.T, o *openData) (data string) {
	t.Helper()
	data = t.TempDir()
	if code, out, errs := pullRun(t, o, "2030-02-01", data, "corpus", "pull", "boe:BOE-A-2030-1", "--pack", "laboral"); code != 0 {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	return data
}

func TestUpdateReadsSummaries(t *testing.T) {
	o := newOpenData(t)
	data := lampLibrary(t, o)
	asked := map[string]bool{}
	o.fault = func(_ http.ResponseWriter, r *http.Request) bool { // the list does not name the law: only the summary does
		asked[r.URL.Query().Get("id")] = true
		return false
	}
	code, out, errs := pullRun(t, o, "2030-03-16", data, "corpus", "update", "--since", "2030-03-14")
	if code != 0 || !strings.Contains(out, "MODIFICA el art. 1 de la Ley 1/2030") || !strings.Contains(out, "todavía no está en el texto consolidado") || strings.Contains(out, "Orden de prueba") {
		t.Errorf("published, not consolidated: %d %s %s", code, out, errs)
	}
	if !asked["BOE-A-2030-9"] || !asked["BOE-A-2030-10"] || asked["BOE-A-2030-11"] {
		t.Errorf("dispositions looked at: %v", asked)
	}
	o.after.Store(true)
	o.fault = func(w http.ResponseWriter, r *http.Request) bool { // and still does not
		if strings.HasSuffix(r.URL.Path, "/legislacion-consolidada") {
			fmt.Fprint(w, `{"status":{"code":"200"},"data":[]}`)
			return true
		}
		return false
	}
	code, out, errs = pullRun(t, o, "2030-04-02", data, "corpus", "update", "--since", "2030-03-14", "--json")
	if code != 0 || !strings.Contains(out, `"consolidated": true`) || !strings.Contains(out, `"before": "La tasa de lectura es de cinco`) || !strings.Contains(out, `"after": "La tasa de lectura es de siete`) {
		t.Errorf("consolidated: %d %s %s", code, out, errs)
	}
}

// TestUpdateFaults: what goes wrong at the service once is tried again; what goes wrong
// for good is said, with the exit code of its kind, and the law that is there stays.
func TestUpdateFaults(t *testing.T) {
	status := func(code int) func(http.ResponseWriter, string) {
		return func(w http.ResponseWriter, _ string) { w.WriteHeader(code) }
	}
	for name, c := range map[string]struct {
		bad  func(w http.ResponseWriter, good string)
		code digesto.Code // when it never ends; "" = no fault at all
		says string
	}{
		"429":               {status(http.StatusTooManyRequests), digesto.CodeLimited, "responde 429"},
		"500":               {status(http.StatusInternalServerError), digesto.CodeUnavailable, "responde 500"},
		"cut in the middle": {func(w http.ResponseWriter, good string) { fmt.Fprint(w, good[:len(good)/2]) }, digesto.CodeUnavailable, "no está entero"},
		"HTML page with 200": {func(w http.ResponseWriter, _ string) {
			fmt.Fprint(w, "<!DOCTYPE html><html><body>Mantenimiento</body></html>")
		}, digesto.CodeUnavailable, "página web"},
		"changed schema": {func(w http.ResponseWriter, good string) {
			fmt.Fprint(w, strings.ReplaceAll(good, `"sumario"`, `"boletin"`))
		}, digesto.CodeInvalid, "forma conocida"},
		"wrong charset header": {func(w http.ResponseWriter, good string) {
			w.Header().Set("Content-Type", "application/json; charset=utf-16")
			fmt.Fprint(w, good)
		}, "", ""},
		"a list that repeats": {func(w http.ResponseWriter, good string) {
			fmt.Fprint(w, strings.Replace(good, `"seccion":[`, `"seccion":[`+firstSection(good)+",", 1))
		}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOpenData(t)
			data := lampLibrary(t, o)
			once := 0
			o.fault = func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.HasSuffix(r.URL.Path, "/boe/sumario/20300315") {
					return false
				}
				if once++; c.code == digesto.CodeInvalid && once > 1 {
					return false // another form is not asked for again by itself: the next update does
				}
				if once == 1 || once > 100 {
					c.bad(w, lampSummary)
					return true
				}
				return false
			}
			update := []string{"corpus", "update", "--since", "2030-03-14"}
			code, out, errs := pullRun(t, o, "2030-03-16", data, update...)
			if c.code == digesto.CodeInvalid {
				if want := digesto.Codes[c.code].Exit; code != want || !strings.Contains(out, c.says) {
					t.Errorf("%d, want %d: %s %s", code, want, out, errs)
				}
				code, out, errs = pullRun(t, o, "2030-03-16", data, update...)
			}
			if code != 0 || strings.Count(out, "MODIFICA el art. 1") != 1 {
				t.Errorf("a fault that passes: %d %s %s", code, out, errs)
			}
			if c.code == "" {
				return
			}
			once = 101 // from here on it never passes
			code, out, errs = pullRun(t, o, "2030-03-16", data, update...)
			if want := digesto.Codes[c.code].Exit; c.code != digesto.CodeInvalid && (code != want || !strings.Contains(out, c.says) || !strings.Contains(out, "sumario del 2030-03-15")) {
				t.Errorf("a fault that stays: %d, want %d: %s %s", code, want, out, errs)
			}
			if _, out, _ = pullRun(t, o, "2030-03-16", data, "corpus", "show", "BOE-A-2030-1", "1"); !strings.Contains(out, "cinco") {
				t.Errorf("the law: %s", out)
			}
		})
	}
}

// firstSection gives the first section of a summary.
func firstSection(s string) string {
	_, s, _ = strings.Cut(s, `"seccion":[`)
	s, _, _ = strings.Cut(s, `,{"codigo":"2B"`)
	return s
}

// TestUpdateOfAnOldLaw: days before 1970 are days like others.
func TestUpdateOfAnOldLaw(t *testing.T) {
	o := newOpenData(t)
	o.fault = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/legislacion-consolidada/id/BOE-A-1965-1") {
			return false
		}
		fmt.Fprint(w, strings.NewReplacer("BOE-A-2030-1", "BOE-A-1965-1", "1/2030", "1/1965", "2030010", "1965010").Replace(o.law()))
		return true
	}
	data := t.TempDir()
	if code, out, errs := pullRun(t, o, "1969-12-01", data, "corpus", "pull", "boe:BOE-A-1965-1", "--pack", "laboral"); code != 0 {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	code, out, errs := pullRun(t, o, "1970-01-02", data, "corpus", "update", "--since", "1969-12-30")
	if code != 0 || !strings.Contains(out, "Desde el 1969-12-30") {
		t.Errorf("%d %s %s", code, out, errs)
	}
	if _, out, errs = pullRun(t, o, "1970-01-02", data, "corpus", "show", "BOE-A-1965-1", "1", "--as-of", "1966-01-01"); !strings.Contains(out, "cinco") {
		t.Errorf("%s %s", out, errs)
	}
	if left, _ := filepath.Glob(filepath.Join(data, "pulled", "update.json")); len(left) != 1 {
		t.Errorf("the day of the update: %v", left)
	} else if b, _ := os.ReadFile(left[0]); !strings.Contains(string(b), "1970-01-02") {
		t.Errorf("%s", b)
	}
}

// TestUpdateGivesUp: a service that is down is not asked for every day of months.
func TestUpdateGivesUp(t *testing.T) {
	o := newOpenData(t)
	data := lampLibrary(t, o)
	days := map[string]bool{}
	o.fault = func(w http.ResponseWriter, r *http.Request) bool {
		_, day, ok := strings.Cut(r.URL.Path, "/boe/sumario/")
		if ok {
			days[day] = true
			w.WriteHeader(http.StatusBadGateway)
		}
		return ok
	}
	code, out, _ := pullRun(t, o, "2030-06-01", data, "corpus", "update", "--since", "2030-02-01")
	if code != digesto.Codes[digesto.CodeUnavailable].Exit || len(days) != sync.GivesUpAfter || strings.Count(out, "sumario del") != sync.GivesUpAfter {
		t.Errorf("%d, %d days: %s", code, len(days), out)
	}
}
