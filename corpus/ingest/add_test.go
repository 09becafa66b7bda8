package ingest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/line"
	"digesto/internal/shareddata"
)

func library(t *testing.T) *corpus.Library {
	t.Helper()
	lib, err := corpus.Open(t.TempDir(), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return lib
}

func add(t *testing.T, lib *corpus.Library, opt Options, paths ...string) Report {
	t.Helper()
	r, err := Add(context.Background(), lib, paths, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func write(t *testing.T, dir, name, body string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const lanterns = "---\ntitle: \"Ley 5/2001, de faroles\"\nidentifier: \"LEY-5-2001\"\ncountry: \"es\"\nrank: \"ley\"\npublication_date: \"2001-02-03\"\nlast_updated: \"2020-01-02\"\nstatus: \"in_force\"\n---\n# Ley 5/2001, de faroles\n\n###### Artículo 1. Objeto.\n\nLos faroles alumbran la plaza según el artículo 2.\n\n###### Artículo 2. Horario.\n\nDe noche.\n"

func TestAddIsIncremental(t *testing.T) {
	dir, lib := t.TempDir(), library(t)
	path := write(t, dir, "faroles.md", lanterns)
	r := add(t, lib, Options{Pack: "p"}, dir)
	if r.Changed != 1 || r.Norms != 1 || r.Units != 2 || r.Snapshot == "" {
		t.Fatalf("first run: %+v", r)
	}
	if r = add(t, lib, Options{Pack: "p"}, dir); r.Changed != 0 || r.Unchanged != 1 {
		t.Errorf("second run: %+v", r)
	}
	write(t, dir, "faroles.md", strings.Replace(lanterns, "De noche", "De día", 1))
	if r = add(t, lib, Options{Pack: "p"}, path); r.Changed != 1 {
		t.Errorf("after a change: %+v", r)
	}
	s, err := lib.Current()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	u, ok := s.Unit("LEY-5-2001", "a2")
	if !ok || u.Versions[0].Text != "De día." {
		t.Errorf("article 2: %+v", u)
	}
	n, _ := s.Norm("LEY-5-2001")
	if n.Jurisdiction != "es" || n.TextAsOf != "" || n.Status != digesto.StatusInForce || len(n.Packs) != 1 {
		t.Errorf("norm: %+v", n)
	}
	u, _ = s.Unit("LEY-5-2001", "a1")
	if refs := u.Versions[0].Refs; len(refs) != 1 || refs[0].Unit != "a2" {
		t.Errorf("references of article 1: %+v", refs)
	}
}

// Whatever cannot be read is named with its reason, and the rest is kept.
func TestAddNamesWhatItSkips(t *testing.T) {
	dir, lib := t.TempDir(), library(t)
	write(t, dir, "faroles.md", lanterns)
	write(t, dir, "README.md", "# Carpeta\n\nNotas.")
	write(t, dir, "imagen.md", "\x89PNG\r\n\x1a\n\x00\x00")
	write(t, dir, "vacio.md", " \n")
	write(t, dir, "tabla.csv", "a,b\n1,2\n")
	write(t, dir, "roto.pdf", "no soy un pdf")
	write(t, dir, "grande.md", strings.Repeat("palabra ", 4000))
	closed := write(t, dir, "cerrado.md", lanterns)
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "bucle")); err != nil {
		t.Skip("no symbolic links here")
	}
	os.Symlink(filepath.Join(dir, "nada"), filepath.Join(dir, "roto"))
	r := add(t, lib, Options{MaxBytes: 16 << 10}, dir)
	if r.Norms != 1 && os.Getuid() != 0 {
		t.Errorf("norms: %+v", r)
	}
	kinds := map[string]string{}
	for _, d := range r.Skipped {
		if !d.Skipped || d.Detail == "" {
			t.Errorf("defect without reason: %+v", d)
		}
		kinds[filepath.Base(d.File)] = d.Kind
	}
	for file, kind := range map[string]string{"README.md": line.KindDocs, "imagen.md": line.KindBinary, "vacio.md": line.KindEmpty, "tabla.csv": line.KindUnread, "roto.pdf": line.KindDamaged, "grande.md": line.KindTooLarge, "roto": "unreadable"} {
		if kinds[file] != kind {
			t.Errorf("%s: %q, want %q", file, kinds[file], kind)
		}
	}
	if os.Getuid() != 0 && kinds["cerrado.md"] != "unreadable" {
		t.Errorf("cerrado.md: %q", kinds["cerrado.md"])
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

// TestAddStaysInTheFolder: a link in a folder that is added leads to what is in the
// folder and to nothing else; what is named is read wherever it leads.
func TestAddStaysInTheFolder(t *testing.T) {
	away := t.TempDir()
	write(t, away, "ajena.md", lanterns)
	dir := filepath.Join(t.TempDir(), "leyes")
	if err := os.MkdirAll(filepath.Join(dir, "dentro"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "dentro"), "propia.md", "# Ley 3/2001, de las Boyas\n\n**Artículo 1. Objeto.**\n\nEsta ley regula las boyas.\n")
	for name, to := range map[string]string{"fichero.md": filepath.Join(away, "ajena.md"), "carpeta": away, "relativo.md": filepath.Join("..", "..", filepath.Base(away), "ajena.md"), "arriba": "..", "propio.md": filepath.Join("dentro", "propia.md"), "raíz": "/"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	if err := os.Symlink(filepath.Join(dir, "carpeta"), filepath.Join(dir, "dentro", "doble")); err != nil { // a link to a link
		t.Fatal(err)
	}
	files, skipped := walk([]string{dir})
	if len(files) != 1 || !strings.HasSuffix(files[0].path, "propia.md") {
		t.Errorf("read: %+v", files)
	}
	told := map[string]bool{}
	for _, d := range skipped {
		if d.Kind != line.KindLink || !strings.Contains(d.Detail, "nombre su destino") {
			t.Errorf("%+v", d)
		}
		told[filepath.Base(d.File)] = true
	}
	for _, name := range []string{"fichero.md", "carpeta", "arriba", "raíz", "doble"} {
		if !told[name] {
			t.Errorf("%s is not told", name)
		}
	}
	lib := library(t)
	if r := add(t, lib, Options{}, dir); r.Norms != 1 {
		t.Errorf("%+v", r)
	}
	link := filepath.Join(t.TempDir(), "enlace")
	if err := os.Symlink(away, link); err != nil {
		t.Fatal(err)
	}
	for _, named := range []string{filepath.Join(dir, "fichero.md"), link} {
		if files, skipped := walk([]string{named}); len(files) != 1 || len(skipped) != 0 {
			t.Errorf("named %s: %+v %+v", named, files, skipped)
		}
	}
	if files, _ := walk([]string{dir, away}); len(files) != 2 {
		t.Errorf("both named: %+v", files)
	}
}

func TestAddWithoutFiles(t *testing.T) {
	lib := library(t)
	if _, err := Add(context.Background(), lib, nil, Options{}); digesto.CodeOf(err) != digesto.CodeUsage {
		t.Errorf("no paths: %v", err)
	}
	if _, err := Add(context.Background(), lib, []string{filepath.Join(t.TempDir(), "nada")}, Options{}); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("missing path: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	write(t, dir, "faroles.md", lanterns)
	if _, err := Add(ctx, lib, []string{dir}, Options{}); err == nil {
		t.Error("a cancelled ingestion gave no error")
	}
}

func TestCharsets(t *testing.T) {
	latin := "Art\xedculo 1. Los faroles ser\xe1n \x93altos\x94.\n\nArt\xedculo 2. Ma\xf1ana.\n"
	for name, in := range map[string]string{"windows-1252": latin, "utf-8 with mark": "\ufeffArtículo 1. Los faroles serán “altos”.\n\nArtículo 2. Mañana.\n"} {
		docs, _, err := ReadFile(context.Background(), "x.txt", []byte(in), Options{})
		if err != nil || len(docs) != 1 {
			t.Fatalf("%s: %d documents, %v", name, len(docs), err)
		}
		if got := docs[0].Units[0].Versions[0].Text + "/" + docs[0].Units[1].Versions[0].Text; got != "Los faroles serán “altos”./Mañana." || len(docs[0].Units) != 2 {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestStatusFromTheText(t *testing.T) {
	for first, want := range map[string]digesto.Status{
		"Norma derogada, con efectos del 3 de mayo de 2019, por la disposición derogatoria única de la Ley 3/2021.":                 digesto.StatusRepealed,
		"Norma derogada, salvo las disposiciones adicionales 10 y 11, con efectos del 3 de mayo de 2019, por el Decreto 8/2015.":    digesto.StatusPartial,
		"Norma derogada, excepto los arts. 4 y 5, con efectos del 3 de mayo de 2019, por la disposición derogatoria del Decreto 1.": digesto.StatusPartial,
		"Los faroles se derogan con el día.": digesto.StatusInForce,
		"(Derogado)":                         digesto.StatusInForce,
	} {
		md := strings.Replace(lanterns, "###### Artículo 1.", first+"\n\n###### Artículo 1.", 1)
		docs, _, _ := ReadFile(context.Background(), "f.md", []byte(md), Options{})
		n := docs[0].Norm
		if n.Status != want || want != digesto.StatusInForce && n.RepealedFrom != "2019-05-03" {
			t.Errorf("%.40s…: status %q from %q", first, n.Status, n.RepealedFrom)
		}
	}
}

// The day of the repeal is the one named with its effect, glued to a word or
// not, and never that of the journal beside it.
func TestRepealDayGlued(t *testing.T) {
	for _, remark := range []string{
		"<b>ABROGADA</b> POR EL ARTICULO 9 DE LA LEY 31, B.O. 06/03/2018, PAGINA 4. <b>VIGENCIA: A PARTIR DEL1º DE ENERO DE 2019.</b>",
		"ABROGADA POR EL ARTICULO 9 DE LA LEY 31, B.O. 06/03/2018. VIGENCIA: A PARTIR DEL 1º DE ENERO DE 2019.",
	} {
		md := strings.Replace(lanterns, "status:", "observaciones: \""+remark+"\"\nstatus:", 1)
		docs, _, _ := ReadFile(context.Background(), "f.md", []byte(md), Options{})
		if n := docs[0].Norm; n.Status != digesto.StatusRepealed || n.RepealedFrom != "2019-01-01" {
			t.Errorf("%q from %q", n.Status, n.RepealedFrom)
		}
	}
}

func TestRankFromTheTitle(t *testing.T) {
	for _, c := range []struct{ title, rank, want string }{
		{"Decreto-ley 3/2017, de faroles", "real_decreto_ley", "decreto_ley"},
		{"Decreto Legislativo 1/2019, de faroles", "otro", "decreto_legislativo"},
		{"Real Decreto-ley 3/2017, de faroles", "real_decreto_ley", "real_decreto_ley"},
		{"Ley Orgánica 4/2000, de faroles", "ley_organica", "ley_organica"},
		{"Ley Foral 4/2000, de faroles", "ley", "ley"},
		{"Código de faroles", "ley", "ley"},
	} {
		m := made{Document: corpus.Document{Norm: digesto.Norm{Title: c.title, Rank: c.rank}}}
		m.setRank()
		if m.Norm.Rank != c.want {
			t.Errorf("%s (%s): %s, want %s", c.title, c.rank, m.Norm.Rank, c.want)
		}
	}
}

// Every file that the READMEs keep as defective is reported with a reason that
// its contents give.
func TestDefectiveFiles(t *testing.T) {
	dir := shareddata.Dir(t, "corpora/peru-tributario")
	lib := library(t)
	r := add(t, lib, Options{}, filepath.Join(dir, "defectuosos"), filepath.Join(dir, "normas"))
	got := map[string]string{}
	for _, d := range append(r.Skipped, r.Defects...) {
		got[filepath.Base(d.File)] += " " + d.Kind
	}
	for file, kinds := range map[string][]string{
		"LEY-27444-2001.md":                       {line.KindIdentity, line.KindFurniture},
		"DLEG-776-1993.md":                        {line.KindIdentity},
		"DS-133-2013-EF.lpderecho-sin-limpiar.md": {line.KindFurniture, line.KindDates},
		"DS-179-2004-EF-TUO-RENTA-2004.md":        {line.KindHeaders, line.KindDates},
		"LEY-26979-1998.md":                       {line.KindForeign, line.KindGaps, line.KindOCR},
		"LEY-ORGANICA-27972-2003.md":              {line.KindDuplicate, line.KindDates},
	} {
		for _, k := range kinds {
			if !strings.Contains(got[file], " "+k) {
				t.Errorf("%s: reported%s, want %s too", file, got[file], k)
			}
		}
	}
	for _, d := range r.Skipped {
		if strings.Contains(d.File, "normas/") {
			t.Errorf("a sound norm was skipped: %+v", d)
		}
	}
}

func TestJSONL(t *testing.T) {
	in := `{"_id":"LEY-5:a1","title":"Artículo 1. Objeto","text":"Los faroles alumbran."}
{"_id":"x","title":"Artículo 3 bis","text":"Viejo.","metadata":{"norm":"LEY-6","norm_title":"Ley de bancos","unit":"a3bis","version":"2001-01-01","valid_from":"2001-01-01","valid_to":"2010-01-01","path":"Título I > Capítulo II","page":7,"jurisdiction":"es-md","official":false}}
{"_id":"y","title":"Artículo 3 bis","text":"Nuevo.","metadata":{"norm":"LEY-6","unit":"a3bis","version":"2010-01-01","valid_from":"2010-01-01"}}
no es json
{"_id":"LEY-5:a2","title":"","text":""}
`
	docs, _, err := ReadFile(context.Background(), "u.jsonl", []byte(in), Options{})
	if err != nil || len(docs) != 2 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	if u := docs[0].Units; len(u) != 1 || u[0].ID != "a1" || u[0].Kind != digesto.KindArticle {
		t.Errorf("LEY-5: %+v", u)
	}
	u := docs[1].Units[0]
	if len(u.Versions) != 2 || u.Versions[0].Current || !u.Versions[1].Current || u.Versions[0].Pages[0].Page != 7 || strings.Join(u.Path, "/") != "Título I/Capítulo II" {
		t.Errorf("LEY-6: %+v", u)
	}
	if n := docs[1].Norm; n.Jurisdiction != "es" || n.Territory != "es-md" || n.Official || n.Title != "Ley de bancos" {
		t.Errorf("norm: %+v", n)
	}
	if len(docs[0].Defects) != 2 {
		t.Errorf("defects: %+v", docs[0].Defects)
	}
}

// TestAsideIsTheSame: texts that wait on the disk until all files are read give the
// libraries and the reports that they give from memory.
func TestAsideIsTheSame(t *testing.T) {
	dir := shareddata.Dir(t, "corpora/laboral-es/historico")
	var want [2]Report
	for _, held := range []int{1 << 30, 1 << 16, 1} {
		lib := library(t)
		for i, pack := range []string{"", "p"} { // another pack: all is read again, and weighed against what is there
			r := add(t, lib, Options{held: held, Pack: pack, NoHistory: true}, dir)
			r.Elapsed = 0
			if held == 1<<30 {
				want[i] = r
			}
			if !reflect.DeepEqual(r, want[i]) {
				t.Errorf("%d bytes held, time %d: snapshot %.9s of %d norms, want %.9s of %d", held, i, r.Snapshot, r.Norms, want[i].Snapshot, want[i].Norms)
			}
		}
	}
	if want[0].Norms < 5 || want[0].Snapshot == want[1].Snapshot {
		t.Errorf("%d norms, snapshots %.9s and %.9s: nothing was compared", want[0].Norms, want[0].Snapshot, want[1].Snapshot)
	}
}
