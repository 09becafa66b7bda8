package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"digesto"
	"digesto/ask"
	"digesto/decide"
	"digesto/digest"
	"digesto/eval"
	"digesto/pack"
	"digesto/packs"
	"digesto/search"
)

// tuneCmd refits what decides whether a place answers a question, from the digest alone.
type tuneCmd struct {
	Sample      int      `default:"1500" help:"Preguntas del digesto de cada paquete con las que se ajusta, y otras tantas con las que se mide; con 0 se calibran de nuevo los pesos que hay."`
	Seed        uint64   `default:"1" help:"Semilla del sorteo."`
	Out         string   `placeholder:"FICHERO" help:"Escribe los pesos (packs/decide.json); sin él, solo los enseña."`
	Vectors     string   `placeholder:"FICHERO" help:"Vectores de las preguntas, en lugar de los que lleva el programa."`
	Check       bool     `help:"Compara con los pesos del programa; código 7 si se apartan."`
	Recalibrate []string `placeholder:"FICHERO.jsonl" help:"Preguntas de otros, con sus lugares, por las que se ajustan los dos números de la calibración."`
	Try         []string `placeholder:"FICHERO.jsonl" help:"Preguntas de otros, con sus lugares, en las que se mide."`
	Each        bool     `help:"Enseña además cada pregunta medida."`
}

// Examples of the command.
func (tuneCmd) Examples() []string { return []string{"digesto tune --sample 20"} }

// weightsApart is how far a weight may be from the program's before the check fails: a
// new batch of entries moves them, a new mechanism more.
const weightsApart = .75

// Run fits, and prints the weights and how far what they state is right.
func (c tuneCmd) Run(a *app) error {
	t, err := c.open(a)
	if err != nil {
		return err
	}
	defer t.w.close()
	m, err := t.fit(a, c)
	if err != nil {
		return err
	}
	cases, err := placeCases(c.Recalibrate)
	if err != nil {
		return err
	}
	if len(cases) > 0 {
		judged, err := t.judge(a.ctx, m, cases)
		if err != nil {
			return err
		}
		m.Scale, m.Offsets = recalibrated(judged)
	}
	for _, n := range decide.Names() {
		fmt.Fprintf(a.out, "%-8s %8.3f\n", n, m.Weights[n])
	}
	fmt.Fprintf(a.out, "escala %.3f, desplazamientos %v\n", m.Scale, m.Offsets)
	if err := t.measure(a, m, c); err != nil {
		return err
	}
	if c.Out != "" {
		data, _ := json.MarshalIndent(m, "", "\t")
		if err := os.WriteFile(c.Out, append(data, '\n'), 0o644); err != nil {
			return fileError(err, c.Out, "Dé un fichero donde se pueda escribir.")
		}
	}
	if c.Check {
		return t.same(m)
	}
	return nil
}

// same fails where a weight is far from the program's.
func (t *tuning) same(m decide.Model) error {
	for _, n := range decide.Names() {
		if d := m.Weights[n] - t.model.Weights[n]; math.Abs(d) > weightsApart {
			return checkFailed(fmt.Sprintf("el peso de %s se aparta en %.2f del que lleva el programa", n, d), "Escriba los pesos con --out packs/decide.json y mire qué cambia.")
		}
	}
	return nil
}

// recalibrated gives the scale of all questions and the offset of each pack.
func recalibrated(list []tried) (scale float64, offsets map[string]float64) {
	scale, _ = decide.Recalibrate(outcomes(list))
	by := map[string][]tried{}
	for _, x := range list {
		by[x.Pack] = append(by[x.Pack], x)
	}
	offsets = map[string]float64{}
	for p, l := range by {
		offsets[p] = decide.Offset(outcomes(l), scale)
	}
	return scale, offsets
}

// fit finds the weights from asks of every pack.
func (t *tuning) fit(a *app, c tuneCmd) (decide.Model, error) {
	if c.Sample == 0 { // the weights stay, and are calibrated anew
		m := t.model
		m.Scale, m.Offsets = 1, nil
		return m, nil
	}
	var list []decide.Example
	for _, p := range t.w.packs {
		more, err := t.examples(a.ctx, p, c.Sample, rand.New(rand.NewPCG(c.Seed, 0)))
		if err != nil {
			return decide.Model{}, err
		}
		a.say("%s: %d candidatos", p.Name, len(more))
		list = append(list, more...)
	}
	weights, err := decide.Fit(list)
	m := decide.Model{Priors: t.model.Priors, Weights: weights, Scale: t.model.Scale, Offsets: t.model.Offsets}
	if len(c.Recalibrate) > 0 {
		m.Scale, m.Offsets = 1, nil
	}
	m.Provenance = fmt.Sprintf("digesto tune --sample %d --seed %d: %d candidatos", c.Sample, c.Seed, len(list))
	return m, err
}

// measure prints, for asks of each pack that were not drawn before and for each file of
// questions of others, where the right place stands and how often what is stated is right.
func (t *tuning) measure(a *app, m decide.Model, c tuneCmd) error {
	for _, p := range t.w.packs {
		var cases []eval.PlaceCase
		for _, x := range t.draw(p, c.Sample, rand.New(rand.NewPCG(c.Seed, 1))) {
			cases = append(cases, eval.PlaceCase{ID: x.Entry.Place(), Pack: p.Name, Kind: string(x.Ask.Kind), Question: x.Ask.Text, Places: []string{x.Entry.Place()}})
		}
		judged, err := t.judge(a.ctx, m, cases)
		if err != nil {
			return err
		}
		t.print(a, "digesto/"+p.Name, judged, false)
	}
	for _, f := range append(slices.Clone(c.Try), c.Recalibrate...) {
		cases, err := placeCases([]string{f})
		if err != nil {
			return err
		}
		judged, err := t.judge(a.ctx, m, cases)
		if err != nil {
			return err
		}
		t.print(a, f, judged, c.Each)
	}
	return nil
}

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

// tried is a question with where its place was found.
type tried struct {
	eval.PlaceCase
	covered     bool
	rank        int // from 1; 0 = not found, or none answers
	first, more float64
}

func outcomes(list []tried) (out []decide.Outcome) {
	for _, x := range list {
		out = append(out, decide.Outcome{P: x.first, Right: x.rank == 1})
	}
	return out
}

// judge finds and judges the candidates of questions. An ask of the digest does not
// count for itself.
func (t *tuning) judge(ctx context.Context, m decide.Model, cases []eval.PlaceCase) ([]tried, error) {
	var out []tried
	for _, x := range cases {
		p, err := t.w.pack(x.Pack)
		if err != nil {
			return nil, err
		}
		list, err := t.candidates(ctx, p, x.Question, func(q *decide.Query) { q.Leave = func(ask string) bool { return ask == x.Question } })
		if err != nil {
			return nil, err
		}
		r := tried{PlaceCase: x}
		judged := m.Judge(list, len(strings.Fields(x.Question)), p.Name)
		for i, j := range judged {
			right := slices.ContainsFunc(x.Places, func(place string) bool { return t.asks[p.Name].Leader(place) == j.ID })
			if len(x.Places) == 0 { // nothing answers: that it is elsewhere does
				right = j.Entry != nil && j.Entry.Elsewhere()
			}
			if right && r.rank == 0 {
				r.rank = i + 1
			}
			r.covered = r.covered || right && j.Entry != nil
			if i == 0 {
				r.first = j.P
			}
			if i < 3 {
				r.more += j.P
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// print writes the shares of a set by kind, and its calibration.
func (t *tuning) print(a *app, name string, list []tried, each bool) {
	if len(list) == 0 {
		return
	}
	by := map[string][]tried{}
	for _, x := range list {
		by[""] = append(by[""], x)
		by[x.Kind] = append(by[x.Kind], x)
		if each {
			fmt.Fprintf(a.out, "%s\t%s\t%v\t%d\t%.3f\t%.3f\n", x.ID, x.Kind, x.covered, x.rank, x.first, x.more)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(by)) {
		l := by[k]
		share := func(is func(tried) bool) float64 {
			n := 0
			for _, x := range l {
				if is(x) {
					n++
				}
			}
			return float64(n) / float64(len(l))
		}
		fmt.Fprintf(a.out, "%s %s: %d preguntas, con entrada hallada %.2f, primero %.2f, en 3 %.2f, en 10 %.2f; a %.1f o más %.2f, de ellas acertadas %.2f\n", name, k, len(l),
			share(func(x tried) bool { return x.covered }), share(func(x tried) bool { return x.rank == 1 }), share(func(x tried) bool { return x.rank > 0 && x.rank <= 3 }),
			share(func(x tried) bool { return x.rank > 0 && x.rank <= 10 }), decide.Sure, share(func(x tried) bool { return x.first >= decide.Sure }),
			share(func(x tried) bool { return x.first >= decide.Sure && x.rank == 1 })/max(1e-9, share(func(x tried) bool { return x.first >= decide.Sure })))
	}
	for _, b := range decide.Calibration(outcomes(list)) {
		fmt.Fprintf(a.out, "  %.1f–%.1f: %d, dice %.2f, acierta %.2f\n", b.From, b.From+.2, b.N, b.Stated, b.Right)
	}
}

// tuning is what candidates are found with.
type tuning struct {
	w      *world
	engine *ask.Engine
	asks   map[string]*search.Asks
	files  map[string][]digest.File
	model  decide.Model // of the program
}

func (c tuneCmd) open(a *app) (*tuning, error) {
	m := ownMeaning(true)
	if m == nil {
		return nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: "Este programa no lleva el modelo de vectores", Hint: "Use el programa completo."}
	}
	w, err := a.open(a.ctx)
	if err != nil {
		return nil, err
	}
	t := &tuning{w: w, asks: map[string]*search.Asks{}, files: map[string][]digest.File{}}
	if err := t.load(a, c, m); err != nil {
		w.close()
		return nil, err
	}
	return t, nil
}

// load reads the asks of every pack and makes the engine that searches them.
func (t *tuning) load(a *app, c tuneCmd, m *meaning) error {
	v, done, err := t.w.laws.view()
	if err != nil {
		return err
	}
	done()
	if v.Snapshot == nil {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ley instalada con la que ajustar", Hint: "Instale la ley con «digesto corpus add»."}
	}
	if t.model, err = decide.ReadModel(packs.Decide); err != nil {
		return err
	}
	for _, p := range t.w.packs {
		if t.files[p.Name], _, err = digest.Pack(packs.FS(), p.Name); err != nil {
			return err
		}
	}
	opt := decide.Options{Model: packs.Decide, Vectors: packs.DigestVectors, Vector: (&recent{model: m.asks}).vector, Files: func(name string) ([]digest.File, error) { return t.files[name], nil }}
	if c.Vectors != "" {
		if opt.Vectors, err = os.ReadFile(c.Vectors); err != nil {
			return fileError(err, c.Vectors, "Dé el fichero de vectores.")
		}
	}
	find := decide.NewFinder(opt)
	for _, p := range t.w.packs {
		if t.asks[p.Name], err = find.Asks(p.Name); err != nil {
			return err
		}
	}
	with, err := a.askOptions(t.w, t.w.laws, t.w.embedded)
	if err != nil {
		return err
	}
	with.Places, with.Writer, with.Reader, with.Reranker = find.Find, nil, nil, nil
	t.engine, err = ask.New(with)
	return err
}

// candidates finds those of a question, as an answer would.
func (t *tuning) candidates(ctx context.Context, p *pack.Pack, question string, edit func(*decide.Query)) ([]search.Candidate, error) {
	judged, _, err := t.engine.PlacesOf(ctx, digesto.Question{Text: question, Pack: p.Name}, edit)
	out := make([]search.Candidate, len(judged))
	for i, j := range judged {
		out[i] = j.Candidate
	}
	return out, err
}

// draw takes n asks of a pack as people say or tell things, by lot.
func (t *tuning) draw(p *pack.Pack, n int, rng *rand.Rand) []digest.AskRef {
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
func (t *tuning) examples(ctx context.Context, p *pack.Pack, n int, rng *rand.Rand) ([]decide.Example, error) {
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
					q.Leave = func(ask string) bool { return ask == x.Ask.Text }
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
			for i, f := range decide.Features(list, len(strings.Fields(x.Ask.Text))) {
				out = append(out, decide.Example{Features: f, Right: list[i].ID == right, Weight: s.weight})
			}
		}
	}
	return t.foreign(ctx, p, n, rng, out)
}

// foreignWeight is that of a question asked of another country's packs: nothing answers it.
const foreignWeight = .5

// foreign adds questions asked of the packs of other countries, which nothing answers here.
func (t *tuning) foreign(ctx context.Context, p *pack.Pack, n int, rng *rand.Rand, out []decide.Example) ([]decide.Example, error) {
	for _, o := range t.w.packs {
		if o.Jurisdiction()[:2] == p.Jurisdiction()[:2] {
			continue
		}
		for _, x := range t.draw(o, n/4, rng) {
			list, err := t.candidates(ctx, p, x.Ask.Text, nil)
			if err != nil {
				return nil, err
			}
			for _, f := range decide.Features(list, len(strings.Fields(x.Ask.Text))) {
				out = append(out, decide.Example{Features: f, Weight: foreignWeight})
			}
		}
	}
	return out, nil
}
