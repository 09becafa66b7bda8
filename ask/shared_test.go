package ask

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/decide"
	"digesto/digest"
	"digesto/extract"
	"digesto/index"
	"digesto/internal/shareddata"
	"digesto/model"
	"digesto/model/e5"
	"digesto/packs"
	"digesto/query"
	assets "digesto/third_party/e5"
	"digesto/verify"
)

// installed is the law of the shared corpora, read once for all tests.
var installed struct {
	once sync.Once
	view query.View
	err  error
}

// sharedEngine answers from the texts of the shared corpora alone, with the real packs.
func sharedEngine(t testing.TB) (*Engine, query.View) {
	t.Helper()
	root := shareddata.Dir(t, "corpora")
	if testing.Short() {
		t.Skip("reads all shared corpora")
	}
	installed.once.Do(func() { installed.view, installed.err = install(t.TempDir(), root) })
	if installed.err != nil {
		t.Fatal(installed.err)
	}
	return realEngine(t, installed.view, nil), installed.view
}

func install(dir, root string) (query.View, error) {
	ctx := context.Background()
	lib, err := corpus.Open(dir, corpus.Options{})
	if err != nil {
		return query.View{}, err
	}
	for _, a := range []struct{ pack, path string }{
		{"laboral", "laboral-es/normas"}, {"laboral", "laboral-es/historico"}, {"peru", "peru-tributario/pdf"}, {"peru", "peru-tributario/normas"},
		{"argentina", "derecho-ar/normas"}, {"clara", "tramites-es/normas"}, {"jus", "jus-cordoba/ley-9459.md"},
	} {
		if _, err := ingest.Add(ctx, lib, []string{root + "/" + a.path}, ingest.Options{Pack: a.pack}); err != nil {
			return query.View{}, err
		}
	}
	return inMemory(lib)
}

// inMemory takes what was installed out of its folder, which goes with its test.
func inMemory(lib *corpus.Library) (query.View, error) {
	ctx := context.Background()
	disk, err := lib.Current()
	if err != nil {
		return query.View{}, err
	}
	var docs []corpus.Document
	for _, n := range disk.Norms() {
		d := corpus.Document{Norm: n}
		for u := range disk.Units(n.ID) {
			d.Units = append(d.Units, u)
		}
		docs = append(docs, d)
	}
	s := corpus.Memory(docs...)
	x, err := index.Memory(ctx, s.Chunks(), index.BuildOptions{})
	return query.View{Snapshot: s, Searcher: x, State: "test"}, err
}

func realEngine(t testing.TB, law query.View, change func(*Options)) *Engine {
	t.Helper()
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := world{law: law, own: embeddedView(t, all...), packs: all}
	return w.engine(t, change)
}

// wholeEngine answers from the shared corpora as the program does: by the digest, and by
// the texts alone where it leads nowhere.
func wholeEngine(t testing.TB) (*Engine, query.View) {
	t.Helper()
	_, law := sharedEngine(t)
	return realEngine(t, law, byPackDigest), law
}

// byPackDigest lets the digest of the packs lead to places.
func byPackDigest(o *Options) {
	find := byDigest()
	o.Places, o.Entries, o.Asks, o.Covers = find.Find, find.Entries, find.Asks, find.Covers
}

// byDigest leads to places by the digest of the packs and the binary's encoder of questions.
var byDigest = sync.OnceValue(func() *decide.Finder {
	asks := e5.NewEmbedders(e5.Files{Model: assets.Model, Static: assets.Static, Pieces: assets.Pieces}, e5.Options{}).Asks
	return decide.NewFinder(decide.Options{
		Model: packs.Decide, Vectors: packs.DigestVectors,
		Files: func(name string) ([]digest.File, error) {
			files, _, err := digest.Pack(packs.FS(), name)
			return files, err
		},
		Vector: func(ctx context.Context, question string) ([]float32, error) {
			v, err := asks.Embed(ctx, []string{question}, model.Query)
			if err != nil {
				return nil, err
			}
			return v[0], nil
		},
	})
})

func askPack(t testing.TB, e *Engine, pack, q string) digesto.Answer {
	t.Helper()
	a, err := e.Ask(context.Background(), digesto.Question{Text: q, Pack: pack}, nil)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return a
}

func TestTargetAnswers(t *testing.T) {
	e, _ := wholeEngine(t)
	for _, c := range []struct {
		pack, q, document, unit string
		page                    int // 0 = none
		holds                   string
	}{
		{"laboral", "¿Cuántos días de vacaciones me corresponden al año?", "BOE-A-2015-11430", "a38", 0, "treinta días naturales"},
		{"peru", "¿Cuál es el plazo para presentar una reclamación tributaria?", "Codigo-Tributario-Sunat", "a137", 118, "veinte (20) días hábiles"},
		{"peru", "¿Qué es la NORMA XV?", "Codigo-Tributario-Sunat", "nXV", 7, "Unidad Impositiva Tributaria"},
		{"laboral", "art. 38 ET", "BOE-A-2015-11430", "a38", 0, "treinta días naturales"},
		{"peru", "artículo 137 del Código Tributario", "Codigo-Tributario-Sunat", "a137", 118, "veinte (20) días hábiles"},
		{"laboral", "Ley 39/2015, artículo 21", "BOE-A-2015-10565", "a21", 0, ""},
		{"laboral", "artículo 48.4 ET", "BOE-A-2015-11430", "a48", 0, "diecinueve semanas"},
		{"argentina", "artículo 150 de la LCT", "LEY-20744", "a150", 0, "catorce (14) días"},
	} {
		a := askPack(t, e, c.pack, c.q)
		if a.Meta.Outcome != digesto.OutcomeAnswer || len(a.Citations) == 0 {
			t.Errorf("%s: %s %s", c.q, a.Meta.Outcome, a.Answer)
			continue
		}
		first := a.Citations[0]
		if first.Ref.Document != c.document || first.Ref.Unit != c.unit {
			t.Errorf("%s: from %s/%s", c.q, first.Ref.Document, first.Ref.Unit)
		}
		if !strings.Contains(a.Answer, c.holds) {
			t.Errorf("%s: %s", c.q, a.Answer)
		}
		if c.page > 0 && (first.Page == nil || *first.Page != c.page) {
			t.Errorf("%s: page %v, want %d", c.q, first.Page, c.page)
		}
		if first.Ref.Place == "" || first.Ref.URL != "" || first.Ref.Version == "" || first.Ref.Official || !first.Ref.Supplied {
			t.Errorf("%s: no link, version or rank: %+v", c.q, first.Ref)
		}
	}
}

// TestLayQuestions holds the share of everyday questions whose first citation
// is of an article that answers. Raise the floor when it gets better.
func TestLayQuestions(t *testing.T) {
	e, v := sharedEngine(t)
	raw, err := os.ReadFile("testdata/lay.tsv")
	if err != nil {
		t.Fatal(err)
	}
	right, n, wrong := 0, 0, 0.0
	for line := range strings.Lines(string(raw)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 3 || line[0] == '#' {
			continue
		}
		n++
		a := askPack(t, e, f[0], f[1])
		provedAll(t, v, f[1], a)
		if len(a.Citations) > 0 && anyPlace(v, a.Citations[0], strings.Fields(f[2])) {
			right++
		} else {
			wrong += a.Confidence
		}
	}
	t.Logf("%d of %d right (%.3f); mean confidence of the others %.2f", right, n, float64(right)/float64(n), wrong/float64(n-right))
	if float64(right) < .62*float64(n) {
		t.Errorf("%d of %d right, fewer than before", right, n)
	}
}

// anyPlace compares by the norm that an identifier resolves to: one law may be
// installed under the name of its file.
func anyPlace(v query.View, c digesto.Citation, want []string) bool {
	for _, w := range want {
		norm, unit, _ := strings.Cut(w, "/")
		n, ok := v.Snapshot.Norm(norm)
		if unit == c.Ref.Unit && (norm == c.Ref.Document || ok && n.ID == c.Ref.Document) {
			return true
		}
	}
	return false
}

func provedAll(t testing.TB, v query.View, q string, a digesto.Answer) {
	t.Helper()
	if err := verify.Valid(a); err != nil {
		t.Errorf("%s: %v", q, err)
	}
	if a.Meta.Outcome == digesto.OutcomeAnswer && len(a.Citations) == 0 {
		t.Errorf("%s: an answer without source", q)
	}
	for _, c := range a.Citations {
		if !c.Ref.Official && !c.Ref.Supplied {
			continue // a fiche: proved by the engine against what is embedded
		}
		if p := verify.Quote(c, v.Snapshot, ""); p != verify.Proved {
			t.Errorf("%s: %s %q", q, p, c.Quote)
		}
	}
}

// quotedFromThere checks every quotation against the law or what the packs embed.
func quotedFromThere(t testing.TB, e *Engine, law query.View, question string, a digesto.Answer) {
	t.Helper()
	for _, q := range a.Citations {
		if verify.Quote(q, law.Snapshot, "") != verify.Proved && verify.Quote(q, e.opt.Embedded.Snapshot, "") != verify.Proved {
			t.Errorf("%s: quoted and not there: %q", question, q.Quote)
		}
	}
}

// TestNoFormerWordingIsQuoted asks with the words of repealed versions: what is
// quoted is always a version in force.
func TestNoFormerWordingIsQuoted(t *testing.T) {
	e, v := sharedEngine(t)
	asked := 0
	for u := range v.Snapshot.Units("Codigo-Tributario-Sunat") {
		for _, ver := range u.Versions {
			if ver.Current || len(ver.Text) < 200 || asked >= 60 {
				continue
			}
			asked++
			q := extract.Cut(strings.ReplaceAll(ver.Text, "\n", " "), 200)
			provedAll(t, v, q, askPack(t, e, "peru", q))
		}
	}
	if asked < 20 {
		t.Errorf("only %d former wordings found", asked)
	}
}

// TestExamStems asks the official exam stems over their own corpus: every
// quotation verbatim at its offsets, no answer without a source.
func TestExamStems(t *testing.T) {
	dir := shareddata.Dir(t, "evals/examen-dev")
	v := beirView(t, dir+"/corpus.jsonl")
	e := realEngine(t, v, nil)
	gold := map[string]map[string]bool{}
	eachLine(t, dir+"/qrels.tsv", func(line []byte) {
		f := strings.Split(string(line), "\t")
		if len(f) == 3 {
			if gold[f[0]] == nil {
				gold[f[0]] = map[string]bool{}
			}
			gold[f[0]][f[1]] = true
		}
	})
	n, right := 0, 0
	eachLine(t, dir+"/queries.jsonl", func(line []byte) {
		var q struct {
			ID   string `json:"_id"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		n++
		a := askPack(t, e, "laboral", q.Text)
		provedAll(t, v, q.Text, a)
		if len(a.Citations) > 0 && gold[q.ID][a.Citations[0].Ref.Document+":"+a.Citations[0].Ref.Unit] {
			right++
		}
	})
	t.Logf("%d stems, first quotation from the right article %.3f", n, float64(right)/float64(n))
	if float64(right) < .78*float64(n) {
		t.Errorf("first quotation right in %d of %d, fewer than before", right, n)
	}
}

func eachLine(t testing.TB, path string, f func([]byte)) {
	t.Helper()
	h, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	sc := bufio.NewScanner(h)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		f(sc.Bytes())
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
}

// beirView makes law of an evaluation corpus: one norm for each LAW of "LAW:aN".
func beirView(t testing.TB, path string) query.View {
	t.Helper()
	norms := map[string]int{}
	var docs []corpus.Document
	eachLine(t, path, func(line []byte) {
		var d struct {
			ID       string `json:"_id"`
			Title    string `json:"title"`
			Text     string `json:"text"`
			Metadata struct {
				LawTitle string `json:"law_title"`
			} `json:"metadata"`
		}
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		law, unit, _ := strings.Cut(d.ID, ":")
		k, ok := norms[law]
		if !ok {
			k = len(docs)
			norms[law] = k
			docs = append(docs, corpus.Document{Norm: digesto.Norm{ID: law, Title: d.Metadata.LawTitle, Jurisdiction: "es", Collection: "normativa", Source: law + ".md", Official: true}})
		}
		_, name, _ := strings.Cut(d.Title, " — ")
		label, rubric, _ := strings.Cut(name, ". ")
		docs[k].Units = append(docs[k].Units, digesto.Unit{ID: unit, Kind: digesto.KindArticle, Number: strings.TrimPrefix(unit, "a"), Label: label, Rubric: rubric,
			Versions: []digesto.Version{{ID: "1", Text: d.Text, Current: true}}})
	})
	return view(t, docs)
}

func BenchmarkAsk(b *testing.B) {
	e, _ := sharedEngine(b)
	raw, err := os.ReadFile("testdata/lay.tsv")
	if err != nil {
		b.Fatal(err)
	}
	var list []digesto.Question
	for line := range strings.Lines(string(raw)) {
		if f := strings.Split(line, "\t"); len(f) > 2 && line[0] != '#' {
			list = append(list, digesto.Question{Text: f[1], Pack: f[0]})
		}
	}
	var took []float64
	for i := 0; b.Loop(); i++ {
		began := b.Elapsed()
		if _, err := e.Ask(context.Background(), list[i%len(list)], nil); err != nil {
			b.Fatal(err)
		}
		took = append(took, float64((b.Elapsed()-began).Microseconds())/1000)
	}
	b.ReportMetric(quantile(took, .5), "p50-ms")
	b.ReportMetric(quantile(took, .95), "p95-ms")
}
