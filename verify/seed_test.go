package verify_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/internal/shareddata"
	"digesto/text/figure"
	"digesto/verify"
)

// code is the official PDF, read once.
var code struct {
	once sync.Once
	snap *corpus.Snapshot
	err  error
}

// realCode gives the grounds of the official PDF that the contract's own
// examples cite: every unit in force.
func realCode(t *testing.T) (*corpus.Snapshot, []verify.Ground) {
	t.Helper()
	path := filepath.Join(shareddata.Dir(t, "corpora/peru-tributario/pdf"), "Codigo-Tributario-Sunat.pdf")
	code.once.Do(func() {
		data, err := os.ReadFile(path)
		if err != nil {
			code.err = err
			return
		}
		docs, _, err := ingest.ReadFile(context.Background(), path, data, ingest.Options{Pack: "peru"})
		code.snap, code.err = corpus.Memory(docs...), err
	})
	if code.err != nil {
		t.Fatal(code.err)
	}
	var list []verify.Ground
	for _, n := range code.snap.Norms() {
		for u := range code.snap.Units(n.ID) {
			if v, err := code.snap.Text(n.ID, u.ID, ""); err == nil {
				list = append(list, verify.Ground{Norm: n, Unit: u, Version: v})
			}
		}
	}
	return code.snap, list
}

// opening is the beginning of a text, n code points at most, cut at a space.
func opening(text string, n int) string {
	rs := []rune(text)
	if len(rs) <= n {
		return text
	}
	s := string(rs[:n])
	return s[:strings.LastIndexAny(s, " \n")]
}

// TestSeedSamplesAreRejected runs the sample answers of the contract's first
// document through the validator: their quotations are not in the document that
// they name.
func TestSeedSamplesAreRejected(t *testing.T) {
	raw, err := os.ReadFile(shareddata.Dir(t, "seeds/peru-contrato-de-prompts.md"))
	if err != nil {
		t.Skip(err)
	}
	_, list := realCode(t)
	g := verify.Grounds{List: list, Confidence: 1, Locale: figure.LocaleOf("es-PE")}
	samples := 0
	for _, block := range strings.Split(string(raw), "```json")[1:] {
		body, _, _ := strings.Cut(block, "```")
		var sample struct {
			Citations []struct {
				Quote string `json:"quote"`
			} `json:"citations"`
			Confidence any `json:"confidence"`
		}
		if json.Unmarshal([]byte(body), &sample) != nil || len(sample.Citations) == 0 {
			continue
		}
		if _, number := sample.Confidence.(float64); !number {
			continue // the description of the format, not a sample
		}
		samples++
		named := strings.ReplaceAll(body, "Codigo-Tributario-Sunat.pdf", list[0].Norm.Source)
		got := verify.Contract([]byte(named), g)
		if got.Result != verify.ResultRefusal || len(got.Answer.Citations) > 0 || !got.Answer.Refusal {
			t.Errorf("sample %d passed: %v %+v", samples, got.Failed, got.Answer.Citations)
		}
		if len(got.Failed) == 0 || got.Failed[0] != verify.CheckQuote {
			t.Errorf("sample %d failed for another reason: %v", samples, got.Failed)
		}
	}
	if samples != 2 {
		t.Errorf("%d samples found, want 2", samples)
	}
}

// TestRealQuotesPass is the other side: stored sentences of the same document
// pass, and a wrong page is corrected to the real one.
func TestRealQuotesPass(t *testing.T) {
	s, list := realCode(t)
	g := verify.Grounds{List: list, Confidence: 1, Locale: figure.LocaleOf("es-PE")}
	for unit, pages := range map[string][]int{"a137": {118, 119}, "a43": {28}} {
		for _, gr := range list {
			if gr.Unit.ID != unit {
				continue
			}
			quote := opening(gr.Version.Text, 80)
			raw, err := json.Marshal(map[string]any{"answer": "El texto citado lo establece.", "confidence": .9, "refusal": false, "notes": nil,
				"citations": []any{map[string]any{"quote": quote, "source": gr.Norm.Source, "page": 45}}})
			if err != nil {
				t.Fatal(err)
			}
			got := verify.Contract(raw, g)
			if len(got.Answer.Citations) != 1 || got.Answer.Citations[0].Page == nil || *got.Answer.Citations[0].Page != pages[0] {
				t.Errorf("%s: %v %+v", unit, got.Failed, got.Answer.Citations)
				continue
			}
			if v := verify.Quote(got.Answer.Citations[0], s, ""); v != verify.Proved {
				t.Errorf("%s: %s", unit, v)
			}
		}
	}
}

// TestFormerWordingIsRejected: a sentence that stands only in a box of former
// wording is verbatim, and still no law in force.
func TestFormerWordingIsRejected(t *testing.T) {
	s, list := realCode(t)
	g := verify.Grounds{List: list, Confidence: 1, Locale: figure.LocaleOf("es-PE")}
	tried, passed := 0, 0
	for _, gr := range list {
		for _, v := range gr.Unit.Versions {
			if v.Current || tried >= 200 {
				continue
			}
			quote := opening(v.Text, 80)
			if len(quote) < 40 || strings.Contains(gr.Version.Text, quote) {
				continue
			}
			tried++
			raw, _ := json.Marshal(map[string]any{"answer": "El texto citado lo establece.", "confidence": .9, "refusal": false, "notes": nil,
				"citations": []any{map[string]any{"quote": quote, "source": gr.Norm.Source, "page": nil}}})
			got := verify.Contract(raw, g)
			for _, c := range got.Answer.Citations { // the same words may be in force elsewhere
				if c.Ref.Unit == gr.Unit.ID || verify.Quote(c, s, "") != verify.Proved {
					passed++
				}
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d former wordings in the document", tried)
	}
	if passed > 0 {
		t.Errorf("%d of %d former wordings passed as law in force", passed, tried)
	}
}
