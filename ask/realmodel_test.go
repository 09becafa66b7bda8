package ask

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"digesto"
	"digesto/digest"
	"digesto/judge"
	"digesto/model"
	"digesto/model/openai"
)

// TestRealModel asks ten questions of every pack's digest, or as many as
// DIGESTO_REAL_QUESTIONS says, with a real small model that writes: whatever it writes,
// every quotation shown stands to the letter, and the decided place is quoted as it is
// without it. .ci/real-model starts its server.
func TestRealModel(t *testing.T) {
	url, name := os.Getenv("DIGESTO_REAL_MODEL_URL"), os.Getenv("DIGESTO_REAL_MODEL_NAME")
	if url == "" || name == "" {
		t.Skip(`no real model (DIGESTO_REAL_MODEL_URL): eval "$(.ci/real-model start DIR)" starts one`)
	}
	bare, law := sharedEngine(t)
	c, err := openai.New(openai.Options{BaseURL: url, Model: name, LocalOnly: true, FirstByte: 5 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	opt := bare.opt
	opt.Writer, opt.Judge = c, nil
	opt.Probe = judge.Probe{May: judge.Nothing, Prompts: judge.Small}
	opt.Limits = model.Limits{Calls: -1, Tokens: -1, Time: 10 * time.Minute}
	e, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	each := 10
	if n, err := strconv.Atoi(os.Getenv("DIGESTO_REAL_QUESTIONS")); err == nil {
		each = n
	}
	drafts, fell, proved, dropped := 0, map[string]int{}, 0, 0
	for _, p := range opt.Packs {
		files, _, err := digest.Pack(os.DirFS(filepath.Join("..", "packs")), p.Name)
		if err != nil {
			t.Fatal(err)
		}
		asks := digest.Asks(files)
		rng := rand.New(rand.NewPCG(5, 6))
		for range min(each, len(asks)) {
			q := asks[rng.IntN(len(asks))].Ask.Text
			want, got := askPack(t, bare, p.Name, q), askPack(t, e, p.Name, q)
			provedAll(t, law, q, got)
			if got.Meta.Outcome != want.Meta.Outcome || got.Meta.Outcome == digesto.OutcomeAnswer && (len(got.Citations) == 0 || got.Citations[0].Quote != want.Citations[0].Quote) {
				t.Errorf("%s: %s without the model, %s with it: %s", q, want.Meta.Outcome, got.Meta.Outcome, got.Answer)
			}
			use := got.Meta.Models[model.Writer]
			if use.Calls == 0 {
				continue
			}
			drafts++
			proved, dropped = proved+use.Proved, dropped+use.Dropped
			if use.Path != "model" {
				fell[use.Why]++
			}
		}
	}
	t.Logf("%d drafts: %d sentences proved, %d dropped; by extraction: %v", drafts, proved, dropped, fell)
	if drafts == 0 {
		t.Error("the model was never asked")
	}
}
