package fetch

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/internal/shareddata"
)

// The table of contents of one day in the three forms the service has had: with
// objects where there is one, lists where there are several, and an item twice.
var summaries = map[string]string{
	"json": `{"status":{"code":"200"},"data":{"sumario":{"metadatos":{"publicacion":"X"},"diario":[{"numero":"7","seccion":[` +
		`{"codigo":"1","departamento":{"epigrafe":{"item":{"identificador":"BOE-A-2030-7","titulo":"Ley de\n faroles"}}}},` +
		`{"codigo":"2A","departamento":[{"epigrafe":[{"item":[{"identificador":"BOE-A-2030-8","titulo":"Nombramiento"},{"identificador":"BOE-A-2030-7","titulo":"Ley de faroles"}]}]},{"texto":"Sin contenido"},{"texto":{"item":{"identificador":"BOE-A-2030-9","titulo":"Cese"}}}]}]}]}}}`,
	"xml": `<?xml version="1.0" encoding="utf-8"?><response><status><code>200</code></status><data><sumario><diario numero="7"><seccion codigo="1"><departamento codigo="1"><epigrafe nombre="x"><item>` +
		`<identificador>BOE-A-2030-7</identificador><control>1</control><titulo>Ley de faroles</titulo></item></epigrafe></departamento></seccion><seccion codigo="2A"><departamento><item><identificador>BOE-A-2030-8</identificador><titulo>Nombramiento</titulo></item>` +
		`<item><identificador>BOE-A-2030-9</identificador><titulo>Cese</titulo></item></departamento></seccion></diario></sumario></data></response>`,
	"old xml": `<?xml version="1.0" encoding="ISO-8859-1"?><sumario><meta><fecha>02/01/2030</fecha></meta><diario nbo="7"><sumario_nbo id="BOE-S-2030-7"/><seccion num="1" nombre="I"><departamento nombre="D"><epigrafe nombre="E">` +
		`<item id="BOE-A-2030-7" control="1"><titulo>Ley de faroles</titulo><urlPdf numPag="2">/x.pdf</urlPdf></item></epigrafe></departamento></seccion>` +
		`<seccion num="2A"><departamento><item id="BOE-A-2030-8"><titulo>Nombramiento</titulo></item><item id="BOE-A-2030-9"><titulo>Cese</titulo></item><item id="otro"><titulo>x</titulo></item></departamento></seccion></diario></sumario>`,
}

func TestParseSummary(t *testing.T) {
	want := []Entry{{ID: "BOE-A-2030-7", Title: "Ley de faroles", Section: "1"}, {ID: "BOE-A-2030-8", Title: "Nombramiento", Section: "2A"}, {ID: "BOE-A-2030-9", Title: "Cese", Section: "2A"}}
	for name, s := range summaries {
		if got, err := ParseSummary([]byte(s)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, s := range map[string]string{"another schema": `{"data":{"resumen":{}}}`, "no issue in it": `{"data":{"sumario":{}}}`, "another root": `<?xml version="1.0"?><indice><x/></indice>`,
		"cut": summaries["xml"][:400], "entities": `<!DOCTYPE a [<!ENTITY x "xxxx"><!ENTITY y "&x;&x;">]><sumario><diario><item id="BOE-A-2030-7"><titulo>&y;</titulo></item></diario></sumario>`} {
		if got, err := ParseSummary([]byte(s)); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	latin := strings.Replace(summaries["old xml"], "Ley de faroles", "Reglamento de ba\xf1os", 1)
	if got, err := ParseSummary([]byte(latin)); err != nil || got[0].Title != "Reglamento de baños" {
		t.Errorf("ISO-8859-1: %+v, %v", got, err)
	}
	if got, err := ParseSummary([]byte(`{"data":{"sumario":{"diario":` + strings.Repeat(`[{"seccion":`, 60) + `1` + strings.Repeat(`}]`, 60) + `}}}`)); err != nil || got != nil {
		t.Errorf("deep: %+v, %v", got, err)
	}
}

func TestParseSummaryOfTheService(t *testing.T) {
	for file, general := range map[string]int{"api-sumario-20260723.json": 6, "sumario-antiguo-BOE-S-2024-92.xml": 4} {
		data, err := os.ReadFile(filepath.Join(shareddata.Dir(t, "corpora/formats"), "boe-xml", file))
		if err != nil {
			t.Fatal(err)
		}
		list, err := ParseSummary(data)
		if err != nil || len(list) < 50 {
			t.Fatalf("%s: %d, %v", file, len(list), err)
		}
		n := 0
		for _, e := range list {
			if e.Title == "" || e.Section == "" {
				t.Errorf("%s: %+v", file, e)
			}
			if e.Section == "1" {
				n++
			}
		}
		if n < general {
			t.Errorf("%s: %d general dispositions", file, n)
		}
	}
}

// lampDaily is a norm as the journal publishes it, with the analysis of what it touches.
const lampDaily = `<?xml version="1.0" encoding="UTF-8"?><documento fecha_actualizacion="20300115"><metadatos><identificador>BOE-A-2030-7</identificador></metadatos><analisis><referencias><anteriores>` +
	`<anterior referencia="BOE-A-2029-1" orden="1"><palabra codigo="270">MODIFICA</palabra><texto>los arts. 1 y 2 de la Ley 1/2029</texto></anterior>` +
	`<anterior referencia="BOE-A-2029-2"><palabra codigo="210">DEROGA</palabra><texto>el art. 3</texto></anterior><anterior referencia="BOE-A-2029-2"><palabra codigo="407">AÑADE</palabra><texto>un art. 4</texto></anterior>` +
	`<anterior referencia="BOE-A-2029-3"><palabra codigo="330">CITA</palabra><texto>Ley 3/2029</texto></anterior><anterior referencia="otra cosa"><palabra>MODIFICA</palabra></anterior>` +
	`</anteriores><posteriores><posterior referencia="BOE-A-2031-1"><palabra>SE MODIFICA</palabra></posterior></posteriores></referencias></analisis><texto><p>Palabras.</p></texto></documento>`

func TestTouches(t *testing.T) {
	s, c := newService(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("id") == "BOE-A-2030-7" {
			fmt.Fprint(w, lampDaily)
			return
		}
		fmt.Fprint(w, `<response><status><code>500</code></status></response>`)
	})
	o := OpenData{Client: c, Base: s.URL, Daily: s.URL + "/xml?id=%s"}
	got, err := o.Touches(t.Context(), "BOE-A-2030-7")
	want := []Touch{{"BOE-A-2029-1", digesto.ActAmends, "MODIFICA", "los arts. 1 y 2 de la Ley 1/2029"}, {"BOE-A-2029-2", digesto.ActRepeals, "DEROGA", "el art. 3"},
		{"BOE-A-2029-2", digesto.ActAdds, "AÑADE", "un art. 4"}, {"BOE-A-2029-3", digesto.ActCites, "CITA", "Ley 3/2029"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := o.Touches(t.Context(), "BOE-A-2030-8"); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("another document: %v", err)
	}
	if _, err := o.Touches(t.Context(), "../x"); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("no id: %v", err)
	}
}

func TestTouchesOfTheService(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(shareddata.Dir(t, "corpora/formats"), "boe-xml", "diario-BOE-A-2026-16010.xml"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := ParseTouches(data)
	if err != nil || len(list) != 2 || list[0].Norm != "BOE-A-2026-6544" || list[0].Act != digesto.ActCites || !strings.HasPrefix(list[0].Text, "el art. 34") {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestDays(t *testing.T) {
	if d := Days("1969-12-30", "1970-01-02"); len(d) != 4 || d[3] != "1970-01-02" {
		t.Error(d)
	}
	if d := Days("2030-01-02", "2030-01-01"); d != nil {
		t.Error(d)
	}
}

// FuzzParse drives every reader of what the service says.
func FuzzParse(f *testing.F) {
	for _, s := range summaries {
		f.Add([]byte(s))
	}
	f.Add([]byte(`{"status":{"code":"200"},"data":[{"identificador":"BOE-A-2030-7"}]}`))
	f.Add([]byte(lampDaily))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 256<<10 {
			return
		}
		list, _ := ParseSummary(data)
		for _, e := range list {
			if !idForm.MatchString(e.ID) || e.Title == "" {
				t.Errorf("%+v", e)
			}
		}
		touches, _ := ParseTouches(data)
		for _, x := range touches {
			if !idForm.MatchString(x.Norm) || x.Act == "" {
				t.Errorf("%+v", x)
			}
		}
		_, _ = parseList(data)
		closed(data)
	})
}
