package packs_test

import (
	"regexp"
	"strings"
	"testing"

	"digesto"
	"digesto/digest"
	"digesto/pack"
	"digesto/packs"
)

func load(t *testing.T) map[string]*pack.Pack {
	t.Helper()
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*pack.Pack{}
	for _, p := range all {
		out[p.Name] = p
	}
	return out
}

// TestContents: what every pack must hold at least.
func TestContents(t *testing.T) {
	want := map[string]struct{ facts, aliases, synonyms, bodies int }{
		"peru":      {7, 40, 40, 4},
		"jus":       {62 + 76, 60, 15, 2},
		"laboral":   {12, 150, 100, 3},
		"argentina": {0, 60, 60, 4},
		"clara":     {12, 150, 90, 4},
	}
	for name, p := range load(t) {
		w, ok := want[name]
		if !ok {
			t.Errorf("pack %s is not expected", name)
			continue
		}
		facts := 0
		for _, f := range p.Fiches {
			facts += len(f.Facts)
		}
		if facts < w.facts || len(p.Aliases) < w.aliases || p.Synonyms.Len() < w.synonyms || len(p.Bodies) < w.bodies {
			t.Errorf("%s: %d facts, %d aliases, %d synonyms, %d bodies", name, facts, len(p.Aliases), p.Synonyms.Len(), len(p.Bodies))
		}
		if !p.Digest || p.FirstQuestion == "" || p.Install.Command() == "" || len(p.Detectors) < 2 || len(p.Signals) == 0 || len(p.Ranks) == 0 {
			t.Errorf("%s: something is empty", name)
		}
		if !strings.HasPrefix(p.Install.Command(), "digesto corpus ") {
			t.Errorf("%s: %q is not a command of the program", name, p.Install.Command())
		}
	}
}

// TestFirstQuestions: the words of each pack's first question stand together in an entry of its digest or a guide.
func TestFirstQuestions(t *testing.T) {
	asked := digest.ByPack(digestFiles(t))
	for name, p := range load(t) {
		if len(p.Tools) > 0 {
			call, ok := p.Tools[0].Detect(pack.ToolQuestion{Text: p.FirstQuestion, Today: "2026-11-21"})
			if ok && call.Function != "" {
				continue // otherwise the law, or an entry, answers it
			}
		}
		found := false
		for _, f := range p.Fiches {
			for _, x := range f.Facts {
				found = found || covers(x.Ask+" "+x.Text+" "+f.Title, p.FirstQuestion)
			}
		}
		for _, f := range asked[name] {
			for _, e := range f.Entries {
				said := e.Text
				for _, a := range e.Asks {
					said += " " + a.Text
				}
				found = found || covers(said, p.FirstQuestion)
			}
		}
		if !found {
			t.Errorf("%s: nothing holds the words of %q", name, p.FirstQuestion)
		}
	}
}

func covers(text, question string) bool {
	have := " " + strings.Join(pack.Words(text), " ") + " "
	for _, w := range pack.Words(question) {
		if len(w) > 3 && !strings.Contains(have, " "+w+" ") {
			return false
		}
	}
	return true
}

// TestRouting: a question without a pack points to the right one.
func TestRouting(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string]string{
		"¿Cuánto vale el JUS hoy?": "jus", "honorarios de un divorcio en Córdoba en JUS": "jus",
		"¿Cuánto es la UIT?": "peru", "¿Qué plazo tiene la SUNAT para resolver?": "peru", "deuda tributaria en el Perú": "peru",
		"¿Qué requisitos tiene el IMV?": "clara", "¿Cómo me empadrono en Madrid?": "clara", "pedir el NIE": "clara",
		"finiquito y paro": "laboral", "art. 38 ET": "laboral", "me han despedido de la empresa, ¿qué indemnización?": "laboral",
		"¿cuándo se cobra el aguinaldo?": "argentina", "Ley 20.744 vacaciones": "argentina", "¿qué dice el Código Civil y Comercial sobre alimentos?": "argentina",
	} {
		got := pack.Route(all, q)
		if len(got) == 0 || got[0].Pack.Name != want || len(got) > 1 && got[1].Score == got[0].Score {
			t.Errorf("%s: %v, want %s", q, names(got), want)
		}
	}
	if got := pack.Route(all, "¿Qué hora es?"); len(got) != 0 {
		t.Errorf("a question of no pack goes to %v", names(got))
	}
}

func names(list []pack.Candidate) (out []string) {
	for _, c := range list {
		out = append(out, c.Pack.Name)
	}
	return out
}

// TestArgentinaAsksOnce: few topics branch; those that the rules call clear are not asked about.
func TestArgentinaAsksOnce(t *testing.T) {
	p := load(t)["argentina"]
	for _, q := range []string{"háblame de alimentos", "refugiados", "necesito info sobre refugiados", "que dice el codigo alimentario argentino", "contratos de trabajo", "divorcio",
		"¿Qué es un contrato?", "ley de alquileres", "sociedades anónimas", "plazo para apelar"} {
		if _, ok := p.Ambiguous(q); ok {
			t.Errorf("%q is asked about", q)
		}
		if c := p.Classify(pack.ToolQuestion{Text: q}); c.Outcome != "" {
			t.Errorf("%q ends as %s", q, c.Outcome)
		}
	}
	a, ok := p.Ambiguous("háblame de contratos")
	if !ok {
		t.Fatal("contratos is not asked about")
	}
	if o, ok := a.Resolve("civiles"); !ok || o.Query != "régimen de contratos civiles en la normativa argentina" {
		t.Errorf("civiles: %+v", o)
	}
	if c := p.Classify(pack.ToolQuestion{Text: "quien sos?"}); c.Outcome != digesto.OutcomeNonLegal || !strings.Contains(c.Reply, "derecho argentino") {
		t.Errorf("quien sos: %+v", c)
	}
}

// TestSynonymsOfSeeds: an acronym gets its words however it is written.
func TestSynonymsOfSeeds(t *testing.T) {
	all := load(t)
	for in, want := range map[string]string{"IMV?": "ingreso mínimo vital", "el imv": "ingreso mínimo vital", "¿Qué es el N.I.E.?": "", "NIE": "número de identidad de extranjero",
		"ingreso minimo vital": "IMV", "SEPE": "Servicio Público de Empleo Estatal"} {
		got := strings.Join(all["clara"].Synonyms.Expand(in), "|")
		if !strings.Contains(got, want) {
			t.Errorf("%q: %q lacks %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"paro": "prestación por desempleo", "me han echado": "despido", "baja médica": "incapacidad temporal", "finiquito": "liquidación"} {
		if got := strings.Join(all["laboral"].Synonyms.Expand(in), "|"); !strings.Contains(got, want) {
			t.Errorf("%q: %q lacks %q", in, got, want)
		}
	}
}

// TestContractPrompt: the fixed names of the wire stand in the prompt, and nothing else between quotes as a field.
func TestContractPrompt(t *testing.T) {
	pr, ok := load(t)["peru"].Prompt("contract")
	if !ok {
		t.Fatal("no contract prompt")
	}
	for _, f := range []string{"answer", "citations", "quote", "source", "page", "confidence", "refusal", "notes"} {
		if !strings.Contains(pr.Text, `"`+f+`"`) {
			t.Errorf("no field %q", f)
		}
	}
	fields := regexp.MustCompile(`"([a-z_]+)":`).FindAllStringSubmatch(pr.Text, -1)
	known := map[string]bool{"answer": true, "citations": true, "quote": true, "source": true, "page": true, "confidence": true, "refusal": true, "notes": true}
	for _, m := range fields {
		if !known[m[1]] {
			t.Errorf("unknown field %q", m[1])
		}
	}
	evaluate, _ := load(t)["laboral"].Prompt("evaluate")
	for _, w := range []string{"READY", "NEED|", "DROP|"} {
		if !strings.Contains(evaluate.Text, w) {
			t.Errorf("no %q in the prompt of evaluation", w)
		}
	}
	initial, _ := load(t)["argentina"].Prompt("initial")
	for _, w := range []string{"NON-LEGAL", "CLARIFICATION", "REFORMULATE_REQUEST", "CLARA"} {
		if !strings.Contains(initial.Text, w) {
			t.Errorf("no %q in the initial prompt", w)
		}
	}
	if initial.Window != 3 {
		t.Errorf("window %d", initial.Window)
	}
}

// TestTraps: organs that are also laws are weak.
func TestTraps(t *testing.T) {
	weak := map[string]bool{}
	for _, a := range load(t)["laboral"].Aliases {
		weak[a.Name] = a.Weak
	}
	for _, n := range []string{"Tribunal Constitucional", "Consejo de Estado", "Defensor del Pueblo", "Tribunal de Cuentas", "Poder Judicial"} {
		if !weak[n] {
			t.Errorf("%s is not weak", n)
		}
	}
	for _, n := range []string{"ET", "LGSS", "LPAC", "LOTC"} {
		if w, ok := weak[n]; !ok || w {
			t.Errorf("%s is weak or missing", n)
		}
	}
}
