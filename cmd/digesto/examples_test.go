package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"digesto/cmd/digesto/internal/manual"
	"digesto/internal/long"

	"github.com/alecthomas/kong"
)

// notRun are examples that a test cannot run, by what stands in them and why.
var notRun = []struct{ holds, why string }{
	{"digesto serve", "is a server"},
	{"curl ", "asks a server"},
	{"En el fichero", "is no command"},
	{"Por HTTP", "is no command"},
	{"corpus pull", "fetches from the network"},
	{"corpus update", "fetches from the network"},
	{"postgres://", "needs a database"},
	{"doctor --judge", "needs a model"},
	{"corpus publish", "writes to a place that others read"},
	{"--requests 100000", "takes minutes"},
	{"digesto corpus vectors", "needs the model that not every build carries"},
	{"digesto bench question", "needs the model that not every build carries"},
	{"--texts ./historico", "needs copies of the law of many days"},
}

// mayFail are the examples that measure, and say by exit code 7 that the law of the
// test is not the law that they measure.
var mayFail = regexp.MustCompile(`^digesto (eval|doctor|pack check --law)`)

// slowExample are those that take seconds each.
var slowExample = regexp.MustCompile(`^digesto (eval (temporal|dialogues|pack)|bench load|tune)`)

// TestExamples runs every example of every help in a shell, each over its own copy
// of a small data folder and of the files that it names. Without DIGESTO_LONG, the
// first of each command that a test can run and that takes less than seconds.
func TestExamples(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	template := exampleHome(t)
	seen, begun := map[string]bool{}, map[string]bool{}
	var ran atomic.Int32
	t.Cleanup(func() {
		if n := ran.Load(); int(n) < long.Of(90, 50) && !t.Failed() {
			t.Errorf("%d examples only", n)
		}
	})
	for _, ex := range examplesOf(t) {
		line := ex.line
		if seen[line] {
			continue
		}
		seen[line] = true
		t.Run(line, func(t *testing.T) {
			for _, n := range notRun {
				if strings.Contains(line, n.holds) {
					t.Skip(n.why)
				}
			}
			if slowExample.MatchString(line) || begun[ex.command] {
				long.Only(t, "takes seconds, or the command has run")
			}
			begun[ex.command] = true
			t.Parallel()
			ran.Add(1)
			home := t.TempDir()
			if err := os.CopyFS(home, os.DirFS(template)); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(bash, "-o", "pipefail", "-c", exampleHere(line, home))
			cmd.Dir = home
			cmd.Env = append(os.Environ(), "HOME="+home, "DIGESTO_DATA="+filepath.Join(home, "datos"), "PATH="+filepath.Join(home, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != 0 && (code != 7 || !mayFail.MatchString(line)) {
				t.Errorf("exit %d, %v\n%.2000s", code, err, out)
			}
			if strings.Contains(string(out), "goroutine ") {
				t.Errorf("it breaks: %.2000s", out)
			}
		})
	}
}

// example is a line of the help of a command.
type example struct{ command, line string }

// examplesOf are the examples of all commands, in the order of the help.
func examplesOf(t *testing.T) (out []example) {
	e, _, _ := testEnv(nil)
	var c cli
	p, err := newParser(&c, newApp(context.Background(), e))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		if n.Target.IsValid() && n.Target.CanAddr() {
			if ex, ok := n.Target.Addr().Interface().(manual.Exampler); ok {
				for _, line := range ex.Examples() {
					out = append(out, example{n.FullPath(), line})
				}
			}
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(p.Model.Node)
	return out
}

// exampleHere makes an example's places those of a test, and its trace and key ones that are there.
func exampleHere(line, home string) string {
	packs, _ := filepath.Abs(filepath.Join("..", "..", "packs"))
	id := func(name string) string {
		data, _ := os.ReadFile(filepath.Join(home, name))
		return strings.TrimSpace(string(data))
	}
	return strings.NewReplacer("/srv/digesto", home+"/datos", "/usr/local/share/man/man1", home, "3f2a9c1b7d5e4f60", id("traza"), "3f0c…", id("publica"), "k3j5x2abcd", id("clave"), "CLAVE", id("auditora"), "LÍNEA:FIRMA", id("firma"), "restore copia.tar.gz", "restore hecha.tar.gz",
		"digesto tune", "digesto tune --digest "+packs).Replace(line)
}

// exampleHome makes the files that examples name, and a data folder.
func exampleHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	law := `{"_id":"BOE-A-2015-11430/a38/2001","title":"Artículo 38. Descanso","text":"El farero tiene diez días de descanso al año.","metadata":{"norm":"BOE-A-2015-11430","norm_title":"Ley 1/2001, de los Faros","rank":"ley","jurisdiction":"es","unit":"a38","version":"2001","valid_from":"2001-01-01","valid_to":"2022-01-01"}}
{"_id":"BOE-A-2015-11430/a38/2022","title":"Artículo 38. Descanso","text":"El farero tiene veinte días de descanso al año.","metadata":{"norm":"BOE-A-2015-11430","unit":"a38","version":"2022","valid_from":"2022-01-01"}}
{"_id":"BOE-A-2015-11430/a48/2001","title":"Artículo 48. Relevo","text":"El relevo del farero se avisa con dos días, según el artículo 38.","metadata":{"norm":"BOE-A-2015-11430","unit":"a48","version":"2001","valid_from":"2001-01-01"}}
{"_id":"BOE-A-2015-11430/a54/2001","title":"Artículo 54. Despido","text":"El despido del farero se comunica por escrito y con sus causas.","metadata":{"norm":"BOE-A-2015-11430","unit":"a54","version":"2001","valid_from":"2001-01-01"}}
`
	md := "# Ley 7/2003, de las Boyas\n\n**Artículo 1. Objeto.**\n\nEsta ley regula las boyas del puerto.\n"
	corpus := `{"_id":"BOE-A-2015-10566/a1","title":"Lámpara","text":"La lámpara del faro se enciende al ponerse el sol.","metadata":{"norm":"BOE-A-2015-10566","rank":"ley"}}
{"_id":"d2/a1","title":"Descanso","text":"El farero descansa veinte días al año.","metadata":{"norm":"d2","rank":"orden"}}
`
	queries := "{\"_id\":\"q1\",\"text\":\"lámpara del faro\",\"question\":\"¿Cuándo se enciende la lámpara del faro?\"}\n{\"_id\":\"q2\",\"text\":\"descanso del farero\",\"question\":\"¿Qué descanso tiene el farero?\"}\n"
	qrels := "query-id\tcorpus-id\tscore\nq1\tBOE-A-2015-10566/a1\t1\nq2\td2/a1\t1\n"
	exam := `{"id":"1","question":"¿Cuándo se enciende la lámpara del faro?","question_masked":"¿Cuándo se enciende la lámpara?","options":["Al amanecer","Al ponerse el sol"],"correct":1}` + "\n"
	pdf := smallPDF("CONTRATO DE FAROS", "Articulo 1. Objeto.", "El farero cuidara del faro.", "Articulo 2. Preaviso.", "El farero dara un plazo de preaviso de quince dias.")
	files := map[string]string{
		"ley.jsonl": law, "leyes/boyas.md": md, "sentencias.jsonl": strings.ReplaceAll(law, "BOE-A-2015-11430", "STS-1"), "legalize-es/es/BOE-A-2015-11430.md": md,
		"norma-1.jsonl": strings.ReplaceAll(law, "BOE-A-2015-11430", "norma-1"), "norma-2.jsonl": strings.ReplaceAll(law, "BOE-A-2015-11430", "norma-2"),
		"contrato.pdf": string(pdf), "codigo.pdf": string(pdf), "escrito.pdf": string(pdf), "demanda.md": "Según el artículo 38 del Estatuto de los Trabajadores, el farero descansa.\n",
		"servicios.txt": "tres consultas verbales\nuna consulta por escrito\n", "recurso.docx": briefDOCX(t, trueBrief), "preguntas.jsonl": queries, "corpus.jsonl": corpus, "leyes.jsonl": corpus,
		"conjunto/corpus.jsonl": corpus, "conjunto/queries.jsonl": queries, "conjunto/qrels.tsv": qrels, "examen/corpus.jsonl": strings.ReplaceAll(corpus, "/a1", ":a1"), "examen/queries.jsonl": queries, "examen/qrels.tsv": strings.ReplaceAll(qrels, "/a1", ":a1"), "examen/questions.jsonl": exam,
		"guias/corpus.jsonl": corpus, "guias/queries.jsonl": queries, "guias/qrels.tsv": qrels, "clave.hex": strings.Repeat("07", 32) + "\n",
		"textos.jsonl": `{"_id":"uno","truth":"false","kind":"figure","text":"Según el artículo 38 del Estatuto de los Trabajadores, «el farero descansa dos días»."}` + "\n", "misdialogos.jsonl": `{"_id":"uno","kind":"clear","turns":[{"say":"hola","expect":"non_legal"}]}` + "\n", "base.f32": strings.Repeat("\x00\x00\x80\x3f", 384*20), "query.f32": strings.Repeat("\x00\x00\x80\x3f", 384*2),
		".zfunc/x": "", ".config/fish/completions/x": "", "eval/golden/x": "",
	}
	for name, text := range files {
		put(t, filepath.Join(home, name), text, 0o644)
	}
	for name, text := range map[string]string{"jq": "cat >/dev/null", "pbpaste": "cat demanda.md", "man": "cat >/dev/null"} {
		put(t, filepath.Join(home, "bin", name), "#!/bin/sh\n"+text+"\n", 0o755)
	}
	for from, to := range map[string]string{"clara": "mi-ambito", "es": "es"} {
		if err := os.CopyFS(filepath.Join(home, to), os.DirFS(filepath.Join("..", "..", "packs", from))); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"digesto corpus add leyes --pack laboral", "digesto corpus add ley.jsonl --pack laboral", "digesto corpus add corpus.jsonl --pack peru",
		`digesto ask --json "¿Cuántos días de vacaciones me corresponden al año?" | sed -n 's/.*"trace_id": *"\([^"]*\)".*/\1/p' > traza`,
		"digesto corpus add norma-1.jsonl norma-2.jsonl", "digesto keys add ana", "digesto keys add programa", `digesto keys list --json | sed -n 's/.*"id": *"\([^"]*\)".*/\1/p' | head -1 > clave`,
		"digesto corpus export leyes.digesto --key clave.hex | tr ' ' '\\n' | grep -E '^[0-9a-f]{64}' | tail -1 > publica", "digesto backup hecha.tar.gz", "digesto bench engine index corpus.jsonl indice", "digesto verify escrito.pdf",
		`digesto audit verify --json | sed -n 's/.*"key": *"\([^"]*\)".*/\1/p' > auditora`, `digesto audit verify --json | sed -n 's/.*"checkpoint": *"\([^"]*\)".*/\1/p' > firma`,
	} {
		cmd := exec.Command("bash", "-o", "pipefail", "-c", line)
		cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home, "DIGESTO_DATA="+filepath.Join(home, "datos"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	return home
}

func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
