package e5

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/internal/shareddata"
	assets "digesto/third_party/e5"
)

func files() Files {
	return Files{Model: assets.Model, Static: assets.Static, Pieces: assets.Pieces}
}

func load(tb testing.TB, opt Options) *Model {
	tb.Helper()
	if assets.Model == "" {
		tb.Skip("built without the model (digesto_nomodel)")
	}
	m, err := New(files(), opt)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// TestSums ties the files in third_party to the sums in their README.
func TestSums(t *testing.T) {
	readme, err := os.ReadFile("../../third_party/e5/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{assets.Model, assets.Static, assets.Pieces} {
		if f == "" {
			t.Skip("built without the model (digesto_nomodel)")
		}
		sum := sha256.Sum256([]byte(f))
		if !bytes.Contains(readme, []byte(hex.EncodeToString(sum[:]))) {
			t.Errorf("sum %x is not in the README", sum)
		}
	}
	if sum := sha256.Sum256([]byte(assets.Model)); hex.EncodeToString(sum[:]) != assets.Sum {
		t.Errorf("the weights have the sum %x", sum)
	}
}

// TestAsk: in the space of asks two ways of asking one thing stand nearer than two
// things, by more than in the space of articles; portable code gives the same in both; and
// weights cut short are told.
func TestAsk(t *testing.T) {
	m, slow := load(t, Options{}), load(t, Options{Portable: true})
	pairs := [][2]string{
		{"cuantas vacaciones me tocan al año", "mi jefe dice que con tres semanas de descanso en verano voy servida"},
		{"me echaron sin carta ni nada, que puedo hacer", "Ayer el encargado me dijo que no volviera más y no me dio ningún papel. ¿Cómo reclamo?"},
		{"hasta cuando paga mi ex la comida del nene", "El padre de mi hijo quiere dejar de pasarme plata porque el chico ya cumplió 18."},
	}
	gain := func(of func(context.Context, string) ([]float32, error)) (sum float64) {
		for i, x := range pairs {
			var v [3][]float32
			for k, q := range []string{x[0], x[1], pairs[(i+1)%len(pairs)][1]} {
				var err error
				if v[k], err = of(t.Context(), q); err != nil || !(math.Abs(dot(v[k], v[k])-1) < 1e-3) {
					t.Fatalf("%q: %v", q, err)
				}
			}
			sum += dot(v[0], v[1]) - dot(v[0], v[2])
		}
		return sum
	}
	if asks, articles := gain(m.Ask), gain(m.Query); asks <= articles {
		t.Errorf("another way to ask it is %.3f nearer than another question, for articles %.3f", asks, articles)
	} else {
		t.Logf("another way to ask it is %.3f nearer than another question, for articles %.3f", asks, articles)
	}
	for _, of := range []func(*Model, context.Context, string) ([]float32, error){(*Model).Ask, (*Model).Query} {
		a, err1 := of(m, t.Context(), pairs[1][1])
		b, err2 := of(slow, t.Context(), pairs[1][1])
		if err1 != nil || err2 != nil || dot(a, b) < .99 {
			t.Errorf("the portable code: %.5f, %v %v", dot(a, b), err1, err2)
		}
	}
	f := files()
	f.Model = f.Model[:len(f.Model)-4]
	if _, err := New(f, Options{}); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("weights cut short: %v", err)
	}
}

// published is the model as it was published, which the references are of: the same code runs
// it, without the spaces that our weights add.
func published(tb testing.TB, opt Options) *Model {
	tb.Helper()
	m := load(tb, opt)
	raw, err := os.ReadFile(filepath.Join(shareddata.Dir(tb, "models/e5-es"), "model.safetensors"))
	if err != nil {
		tb.Fatal(err)
	}
	net, err := newNetwork(string(raw))
	if err != nil {
		tb.Fatal(err)
	}
	if m.level == levelVNNI {
		net.prepareBytes()
	}
	return &Model{tok: m.tok, net: net, static: m.static, level: m.level}
}

// TestMapKeepsArticlesNear: questions and articles stand, by the map, where the model as it was
// published puts them, and one text's two vectors cost one pass.
func TestMapKeepsArticlesNear(t *testing.T) {
	was, m := published(t, Options{}), load(t, Options{})
	sum, n := 0., 0
	for i, r := range references(t) {
		if i%4 > 0 {
			continue
		}
		p, err := was.pass(t.Context(), r.Text)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(p[:Dims])
		centre(want, m.static.mean)
		got, err := m.amongArticles(t.Context(), r.Text)
		if err != nil {
			t.Fatal(err)
		}
		sum, n = sum+dot(got, want), n+1
	}
	t.Logf("cosine of %d texts to the model as published, the mean taken out: %.3f", n, sum/float64(n))
	if !(sum/float64(n) > .85) {
		t.Errorf("the map leads elsewhere: %.3f", sum/float64(n))
	}
	if _, err := m.Ask(t.Context(), "¿Y si no pago?"); err != nil {
		t.Fatal(err)
	}
	p := m.last.Load()
	if _, err := m.Query(t.Context(), "¿Y si no pago?"); err != nil || m.last.Load() != p {
		t.Errorf("a question went through twice: %v", err)
	}
}

type reference struct {
	Text string  `json:"text"`
	IDs  []int32 `json:"ids"`
	vec  []float32
}

// references reads the 200 reference texts with the vectors of the float32 arithmetic.
func references(tb testing.TB) []reference {
	dir := shareddata.Dir(tb, "models/e5-es")
	f, err := os.Open(filepath.Join(dir, "reference.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var out []reference
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r reference
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		out = append(out, r)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "reference.safetensors"))
	if err != nil {
		tb.Fatal(err)
	}
	st, err := readTensors(string(raw))
	if err != nil {
		tb.Fatal(err)
	}
	v, err := st.floats("reference_f32", len(out), Dims)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range out {
		out[i].vec = v[i*Dims : (i+1)*Dims]
	}
	if len(out) != 200 {
		tb.Fatalf("%d references, want 200", len(out))
	}
	return out
}

func TestTokensEqualTheReference(t *testing.T) {
	m := load(t, Options{})
	for _, r := range references(t) {
		if got := m.Tokens(r.Text); !slices.Equal(got, r.IDs) {
			t.Errorf("%q:\n got %v\nwant %v", r.Text, got, r.IDs)
		}
	}
}

func TestVectorsEqualTheReference(t *testing.T) {
	refs := references(t)
	for name, opt := range map[string]Options{"simd": {}, "portable": {Portable: true}} {
		t.Run(name, func(t *testing.T) {
			if name == "simd" && fastest() == levelPortable {
				t.Skip("this CPU or build has no assembly")
			}
			m := published(t, opt)
			low, sum, n := 1.0, 0.0, 0
			for i, r := range refs {
				if name == "portable" && (i%10 != 0 || testing.Short() && (n == 2 || len(r.IDs) > 30)) {
					continue // slow, and its kernels are held equal to the others below
				}
				n++
				v, err := m.pass(context.Background(), r.Text)
				if err != nil {
					t.Fatal(err)
				}
				c := dot(v[:Dims], r.vec)
				low, sum = min(low, c), sum+c
			}
			t.Logf("cosine to the float32 reference: lowest %.5f, mean %.5f", low, sum/float64(n))
			if !(low >= .998) { // so that NaN fails too
				t.Errorf("lowest cosine %.5f, want ≥ .998", low)
			}
		})
	}
}

func dot(a, b []float32) (s float64) {
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

// tokenizerOf is the tokenizer of a vocabulary and a table as people write them.
func tokenizerOf(vocabulary, normalise string) (*tokenizer, error) {
	file, err := PackPieces(vocabulary, normalise)
	if err != nil {
		return nil, err
	}
	return newTokenizer(file)
}

// uncut is a tokenizer that does not know where words end.
func uncut(t *tokenizer) *tokenizer {
	all, p := *t, *t.pieces
	all.pieces, p.crosses = &p, true
	return &all
}

// TestPieces ties the file of the tokenizer to the vocabulary and the table that it is made from.
func TestPieces(t *testing.T) {
	var of [2]string
	for i, name := range []string{"vocab.tsv", "normalise.tsv"} {
		data, err := os.ReadFile(filepath.Join("../../third_party/e5", name))
		if err != nil {
			t.Fatal(err)
		}
		of[i] = string(data)
	}
	if made, err := PackPieces(of[0], of[1]); err != nil || assets.Pieces != "" && made != assets.Pieces {
		t.Errorf("pieces.bin is not what go generate ./third_party/e5 makes: %v", err)
	}
	for _, bad := range [][2]string{{"x\ty\n", ""}, {"0\n", ""}, {of[0], "zz\t\n"}, {of[0], "9\n"}, {of[0], "A\t\n9\t\n"}} {
		if _, err := PackPieces(bad[0], bad[1]); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%.10q, %q: %v", bad[0], bad[1], err)
		}
	}
}

// TestWordByWord cuts texts with and without knowing where words end: real words, some of
// which are long, repeated or of no known piece, up to every limit.
func TestWordByWord(t *testing.T) {
	m := load(t, Options{})
	if m.tok.crosses {
		t.Fatal("a piece of the vocabulary goes on beyond a space")
	}
	whole := uncut(m.tok)
	var l, one lattice
	long := strings.Repeat("https://ejemplo.es/a-b_c?d=☃&", 40)
	for _, r := range references(t) {
		text := r.Text + " " + long + " ☃☃ ☃ " + r.Text
		for _, limit := range []int{1, 7, 64, 512} {
			got, want := m.tok.encode(nil, &l, text, limit), whole.encode(nil, &one, text, limit)
			if !slices.Equal(got, want) {
				t.Fatalf("limit %d, %q:\n got %v\nwant %v", limit, text, got, want)
			}
		}
	}
	t2, err := tokenizerOf("0\t<s>\n0\t<pad>\n0\t</s>\n0\t<unk>\n-1\ta▁b\n-2\t▁\n-3\ta\n-3\tb\n", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := t2.encode(nil, &lattice{}, "a b", 9); !slices.Equal(got, []int32{5, 4}) {
		t.Errorf("a piece of two words: %v", got)
	}
}

func TestStaticSumEqualsThePortableCode(t *testing.T) {
	if fastest() == levelPortable {
		t.Skip("this CPU or build has no assembly")
	}
	m := load(t, Options{})
	for _, r := range references(t) {
		a, b := make([]float32, Dims), make([]float32, Dims)
		m.static.sum(a, r.IDs, levelSIMD)
		m.static.sum(b, r.IDs, levelPortable)
		if !slices.Equal(a, b) {
			t.Fatalf("%q: the sums differ", r.Text)
		}
	}
}

func TestKernelsEqualThePortableCode(t *testing.T) {
	if fastest() == levelPortable {
		t.Skip("this CPU or build has no assembly")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		in, tokens := 16*(1+r.IntN(96)), 4*(1+r.IntN(4))
		l := randomLinear(r, 3*(1+r.IntN(8)), in)
		x := make([]float32, tokens*in)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		a, b := &workspace{}, &workspace{}
		for _, w := range []*workspace{a, b} {
			w.quant, w.scale, w.y = make([]int16, len(x)), make([]float32, tokens), make([]float32, tokens*l.out)
		}
		l.apply(a, x, tokens, a.y, levelSIMD)
		l.apply(b, x, tokens, b.y, levelPortable)
		if !slices.Equal(a.quant, b.quant) || !slices.Equal(a.scale, b.scale) {
			t.Fatal("quantised activations differ")
		}
		for i := range a.y {
			if !(math.Abs(float64(a.y[i]-b.y[i])) <= 1e-4*(1+math.Abs(float64(b.y[i])))) {
				t.Fatalf("product %d: %v, portable %v", i, a.y[i], b.y[i])
			}
		}
		g, h := slices.Clone(x[:16]), slices.Clone(x[:16])
		activate(g, levelSIMD)
		activate(h, levelPortable)
		for i := range g {
			if !(math.Abs(float64(g[i]-h[i])) <= 1e-6) {
				t.Fatalf("gelu(%v) = %v, portable %v", x[i], g[i], h[i])
			}
		}
	}
}

// TestAttentionEqualsThePortableCode covers the exponential and the weighted sum.
func TestAttentionEqualsThePortableCode(t *testing.T) {
	if fastest() == levelPortable {
		t.Skip("this CPU or build has no assembly")
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, tokens := range []int{1, 3, 15, 16, 17, 64} {
		stride := (tokens + 15) &^ 15
		q, keys, values := make([]float32, headDim), make([]float32, headDim*stride), make([]float32, tokens*3*Dims)
		for i := range q {
			q[i] = float32(r.NormFloat64())
			for s := range tokens {
				keys[i*stride+s] = float32(r.NormFloat64())
			}
		}
		for i := range values {
			values[i] = float32(r.NormFloat64())
		}
		prob, a, b := make([]float32, stride), make([]float32, headDim), make([]float32, headDim)
		attendOne(q, keys, stride, values, tokens, prob, a, levelSIMD)
		attendOne(q, keys, stride, values, tokens, prob, b, levelPortable)
		for i := range a {
			if !(math.Abs(float64(a[i]-b[i])) <= 1e-4) {
				t.Fatalf("%d tokens: %v, portable %v", tokens, a[i], b[i])
			}
		}
	}
}

func TestQueryFindsItsArticle(t *testing.T) {
	m := load(t, Options{})
	ctx := context.Background()
	q, err := m.Query(ctx, "¿cuántos días libres tengo al año?")
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"Del descanso anual\nToda persona empleada disfrutará de un periodo de descanso anual pagado.",
		"De la caza\nSe prohíbe la caza de especies protegidas.", "Del registro\nLas escrituras se inscriben en el registro."}
	ps, err := m.Passages(ctx, texts)
	if err != nil {
		t.Fatal(err)
	}
	st := make([]float32, Dims)
	for i := 1; i < len(texts); i++ {
		if !(dot(q, ps[0]) > dot(q, ps[i])) {
			t.Errorf("passage %d is nearer than the one that answers", i)
		}
	}
	m.Static(st, texts[0])
	first := dot(q, st)
	for _, other := range texts[1:] {
		m.Static(st, other)
		if !(first > dot(q, st)) {
			t.Errorf("static: %q is nearer than the one that answers", other)
		}
	}
}

func TestEmptyAndOddTexts(t *testing.T) {
	m := load(t, Options{})
	for _, s := range []string{"", " ", "\x00", "\xff\xfe", strings.Repeat("a", 1<<20), strings.Repeat("😀", 3000), "\u00ad\u00ad"} {
		v, err := m.Query(context.Background(), s)
		if err != nil || len(v) != Dims || !(math.Abs(dot(v, v)-1) <= 1e-3) {
			t.Errorf("%.10q: %v, length² %v", s, err, dot(v, v))
		}
	}
	st := make([]float32, Dims)
	m.Static(st, "")
	if dot(st, st) != 0 {
		t.Error("a text without pieces has a vector")
	}
}

func TestCancelled(t *testing.T) {
	m := load(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Query(ctx, "plazo"); !errors.Is(err, context.Canceled) {
		t.Fatalf("err = %v", err)
	}
}

func TestSteadyStateAllocatesTheVectorOnly(t *testing.T) {
	m := load(t, Options{})
	text := strings.Repeat("el plazo de presentación ", 10)
	st := make([]float32, Dims)
	if _, err := m.Query(context.Background(), text); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(5, func() { m.Static(st, text) }); n > 0 {
		t.Errorf("Static allocates %v times", n)
	}
	if n := testing.AllocsPerRun(5, func() { _, _ = m.Query(context.Background(), text) }); n > 3 {
		t.Errorf("Query allocates %v times", n)
	}
}

func TestDamagedFiles(t *testing.T) {
	if assets.Model == "" {
		t.Skip("built without the model (digesto_nomodel)")
	}
	for name, change := range map[string]func(*Files){
		"none":      func(f *Files) { *f = Files{} },
		"cut":       func(f *Files) { f.Model = f.Model[:len(f.Model)-1] },
		"short":     func(f *Files) { f.Model = f.Model[:4] },
		"header":    func(f *Files) { f.Model = f.Model[:8] + "x" + f.Model[9:] },
		"pieces":    func(f *Files) { f.Pieces = f.Pieces[:1000] },
		"no pieces": func(f *Files) { f.Pieces = "" },
		"static":    func(f *Files) { f.Static = f.Static[:100] },
	} {
		f := files()
		change(&f)
		if _, err := New(f, Options{}); digesto.CodeOf(err) == "" || digesto.CodeOf(err) == digesto.CodeInternal {
			t.Errorf("%s: err = %v", name, err)
		}
	}
}

func FuzzTensors(f *testing.F) {
	f.Add("\x10\x00\x00\x00\x00\x00\x00\x00{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}aaaa")
	f.Fuzz(func(t *testing.T, file string) {
		st, err := readTensors(file)
		if err != nil {
			return
		}
		for name := range st.table {
			if v, err := st.floats(name, -1); err == nil && len(v)*4 > len(file) {
				t.Fatalf("%d floats from %d bytes", len(v), len(file))
			}
			if _, err := st.int8s(name, -1, Dims); err == nil && len(file) < Dims && st.table[name].Shape[0] != 0 {
				t.Fatal("array longer than its file")
			}
		}
	})
}

func FuzzEncode(f *testing.F) {
	t, err := tokenizerOf("0\t<s>\n0\t<pad>\n0\t</s>\n0\t<unk>\n-1\ta\n-2\t▁\n-3\tab\n", "9\t20\n")
	if err != nil {
		f.Fatal(err)
	}
	f.Add("a ab\tb", 5)
	f.Add("ab▁▁ ab "+strings.Repeat("ab ñ", 40), 9)
	slow := uncut(t)
	f.Fuzz(func(tt *testing.T, s string, limit int) {
		limit = max(1, min(limit, 300))
		var l, whole lattice
		ids := t.encode(nil, &l, s, limit)
		if again := t.encode(nil, &l, s, limit); !slices.Equal(ids, again) {
			tt.Fatalf("%v, then %v with the words known", ids, again)
		}
		if want := slow.encode(nil, &whole, s, limit); !slices.Equal(ids, want) {
			tt.Fatalf("word by word %v, the whole text at once %v", ids, want)
		}
		if len(ids) > limit {
			tt.Fatalf("%d ids, limit %d", len(ids), limit)
		}
		for _, id := range ids {
			if id < 0 || int(id) >= t.score.len() {
				tt.Fatalf("id %d", id)
			}
		}
	})
}

func BenchmarkQuery20(b *testing.B)         { benchmarkEmbed(b, Options{}, 20) }
func BenchmarkQuery20Portable(b *testing.B) { benchmarkEmbed(b, Options{Portable: true}, 20) }
func BenchmarkArticle200(b *testing.B)      { benchmarkEmbed(b, Options{}, 200) }

func benchmarkEmbed(b *testing.B, opt Options, tokens int) {
	m := load(b, opt)
	ids := m.Tokens(strings.Repeat("el plazo de la prestación será fijado por la norma ", 40))[:tokens]
	w, out := m.workspace(), make([]float32, means)
	b.ReportAllocs()
	for b.Loop() {
		if err := m.net.forward(context.Background(), w, ids, out, m.level); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		load(b, Options{})
	}
}

func BenchmarkStatic(b *testing.B) {
	m := load(b, Options{})
	text := strings.Repeat("el plazo de la prestación será fijado por la norma que la regule. ", 25)
	dst := make([]float32, Dims)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		m.Static(dst, text)
	}
}
