package run

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/ask"
	"digesto/decide"
	"digesto/digest"
	"digesto/disk"
	"digesto/eval"
	"digesto/pack"
	"digesto/packs"
	"digesto/search"
)

// recalibrated gives the scale of all questions and the offset of each pack.
func recalibrated(list []JudgedCase) (scale float64, offsets map[string]float64) {
	scale, _ = decide.Recalibrate(Outcomes(list))
	by := map[string][]JudgedCase{}
	for _, x := range list {
		by[x.Pack] = append(by[x.Pack], x)
	}
	offsets = map[string]float64{}
	for p, l := range by {
		offsets[p] = decide.Offset(Outcomes(l), scale)
	}
	return scale, offsets
}

// Refit finds the weights from asks of every pack, and their calibration from the questions of
// others that are named.
func (t *Tuning) Refit(a *app.App, c TuneOptions) (decide.Model, error) {
	m, err := t.fit(a, c)
	if err != nil {
		return m, err
	}
	cases, err := placeCases(c.Recalibrate)
	if err != nil || len(cases) == 0 {
		return m, err
	}
	judged, err := t.judge(a.Context, m, cases)
	if err != nil {
		return m, err
	}
	m.Scale, m.Offsets = recalibrated(judged)
	return m, nil
}

// Measure gives each, for asks of each pack that were not drawn before and for each file of
// questions of others, where the right place stands and how often what is stated is right.
func (t *Tuning) Measure(ctx context.Context, m decide.Model, c TuneOptions, each func(name string, list []JudgedCase, own bool)) error {
	for _, p := range t.W.Packs {
		var cases []eval.PlaceCase
		for _, x := range t.draw(p, c.Sample, rand.New(rand.NewPCG(c.Seed, 1))) {
			cases = append(cases, eval.PlaceCase{ID: x.Entry.Place(), Pack: p.Name, Kind: string(x.Ask.Kind), Question: x.Ask.Text, Places: []string{x.Entry.Place()}})
		}
		judged, err := t.judge(ctx, m, cases)
		if err != nil {
			return err
		}
		each("digesto/"+p.Name, judged, true)
	}
	for _, f := range append(slices.Clone(c.Try), c.Recalibrate...) {
		cases, err := placeCases([]string{f})
		if err != nil {
			return err
		}
		judged, err := t.judge(ctx, m, cases)
		if err != nil {
			return err
		}
		each(f, judged, false)
	}
	return nil
}

// fit finds the weights from asks of every pack.
func (t *Tuning) fit(a *app.App, c TuneOptions) (decide.Model, error) {
	if c.Sample == 0 { // the weights stay, and are calibrated anew
		m := t.Model
		m.Scale, m.Offsets = 1, nil
		return m, nil
	}
	var list []decide.Example
	for _, p := range t.W.Packs {
		more, err := t.examples(a.Context, p, c.Sample, rand.New(rand.NewPCG(c.Seed, 0)))
		if err != nil {
			return decide.Model{}, err
		}
		a.Say("%s: %d candidatos", p.Name, len(more))
		list = append(list, more...)
	}
	weights, err := decide.Fit(list)
	m := decide.Model{Priors: t.Model.Priors, Alone: t.Model.Alone, Weights: weights, Scale: t.Model.Scale, Offsets: t.Model.Offsets}
	if len(c.Recalibrate) > 0 {
		m.Scale, m.Offsets = 1, nil
	}
	m.Provenance = fmt.Sprintf("digesto tune --sample %d --seed %d: %d candidatos", c.Sample, c.Seed, len(list))
	return m, err
}

// placeCases reads questions with their places.
func placeCases(files []string) (out []eval.PlaceCase, err error) {
	for _, f := range files {
		list, err := eval.ReadAllPlaceCases(f)
		if err != nil {
			return nil, err
		}
		for i := range list { // a pack's own questions name it by their folder
			list[i].Pack = cmp.Or(list[i].Pack, filepath.Base(filepath.Dir(filepath.Dir(f))))
		}
		out = append(out, list...)
	}
	return out, nil
}

// JudgedCase is a question with where its place was found.
type JudgedCase struct {
	eval.PlaceCase
	Covered     bool
	Rank        int // from 1; 0 = not found, or none answers
	First, More float64
}

// Outcomes are what was stated of judged cases, and whether it was right.
func Outcomes(list []JudgedCase) (out []decide.Outcome) {
	for _, x := range list {
		out = append(out, decide.Outcome{P: x.First, Right: x.Rank == 1})
	}
	return out
}

// judge finds and judges the candidates of questions. An ask of the digest does not
// count for itself.
func (t *Tuning) judge(ctx context.Context, m decide.Model, cases []eval.PlaceCase) ([]JudgedCase, error) {
	var out []JudgedCase
	for _, x := range cases {
		p, err := t.W.Pack(x.Pack)
		if err != nil {
			return nil, err
		}
		list, err := t.candidates(ctx, p, x.Question, func(q *decide.Query) { q.Without = x.Question })
		if err != nil {
			return nil, err
		}
		r := JudgedCase{PlaceCase: x}
		judged := m.Judge(list, p.Name)
		for i, j := range judged {
			right := slices.ContainsFunc(x.Places, func(place string) bool { return t.asks[p.Name].Leader(place) == j.ID })
			if len(x.Places) == 0 { // nothing answers: that it is elsewhere does
				right = j.Entry != nil && j.Entry.Elsewhere()
			}
			if right && r.Rank == 0 {
				r.Rank = i + 1
			}
			r.Covered = r.Covered || right && j.Entry != nil
			if i == 0 {
				r.First = j.P
			}
			if i < 3 {
				r.More += j.P
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// Tuning is what candidates are found with.
type Tuning struct {
	W      *app.Workspace
	engine *ask.Engine
	asks   map[string]*search.Asks
	files  map[string][]digest.File
	Model  decide.Model // of the program
}

// Open reads the law and the asks that the weights are fitted with.
func (c TuneOptions) Open(a *app.App) (*Tuning, error) {
	m := law.OwnEmbedding(true)
	if m == nil {
		return nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: "Este programa no lleva el modelo de vectores", Hint: "Use el programa completo."}
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return nil, err
	}
	t := &Tuning{W: w, asks: map[string]*search.Asks{}, files: map[string][]digest.File{}}
	if err := t.load(a, c, m); err != nil {
		w.Close()
		return nil, err
	}
	return t, nil
}

// load reads the asks of every pack and makes the engine that searches them.
func (t *Tuning) load(a *app.App, c TuneOptions, m *law.Embedding) error {
	v, done, err := t.W.Law.View()
	if err != nil {
		return err
	}
	done()
	if v.Snapshot == nil {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ley instalada con la que ajustar", Hint: "Instale la ley con «digesto corpus add»."}
	}
	if t.Model, err = decide.ReadModel(packs.Decide); err != nil {
		return err
	}
	for _, p := range t.W.Packs {
		if t.files[p.Name], _, err = digest.Pack(os.DirFS(c.Digest), p.Name); err != nil {
			return err
		}
		if len(t.files[p.Name]) == 0 {
			return &digesto.Error{Code: digesto.CodeNotFound, Message: "En «" + c.Digest + "» no están las preguntas del paquete «" + p.Name + "»", Hint: "El programa solo lleva sus vectores: dé con --digest la carpeta «packs» del código."}
		}
	}
	opt := decide.Options{Model: packs.Decide, Vectors: packs.DigestVectors, Vector: (&law.VectorCache{Model: m.Asks}).Vector, Files: func(name string) ([]digest.File, error) { return t.files[name], nil }}
	if c.Vectors != "" {
		if opt.Vectors, err = os.ReadFile(c.Vectors); err != nil {
			return disk.Error(err, c.Vectors, "Dé el fichero de vectores.")
		}
	}
	find := decide.NewFinder(opt)
	for _, p := range t.W.Packs {
		if t.asks[p.Name], err = find.Asks(p.Name); err != nil {
			return err
		}
	}
	with, err := a.AskOptions(t.W, t.W.Law, t.W.Embedded)
	if err != nil {
		return err
	}
	with.Places, with.Writer, with.Reader, with.Reranker = find.Find, nil, nil, nil
	t.engine, err = ask.New(with)
	return err
}

// candidates finds those of a question, as an answer would.
func (t *Tuning) candidates(ctx context.Context, p *pack.Pack, question string, edit func(*decide.Query)) ([]search.Candidate, error) {
	judged, _, err := t.engine.PlacesOf(ctx, digesto.Question{Text: question, Pack: p.Name}, edit)
	out := make([]search.Candidate, len(judged))
	for i, j := range judged {
		out[i] = j.Candidate
	}
	return out, err
}

// draw takes n asks of a pack as people say or tell things, by lot.
func (t *Tuning) draw(p *pack.Pack, n int, rng *rand.Rand) []digest.AskRef {
	var from []digest.AskRef
	for _, x := range digest.Asks(t.files[p.Name]) {
		if x.Ask.Kind == digest.Street || x.Ask.Kind == digest.Told {
			from = append(from, x)
		}
	}
	rng.Shuffle(len(from), func(i, k int) { from[i], from[k] = from[k], from[i] })
	return from[:min(n, len(from))]
}

// Shares of the examples: a question whose place has its entries; one whose place has
// none, so that its article alone can answer; one that nothing answers.
const covered, uncovered, nothing = .8, .1, .1

// examples draws asks of a pack and finds the candidates of each as if it had not been
// written: with the rest of its place's, without them, and without the place.
func (t *Tuning) examples(ctx context.Context, p *pack.Pack, n int, rng *rand.Rand) ([]decide.Example, error) {
	var out []decide.Example
	asks := t.asks[p.Name]
	for _, x := range t.draw(p, n, rng) {
		right := asks.Leader(x.Entry.Place())
		for _, s := range []struct {
			weight        float64
			entry, exists bool
		}{{covered, true, true}, {uncovered, false, true}, {nothing, false, false}} {
			list, err := t.candidates(ctx, p, x.Ask.Text, func(q *decide.Query) {
				if s.entry {
					q.Without = x.Ask.Text
					return
				}
				reach := q.Reach
				q.Reach = func(e *digest.Entry) bool { return asks.Leader(e.Place()) != right && reach(e) }
			})
			if err != nil {
				return nil, err
			}
			if !s.exists {
				list = slices.DeleteFunc(list, func(c search.Candidate) bool { return c.ID == right })
			}
			for i, f := range decide.Features(list) {
				out = append(out, decide.Example{Features: f, Right: list[i].ID == right, Weight: s.weight})
			}
		}
	}
	return t.foreign(ctx, p, n, rng, out)
}

// foreignWeight is that of a question asked of another country's packs: nothing answers it.
const foreignWeight = .5

// foreign adds questions asked of the packs of other countries, which nothing answers here.
func (t *Tuning) foreign(ctx context.Context, p *pack.Pack, n int, rng *rand.Rand, out []decide.Example) ([]decide.Example, error) {
	for _, o := range t.W.Packs {
		if o.Jurisdiction()[:2] == p.Jurisdiction()[:2] {
			continue
		}
		for _, x := range t.draw(o, n/4, rng) {
			list, err := t.candidates(ctx, p, x.Ask.Text, nil)
			if err != nil {
				return nil, err
			}
			for _, f := range decide.Features(list) {
				out = append(out, decide.Example{Features: f, Weight: foreignWeight})
			}
		}
	}
	return out, nil
}

// TuneOptions are what the weights are fitted with: see the command.
type TuneOptions struct {
	Sample      int
	Seed        uint64
	Out         string
	Vectors     string
	Digest      string
	Check       bool
	Recalibrate []string
	Try         []string
	Each        bool
}
