package ask

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"digesto"
	"digesto/ground"
	"digesto/model"
	"digesto/pack"
	"digesto/text/sentence"
	"digesto/write"
)

// guided is the invented pack with guides: two procedures with sections.
func guidedWorld(t testing.TB, installed bool) world {
	t.Helper()
	files := fstest.MapFS{}
	for k, v := range manifest {
		files[k] = v
	}
	yaml := string(manifest["costa/pack.yaml"].Data)
	yaml = strings.Replace(yaml, "files:\n", "retrieval: {chunks: 4, strategy: heuristic}\nfiles:\n  sections: [sections.tsv]\n", 1)
	yaml += "prompts:\n  - {name: answer, version: \"1\", file: answer.md, window: 6}\n  - {name: classic, version: \"1\", file: classic.md, window: 6}\n"
	files["costa/pack.yaml"] = &fstest.MapFile{Data: []byte(yaml)}
	files["costa/rules.yaml"] = &fstest.MapFile{Data: append(slices.Clone(manifest["costa/rules.yaml"].Data), []byte(`urgent:
  - {name: naufragio, fiche: auxilio, facts: [naufragio], when: ["me|nos hundo|hundimos", "naufrag*"], examples: ["nos hundimos"], near_misses: ["¿qué es un faro?"]}
`)...)}
	files["costa/answer.md"] = &fstest.MapFile{Data: []byte("Contestas con los fragmentos y acabas cada párrafo con su etiqueta, como [C1].")}
	files["costa/classic.md"] = &fstest.MapFile{Data: []byte("Contestas con lo que se te da.")}
	files["costa/sections.tsv"] = &fstest.MapFile{Data: []byte("section\taliases\tforms\nque-es\t\t|qué es\nrequisitos\t\trequisitos|qué piden\nplazos\t\tplazo|cuánto tarda|cuándo\ncuantias\tcuantia\tcuánto cuesta|importe\notros\t\tpuedo\npalabras\t\tdía|días|tiene\n")}
	files["costa/fiches.yaml"] = &fstest.MapFile{Data: []byte(`
jurisdiction: xx
collection: fichas
reviewed: 2026-11-01
norms:
  LEY-1: {name: de la Ley de Faros, url: "https://example.org/LEY-1"}
  LEY-2: {name: de la Ley de Mercados, url: "https://example.org/LEY-2"}
fiches:
  - id: farero
    title: Oficio de farero
    facts:
      - {id: que-es, ask: "¿Qué es un farero?", text: "El farero cuida la luz que guía a los barcos.", norm: LEY-1, unit: a1, ref: artículo 1.2}
      - {id: requisitos, ask: "¿Qué piden para ser farero?", text: "Para ser farero piden tener dieciocho años, pasar la prueba de vista y saber nadar.", norm: LEY-1, unit: a3, ref: artículo 3}
      - {id: cuantia, ask: "¿Cuánto cuesta la tasa de luz del farero?", text: "La tasa de luz cuesta 40 euros por arribada en 2026.", norm: LEY-1, unit: a4, ref: artículo 4, year: "2026"}
      - {id: plazos, ask: "¿Qué plazo hay para el recurso contra el farero?", text: "Hay quince días de plazo para recurrir ante el consejo.", norm: LEY-1, unit: a5, ref: artículo 5}
  - id: auxilio
    title: Ayuda inmediata
    facts:
      - {id: naufragio, ask: "¿A quién llamo en un naufragio?", text: "En un naufragio llame al 900 a cualquier hora.", ref: Consejo de Costas, url: "https://example.org/auxilio"}
  - id: puesto
    title: Puesto de mercado
    facts:
      - {id: que-es, ask: "¿Qué es un puesto de mercado?", text: "El puesto de mercado se da por sorteo entre los vecinos inscritos.", norm: LEY-2, unit: a1, ref: artículo 1}
`)}
	p, err := pack.Load(files, "costa")
	if err != nil {
		t.Fatal(err)
	}
	w := world{packs: []*pack.Pack{p}, own: embeddedView(t, p)}
	if installed {
		w.law = view(t, lawDocs())
	}
	return w
}

func yes(b bool) *bool { return &b }

// TestGuidedAnswer: with the law installed the plain sentence stands on the words
// of the law, without it on the fiche; every paragraph ends in its mark.
func TestGuidedAnswer(t *testing.T) {
	for _, c := range []struct {
		name, q   string
		installed bool
		places    string
		says      string
	}{
		{"law", "¿Qué piden para ser farero?", true, "LEY-1/a3", "Superar la prueba de vista"},
		{"no law", "¿Qué piden para ser farero?", false, "ficha-costa-farero/srequisitos", "saber nadar"},
		{"one procedure", "¿Qué es el puesto de mercado?", true, "LEY-2/a1", "sorteo público"},
		{"bare matter", "farero", false, "ficha-costa-farero/sque-es", "guía a los barcos"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := ask(t, guidedWorld(t, c.installed).engine(t, nil), c.q)
			if a.Meta.Outcome != digesto.OutcomeAnswer || !strings.HasPrefix(places(a), c.places) || !strings.Contains(a.Answer, c.says) {
				t.Fatalf("%s %s: %s", a.Meta.Outcome, places(a), a.Answer)
			}
			for p := range strings.SplitSeq(a.Answer, "\n\n") {
				if !strings.HasSuffix(p, "]") || !write.Labelled.MatchString(p) {
					t.Errorf("a paragraph without its mark: %q", p)
				}
			}
			for _, m := range write.Labelled.FindAllStringSubmatch(a.Answer, -1) {
				if n := len(a.Citations); m[1] < "1" || m[1] > string(rune('0'+n)) {
					t.Errorf("[C%s] of %d citations", m[1], n)
				}
			}
		})
	}
}

// TestGuidedContradiction: a figure that the installed text does not hold is not given.
func TestGuidedContradiction(t *testing.T) {
	a := ask(t, guidedWorld(t, true).engine(t, nil), "¿Cuánto cuesta la tasa de luz del farero?")
	if strings.Contains(a.Answer, "40 euros") {
		t.Errorf("a figure that the law contradicts: %s", a.Answer)
	}
	b := ask(t, guidedWorld(t, false).engine(t, nil), "¿Cuánto cuesta la tasa de luz del farero?")
	if !strings.Contains(b.Answer, "40 euros") {
		t.Errorf("without the law the fiche answers: %s", b.Answer)
	}
}

// TestFlags: the four switches, by the engine's options and by the question, on a
// pack with guides and on one without.
func TestFlags(t *testing.T) {
	const q = "¿Qué piden para ser farero?"
	marks := scripted{text: "[0, 10, 3, 1]"}
	for _, c := range []struct {
		name    string
		base    digesto.Flags // of the engine
		flags   digesto.Flags // of the question
		plain   bool          // pack without guides
		reader  model.Generator
		q       string
		outcome digesto.Outcome
		cites   string // beginning of the first citation's place
		trace   string // stage/how in the trace
	}{
		{name: "defaults", q: q, outcome: digesto.OutcomeAnswer, cites: "LEY-1/a3", trace: "guides/heuristic"},
		{name: "retrieval off looks the fiches up", flags: digesto.Flags{Enabled: yes(false)}, q: q, outcome: digesto.OutcomeAnswer, cites: "ficha-costa-farero/srequisitos", trace: "guides/lookup"},
		{name: "off by the settings", base: digesto.Flags{Enabled: yes(false)}, q: q, outcome: digesto.OutcomeAnswer, cites: "ficha-costa-farero/", trace: "guides/lookup"},
		{name: "the question beats the settings", base: digesto.Flags{Enabled: yes(false)}, flags: digesto.Flags{Enabled: yes(true)}, q: q, outcome: digesto.OutcomeAnswer, cites: "LEY-1/a3", trace: "guides/heuristic"},
		{name: "off, and no fiche says it", flags: digesto.Flags{Enabled: yes(false)}, q: "¿Qué horario tienen los domingos las tiendas?", outcome: digesto.OutcomeRefusal, trace: "guides/lookup"},
		{name: "off, on a pack without guides", flags: digesto.Flags{Enabled: yes(false)}, plain: true, q: "¿Cuántos días de vacaciones tiene el farero?", outcome: digesto.OutcomeAnswer, cites: "ficha-costa-faro/sdescanso", trace: "guides/lookup"},
		{name: "no reranking", flags: digesto.Flags{Strategy: "none"}, q: q, outcome: digesto.OutcomeAnswer, cites: "LEY-1/", trace: "guides/none"},
		{name: "no reranking of law", flags: digesto.Flags{Strategy: "none"}, plain: true, q: "¿Qué prohibiciones tiene el farero de noche?", outcome: digesto.OutcomeAnswer, cites: "LEY-1/a6", trace: "rerank/none"},
		{name: "by a model", flags: digesto.Flags{Strategy: "gemini"}, plain: true, reader: marks, q: "¿Qué prohibiciones tiene el farero de noche?", trace: "rerank/"},
		{name: "by a model that is not there", flags: digesto.Flags{Strategy: "model"}, q: q, outcome: digesto.OutcomeAnswer, cites: "LEY-1/a3", trace: "guides/heuristic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := guidedWorld(t, true)
			if c.plain {
				w = newWorld(t, true)
			}
			e := w.engine(t, func(o *Options) { o.Flags, o.Reader = c.base, c.reader })
			a, err := e.Ask(context.Background(), digesto.Question{Text: c.q, Pack: "costa", Flags: c.flags}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if c.outcome != "" && a.Meta.Outcome != c.outcome || !strings.HasPrefix(places(a), c.cites) {
				t.Errorf("%s %s: %s", a.Meta.Outcome, places(a), a.Answer)
			}
			found := false
			for _, s := range a.Meta.Trace {
				found = found || strings.HasPrefix(s.Stage+"/"+s.How, c.trace)
			}
			if !found {
				t.Errorf("no %s in %+v", c.trace, a.Meta.Trace)
			}
			if a.Refusal && !c.plain && !strings.HasPrefix(a.Answer, ground.Unverified) {
				t.Errorf("refused without its sentence: %s", a.Answer)
			}
		})
	}
}

// TestFlagsPrompt: what the writer is given by the flags of prompting, and what
// becomes of what it wrote.
func TestFlagsPrompt(t *testing.T) {
	const q = "¿Qué piden para ser farero?"
	const quote = "Superar la prueba de vista."
	good := output("Para ser farero hay que superar la prueba de vista [C1].", quote, "LEY-1.md", .9, false)
	for _, c := range []struct {
		name       string
		flags      digesto.Flags
		text       string
		with       []string // in the request
		without    []string
		mode, tail string
	}{
		{"numbered passages by default", digesto.Flags{}, good, []string{"CHUNKS RECUPERADOS", "[C1]", "Trámite: Oficio de farero", "Sección: requisitos", "Relevancia: ", "Fuente: https://example.org/LEY-1"}, nil, write.ModeModel, "[C1]"},
		{"classic prompt, verified all the same", digesto.Flags{Grounded: yes(false)}, good, []string{"Contestas con lo que se te da."}, []string{"CHUNKS RECUPERADOS", "etiqueta"}, write.ModeModel, ""},
		{"classic prompt, invented quote", digesto.Flags{Grounded: yes(false)}, output("El farero debe medir dos metros de alto.", "El farero medirá dos metros de alto.", "LEY-1.md", .9, false), nil, nil, write.ModeExtractive, "]"},
		{"a mark without a source is left out", digesto.Flags{}, output("Para ser farero hay que superar la prueba de vista [C1].\n\nAdemás hay que saber cantar [C7].", quote, "LEY-1.md", .9, false), nil, nil, write.ModeModel, "[C1]"},
		{"no paragraph has its source", digesto.Flags{}, output("Hay que superar la prueba de vista [C9].", quote, "LEY-1.md", .9, false), nil, nil, write.ModeExtractive, "]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen model.Request
			e := guidedWorld(t, true).engine(t, func(o *Options) { o.Writer = scripted{c.text, nil, &seen} })
			a, err := e.Ask(context.Background(), digesto.Question{Text: q, Pack: "costa", Flags: c.flags}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var all strings.Builder
			for _, m := range seen.Messages {
				all.WriteString(m.Text)
			}
			for _, s := range c.with {
				if !strings.Contains(all.String(), s) {
					t.Errorf("no %q in %s", s, all.String())
				}
			}
			for _, s := range c.without {
				if strings.Contains(all.String(), s) {
					t.Errorf("%q in %s", s, all.String())
				}
			}
			if a.Meta.Mode != c.mode || !strings.HasSuffix(a.Answer, c.tail) || strings.Contains(a.Answer, "cantar") {
				t.Errorf("%s %v: %s", a.Meta.Mode, a.Meta.Degraded, a.Answer)
			}
		})
	}
}

// TestFlagsChunks: no more passages than the flag says.
func TestFlagsChunks(t *testing.T) {
	var seen model.Request
	for _, n := range []int{1, 3} {
		e := newWorld(t, true).engine(t, func(o *Options) { o.Writer = scripted{"", nil, &seen} })
		if _, err := e.Ask(context.Background(), digesto.Question{Text: "¿Qué hace el farero de noche?", Pack: "costa", Flags: digesto.Flags{MaxChunks: n}}, nil); err != nil {
			t.Fatal(err)
		}
		if len(seen.Messages) < 2 {
			t.Fatal("nothing asked")
		}
		if got := strings.Count(seen.Messages[1].Text, "[Fuente "); got > n || got == 0 {
			t.Errorf("%d passages, %d wanted", got, n)
		}
	}
}

// TestFlagsInvalid: a value that no flag has is an error that says which ones there are.
func TestFlagsInvalid(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	for _, f := range []digesto.Flags{{Strategy: "mejor"}, {MaxChunks: -1}, {MaxChunks: 500}} {
		_, err := e.Ask(context.Background(), digesto.Question{Text: "¿Qué es un faro?", Pack: "costa", Flags: f}, nil)
		if digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// TestUrgent: the official contact comes first, whatever becomes of the question, and
// no refusal is all that a person in need gets.
func TestUrgent(t *testing.T) {
	e := guidedWorld(t, true).engine(t, nil)
	for _, c := range []struct {
		q      string
		urgent bool
		also   string
	}{
		{"nos hundimos, ¿qué piden para ser farero?", true, "dieciocho años"},
		{"nos hundimos y no sé pilotar aviones", true, ""},
		{"naufragio: ¿me conviene recurrir?", true, ""},
		{"¿Qué piden para ser farero?", false, "Superar la prueba de vista"},
	} {
		a := ask(t, e, c.q)
		first, _, _ := strings.Cut(a.Answer, "\n\n")
		if got := strings.Contains(first, "llame al 900"); got != c.urgent {
			t.Errorf("%s: %s", c.q, a.Answer)
		}
		if a.Meta.Outcome != digesto.OutcomeAnswer || a.Refusal || !strings.Contains(a.Answer, c.also) {
			t.Errorf("%s: %s %s", c.q, a.Meta.Outcome, a.Answer)
		}
		if c.urgent && a.Citations[0].Ref.Document != "ficha-costa-auxilio" {
			t.Errorf("%s: %s", c.q, places(a))
		}
	}
}

// TestPlain: a plain answer has short sentences without unexplained abbreviations, and
// the same verified citations as the whole one.
func TestPlain(t *testing.T) {
	e := guidedWorld(t, true).engine(t, nil)
	for _, q := range []string{"¿Qué piden para ser farero?", "¿Qué plazo hay para el recurso contra el farero?", "¿Qué es el puesto de mercado?", "nos hundimos, ¿qué piden para ser farero?"} {
		whole := ask(t, e, q)
		a, err := e.Ask(context.Background(), digesto.Question{Text: q, Pack: "costa", Tone: write.PlainTone}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if places(a) != places(whole) || len(a.Answer) >= len(whole.Answer) {
			t.Errorf("%s: %s, whole %s\n%s", q, places(a), places(whole), a.Answer)
		}
		if faults := sentence.Plain(write.Labelled.ReplaceAllString(a.Answer, ""), sentence.Limits{Words: write.PlainWords}); len(faults) > 0 {
			t.Errorf("%s: %v\n%s", q, faults, a.Answer)
		}
		for p := range strings.SplitSeq(a.Answer, "\n\n") {
			if !strings.HasSuffix(p, "]") {
				t.Errorf("%s: a paragraph without its mark: %q", q, p)
			}
		}
	}
	a, err := e.Ask(context.Background(), digesto.Question{Text: "¿Qué dice el artículo 6 de la Ley de Faros?", Pack: "costa", Tone: write.PlainTone}, nil)
	if err != nil || !strings.Contains(a.Answer, "«") || a.Notes == nil || !strings.Contains(*a.Notes, "versión sencilla") {
		t.Errorf("law without a plain version: %v %+v", err, a)
	}
}

// TestLawBeforeAGuide: a guide of the matter that does not say what is asked yields to
// the law; where none is installed, the guide is shown.
func TestLawBeforeAGuide(t *testing.T) {
	for _, c := range []struct {
		q, cites  string
		installed bool
	}{
		{"¿Quién resuelve las quejas contra el farero?", "LEY-1/a5", true},
		{"¿Qué piden para ser farero?", "LEY-1/a3", true},
		{"¿Qué piden para ser farero?", "ficha-costa-farero/srequisitos", false},
	} {
		a := ask(t, guidedWorld(t, c.installed).engine(t, nil), c.q)
		if len(a.Citations) == 0 || a.Citations[0].Ref.Document+"/"+a.Citations[0].Ref.Unit != c.cites {
			t.Errorf("%s: %s, want %s", c.q, a.Answer, c.cites)
		}
	}
}
