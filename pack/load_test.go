package pack_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"digesto"
	"digesto/pack"
)

func sixth(tb testing.TB) *pack.Pack {
	tb.Helper()
	p, err := pack.Load(os.DirFS("testdata"), "sexto")
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// TestSixthPack: a pack is a directory of files; no code knows this one.
func TestSixthPack(t *testing.T) {
	p := sixth(t)
	if bad := pack.Check(p); len(bad) > 0 {
		t.Fatalf("not sound: %v", bad)
	}
	if p.Name != "sexto" || p.Jurisdiction() != "zz-b" || p.Install.Command() != "digesto corpus add CARPETA --pack sexto" {
		t.Errorf("%+v", p)
	}
	if len(p.Aliases) != 3 || !p.Aliases[2].Weak || p.Aliases[0].Jurisdiction != "zz-b" || p.Aliases[1].Jurisdiction != "zz" {
		t.Errorf("aliases %+v", p.Aliases)
	}
	if p.Sources[0].Articles != 40 || p.Sources[0].Short != "Reglamento de Bibliotecas" {
		t.Errorf("sources %+v", p.Sources)
	}
	if p.Weight("fichas") != 0.5 || p.Weight("otra") != 1 {
		t.Errorf("weights: %v", p.Collections)
	}
	if len(p.Hash()) != 64 {
		t.Errorf("hash %s", p.Hash())
	}
}

func TestRootOfFS(t *testing.T) {
	p, err := pack.Load(os.DirFS("testdata/sexto"), ".")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Fiches) != 1 {
		t.Errorf("%d fiches", len(p.Fiches))
	}
}

func TestLevels(t *testing.T) {
	p := sixth(t)
	for _, x := range []struct {
		jurisdiction, rank string
		want               int
	}{{"zz", "Reglamento", 3}, {"zz", "ESTATUTO", 2}, {"zz-b", "bando", 4}, {"zz-b", "carta", 1}, {"zz", "bando", 0}, {"yy", "carta", 0}, {"", "carta", 0}} {
		if got := p.Level(x.jurisdiction, x.rank); got != x.want {
			t.Errorf("%s %s: %d, want %d", x.jurisdiction, x.rank, got, x.want)
		}
	}
}

func TestPromptVersions(t *testing.T) {
	p := sixth(t)
	pr, ok := p.Prompt("answer")
	if !ok || pr.Version != "2" || pr.Window != 4 || pr.Cut != 300 || !strings.Contains(pr.Text, "citándolo") {
		t.Errorf("%+v", pr)
	}
	if len(p.History) != 2 {
		t.Errorf("%d versions", len(p.History))
	}
	if _, ok := p.Prompt("nada"); ok {
		t.Error("a prompt that is not there")
	}
}

func TestFicheUnits(t *testing.T) {
	p := sixth(t)
	f := p.Fiches[0]
	if f.Norm.Official || f.Norm.Rank != pack.FicheRank || f.Norm.Format != "fiche" || f.Norm.Collection != "fichas" || f.Norm.URL != "https://biblioteca.example/reg#a7" {
		t.Errorf("norm %+v", f.Norm)
	}
	if !strings.Contains(f.Norm.Title, pack.Label) {
		t.Errorf("no label in %q", f.Norm.Title)
	}
	u := f.Units[0]
	v := u.Versions[0]
	if u.ID != "sduracion" || u.Kind != digesto.KindSection || u.Rubric != "¿Cuánto dura un préstamo?" || !v.Current {
		t.Errorf("unit %+v", u)
	}
	if v.Text != "Un préstamo dura veintiún días (artículo 7 del Reglamento de Bibliotecas)." || len(v.SHA256) != 64 {
		t.Errorf("text %q", v.Text)
	}
	r := v.Refs[0]
	if got := string([]rune(v.Text)[r.Start:r.End]); got != "artículo 7 del Reglamento de Bibliotecas" || r.Norm != "REG-1" || r.Unit != "a7" {
		t.Errorf("reference %q %+v", got, r)
	}
	if !strings.Contains(v.Notes[0], "2026-11-21") || !strings.Contains(v.Notes[0], "https://biblioteca.example/reg#a7") {
		t.Errorf("note %q", v.Notes)
	}
	_, fact, ok := p.FicheOf(f.Norm.ID, "smulta")
	if !ok || fact.Place != "a9" || fact.Year != "2026" {
		t.Errorf("fact %+v", fact)
	}
	if _, _, ok := p.FicheOf(f.Norm.ID, "snada"); ok {
		t.Error("a fact that is not there")
	}
	n := 0
	for norm, units := range p.Norms {
		n += len(units)
		if norm.ID != f.Norm.ID {
			t.Error(norm.ID)
		}
	}
	if n != 2 {
		t.Errorf("%d units", n)
	}
}

// files copies the sixth pack, changed.
func files(tb testing.TB, change map[string]string) fstest.MapFS {
	tb.Helper()
	out := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS("testdata/sexto"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile("testdata/sexto/" + path)
		out["p/"+path] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	for name, text := range change {
		if text == "-" {
			delete(out, name)
			continue
		}
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func text(tb testing.TB, name string) string {
	tb.Helper()
	b, err := os.ReadFile("testdata/sexto/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// TestFaults: each fault is reported with its file and line, in Spanish.
func TestFaults(t *testing.T) {
	man := text(t, "pack.yaml")
	rules := text(t, "rules.yaml")
	fiche := text(t, "fiches.yaml")
	tests := []struct {
		name, file, text, want string
	}{
		{"unknown field", "p/pack.yaml", man + "colour: red\n", "p/pack.yaml:26: el campo «colour» no existe"},
		{"unknown nested field", "p/pack.yaml", strings.Replace(man, "install: {add:", "install: {foo: x, add:", 1), "p/pack.yaml:8: el campo «foo» no existe"},
		{"wrong type", "p/pack.yaml", strings.Replace(man, "jurisdictions: [zz-b, zz]", "jurisdictions: {a: b}", 1), "p/pack.yaml:5: el valor no es del tipo"},
		{"not YAML", "p/pack.yaml", "name: [a\n", "p/pack.yaml:1: no es YAML válido"},
		{"missing name", "p/pack.yaml", strings.Replace(man, "name: sexto\n", "", 1), "falta el campo «name»"},
		{"missing bodies", "p/pack.yaml", man[:strings.Index(man, "bodies:")] + man[strings.Index(man, "collections:"):], "organismo"},
		{"no manifest", "p/pack.yaml", "-", "p/pack.yaml: no se puede abrir: no existe"},
		{"missing file", "p/ranks.tsv", "-", "p/ranks.tsv: no se puede abrir: no existe"},
		{"empty glob", "p/fiches.yaml", "-", "ningún archivo corresponde a «fiches*.yaml»"},
		{"bad pattern", "p/rules.yaml", strings.Replace(rules, `when: ["museo|museos"]`, `when: ["..."]`, 1), "p/rules.yaml:14: el patrón «...»"},
		{"unknown outcome", "p/rules.yaml", strings.Replace(rules, "outcome: non_legal", "outcome: maybe", 1), "p/rules.yaml:5: un detector necesita"},
		{"one option", "p/rules.yaml", rules[:strings.Index(rules, "      - {label: Infantil")] + rules[strings.Index(rules, "signals:"):], "p/rules.yaml:19: una ambigüedad necesita"},
		{"signal without weight", "p/rules.yaml", strings.Replace(rules, "weight: 2", "weight: 0", 1), "una señal necesita"},
		{"fact without norm", "p/fiches.yaml", strings.Replace(fiche, "        norm: REG-1\n        unit: a7\n", "", 1), "p/fiches.yaml:8: ficha «prestamo», dato «duracion»: falta la referencia oficial"},
		{"fact of an unnamed norm", "p/fiches.yaml", strings.Replace(fiche, "norm: REG-1\n        unit: a9", "norm: REG-9\n        unit: a9", 1), "p/fiches.yaml:14: ficha «prestamo», dato «multa»: la norma «REG-9»"},
		{"unknown field of a fact", "p/fiches.yaml", strings.Replace(fiche, "        year:", "        colour: red\n        year:", 1), "p/fiches.yaml:20: el campo «colour» no existe"},
		{"unknown field of a detector", "p/rules.yaml", strings.Replace(rules, "    reply: Hola.", "    reply: Hola.\n    colour: red", 1), "p/rules.yaml:8: el campo «colour» no existe"},
		{"fiche without facts", "p/fiches.yaml", fiche[:strings.Index(fiche, "    facts:")], "no tiene ningún dato"},
		{"wrong columns", "p/aliases.tsv", "name\tnorm\nA\tB\n", "p/aliases.tsv:1: las columnas deben ser: name, norm, weak, jurisdiction"},
		{"too many columns", "p/aliases.tsv", "name\tnorm\tweak\tjurisdiction\nA\tB\t\tzz\tx\n", "p/aliases.tsv:2: tiene 5 columnas"},
		{"bad weak", "p/aliases.tsv", "name\tnorm\tweak\tjurisdiction\nA\tB\tsí\tzz\n", "p/aliases.tsv:2: la columna «weak»"},
		{"bad count", "p/sources.tsv", "id\ttitle\tshort\trank\turl\tarticles\nR\tT\t\t\t\tmuchos\n", "p/sources.tsv:2: «muchos» no es un número"},
		{"bad level", "p/ranks.tsv", "jurisdiction\tlevel\trank\nzz\tcero\tley\n", "p/ranks.tsv:2: un rango necesita"},
		{"bad territory", "p/territories.tsv", "name\tcode\tkind\tregion\tweak\nA\tzz\tplanet\t\t\n", "p/territories.tsv:2: un territorio necesita"},
		{"lonely synonym", "p/synonyms.txt", "\nsolo\n", "p/synonyms.txt:2: un grupo de sinónimos"},
		{"empty synonym", "p/synonyms.txt", "a = ... = b\n", "p/synonyms.txt:1: hay una expresión vacía"},
		{"empty prompt", "p/prompts/answer.v1.md", " \n", "p/prompts/answer.v1.md: un prompt necesita"},
		{"not UTF-8", "p/synonyms.txt", "a\xff = b\n", "p/synonyms.txt: no está en UTF-8"},
		{"outside", "p/pack.yaml", strings.Replace(man, "[aliases.tsv]", "[../../x.tsv]", 1), "queda fuera de la carpeta"},
	}
	for _, x := range tests {
		_, err := pack.Load(files(t, map[string]string{x.file: x.text}), "p")
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", x.name, err, x.want)
			continue
		}
		if digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: code %s", x.name, digesto.CodeOf(err))
		}
	}
}

// TestSharedFile: a file of another directory may be named, as far as the file system goes.
func TestSharedFile(t *testing.T) {
	fsys := files(t, map[string]string{"p/pack.yaml": strings.Replace(text(t, "pack.yaml"), "[aliases.tsv]", "[../zz/aliases.tsv, aliases.tsv]", 1),
		"zz/aliases.tsv": "name\tnorm\tweak\tjurisdiction\nEstatuto de Lectura\tREG-2\t\t\n"})
	p, err := pack.Load(fsys, "p")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Aliases) != 4 {
		t.Errorf("%d aliases", len(p.Aliases))
	}
	q := sixth(t)
	if p.Hash() == q.Hash() {
		t.Error("another file, the same hash")
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	_, err := pack.Load(files(t, map[string]string{"p/aliases.tsv": "x\n", "p/ranks.tsv": "y\n"}), "p")
	if err == nil || !strings.Contains(err.Error(), "2 errores") {
		t.Errorf("%v", err)
	}
}

// FuzzLoad: a manifest or rules file of any bytes gives a pack or one error with
// its code, never a panic, in bounded time.
func FuzzLoad(f *testing.F) {
	man, err := os.ReadFile("testdata/sexto/pack.yaml")
	if err != nil {
		f.Fatal(err)
	}
	rules, err := os.ReadFile("testdata/sexto/rules.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(man, rules, []byte("a = b\n"))
	f.Add([]byte("name: &a [*a]"), []byte("detectors: [{when: [x]}]"), []byte("\xff"))
	f.Add([]byte("files: {aliases: [../../etc/passwd]}"), []byte("{}"), []byte("= = ="))
	f.Fuzz(func(t *testing.T, man, rules, syn []byte) {
		if len(man)+len(rules)+len(syn) > 20000 {
			return
		}
		fsys := fstest.MapFS{"p/pack.yaml": {Data: man}, "p/rules.yaml": {Data: rules}, "p/synonyms.txt": {Data: syn}}
		p, err := pack.Load(fsys, "p")
		if err != nil {
			if digesto.CodeOf(err) != digesto.CodeInvalid {
				t.Fatalf("%v", err)
			}
			return
		}
		pack.Check(p)
		p.Classify(pack.ToolQuestion{Text: "hola"})
		p.Ambiguous("hola")
		p.Synonyms.Expand("a b c")
	})
}
