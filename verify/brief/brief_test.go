package brief

import (
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/index"
	"digesto/text/cite"
)

// The law of an invented country; every sentence is ours.
func harbour(t testing.TB) Options {
	t.Helper()
	unit := func(n, rubric string, vs ...digesto.Version) digesto.Unit {
		return digesto.Unit{ID: "a" + n, Kind: digesto.KindArticle, Number: n, Label: "Artículo " + n, Rubric: rubric, Versions: vs}
	}
	now := func(text string) digesto.Version {
		return digesto.Version{ID: "2020-05-06", Text: text, ValidFrom: "2020-05-06", Current: true}
	}
	docs := []corpus.Document{
		{Norm: digesto.Norm{ID: "LEY-1", Title: "Ley 1/2001, de 3 de marzo, de Faros y Balizas", Short: "Ley de Faros", Rank: "ley", Jurisdiction: "xx", Published: "2001-03-03"}, Units: []digesto.Unit{
			unit("1", "Objeto", now("Esta ley ordena el servicio de los faros de la costa y la conservación de sus balizas.")),
			unit("2", "Descanso", digesto.Version{ID: "2001-03-03", Text: "El descanso anual del farero durará veinte días naturales y se disfrutará en invierno.", ValidFrom: "2001-03-03", ValidTo: "2020-05-06"},
				now("El descanso anual del farero nunca durará menos de treinta y dos días naturales. El farero no podrá renunciar a su descanso a cambio de dinero.")),
			unit("3", "Tasa", now("La tasa de luz será de 45,50 euros por cada arribada. No se cobrará tasa a los barcos de pesca que arriben por temporal declarado.")),
		}},
		{Norm: digesto.Norm{ID: "LEY-2", Title: "Ley 2/2002, de 4 de abril, de Mercados de Barrio", Rank: "ley", Jurisdiction: "xx", Published: "2002-04-04"}, Units: []digesto.Unit{
			unit("1", "Puestos", now("Cada puesto se adjudica por sorteo público entre los vecinos inscritos en el padrón del barrio.")),
			unit("2", "Horario", now("Los puestos abrirán de siete a quince horas y el domingo permanecerán cerrados.")),
		}},
		{Norm: digesto.Norm{ID: "LEY-3", Title: "Ley 3/1990, de 5 de mayo, de Carros", Rank: "ley", Jurisdiction: "xx", Published: "1990-05-05", Status: digesto.StatusRepealed, RepealedFrom: "2005-01-01"}, Units: []digesto.Unit{
			unit("1", "Paso", now("Los carros cederán el paso a las personas en los caminos vecinales.")),
		}},
		{Norm: digesto.Norm{ID: "LEY-4", Title: "Ley 4/2003, de 6 de junio, de Globos", Rank: "ley", Jurisdiction: "xx", Published: "2003-06-06", Status: digesto.StatusInForce, RepealedFrom: "2027-01-01", StatusNote: "Derogada por la Ley 9."}, Units: []digesto.Unit{
			unit("1", "Noche", now("Los globos se atan de noche.")),
		}},
	}
	law := corpus.Memory(docs...)
	ix, err := index.Memory(context.Background(), law.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	names := []cite.Alias{{Name: "LFB", Norm: "LEY-1"}, {Name: "Ley de Faros", Norm: "LEY-1"}, {Name: "LMB", Norm: "LEY-2"}}
	return Options{Law: law, Search: ix, Table: cite.NewTable(names, law.Norms()), Today: "2026-11-21",
		Install: func(norm, name string) string { return "digesto corpus add FICHERO" }}
}

// firedInTests counts how often each rule of linking decided in the texts of the tests.
var firedInTests = map[string]int{}

func check(t testing.TB, o Options, s string) Report {
	t.Helper()
	r, err := Check(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range r.Rules {
		firedInTests[u.Rule] += u.Fired
	}
	n := 0
	for _, c := range r.Counts {
		n += c
	}
	if n != len(r.Citations) {
		t.Errorf("counts %v of %d citations", r.Counts, len(r.Citations))
	}
	runes := []rune(s)
	for _, f := range r.Citations {
		if f.Start < 0 || f.End > len(runes) || f.Text != "" && string(runes[f.Start:f.End]) != f.Text {
			t.Errorf("%q is not at %d–%d", f.Text, f.Start, f.End)
		}
	}
	return r
}

// verdicts gives "VERDICT norm/unit" of each citation.
func verdicts(r Report) string {
	var out []string
	for _, f := range r.Citations {
		out = append(out, string(f.Verdict)+" "+f.Norm+"/"+f.Unit)
	}
	return strings.Join(out, "; ")
}

func TestVerdicts(t *testing.T) {
	o := harbour(t)
	for _, c := range []struct{ name, text, want string }{
		{"true", "El art. 1 LFB dice: «Esta ley ordena el servicio de los faros de la costa».", "VERIFIED LEY-1/a1"},
		{"citation behind", "«Cada puesto se adjudica por sorteo público» (art. 1 LMB).", "VERIFIED LEY-2/a1"},
		{"other marks", "Según el artículo 2 de la LMB, “los puestos abrirán de siete a quince horas”.", "VERIFIED LEY-2/a2"},
		{"straight marks", `El artículo 2 de la Ley 2/2002 manda: "Los puestos abrirán de siete a quince horas".`, "VERIFIED LEY-2/a2"},
		{"block", "Dice el artículo 1 de la Ley de Faros:\n\n> Esta ley ordena el servicio de los faros de la costa y la conservación de sus balizas.\n", "VERIFIED LEY-1/a1"},
		{"with heading", "> Artículo 2. Horario. Los puestos abrirán de siete a quince horas.\n\n(Ley 2/2002, art. 2)", "VERIFIED LEY-2/a2"},
		{"words left out", "El art. 2 LMB: «Los puestos abrirán […] y el domingo permanecerán cerrados».", "VERIFIED LEY-2/a2"},
		{"changed letter", "El art. 2 LMB ordena que «[l]os puestos abrirán de siete a quince horas».", "VERIFIED LEY-2/a2"},
		{"one word altered", "El art. 1 LMB: «Cada puesto se adjudica por concurso público entre los vecinos inscritos».", "NOT_FOUND LEY-2/a1"},
		{"figure altered", "El art. 3 LFB: «La tasa de luz será de 54,50 euros por cada arribada».", "NOT_FOUND LEY-1/a3"},
		{"negation dropped", "El art. 2 LFB: «El farero podrá renunciar a su descanso a cambio de dinero».", "NOT_FOUND LEY-1/a2"},
		{"negation cut off", "Según el art. 3 LFB, «se cobrará tasa a los barcos de pesca que arriben por temporal».", "NOT_FOUND LEY-1/a3"},
		{"negation left out", "Según el art. 2 LFB, «El farero […] podrá renunciar a su descanso».", "NOT_FOUND LEY-1/a2"},
		{"number cut", "Según el art. 2 LFB, el descanso dura «dos días naturales. El farero».", "NOT_FOUND LEY-1/a2"},
		{"wrong article", "El art. 3 LFB: «Esta ley ordena el servicio de los faros de la costa».", "MISATTRIBUTED LEY-1/a3"},
		{"wrong norm", "El art. 2 LFB: «Los puestos abrirán de siete a quince horas».", "MISATTRIBUTED LEY-1/a2"},
		{"former wording", "El art. 2 LFB: «El descanso anual del farero durará veinte días naturales».", "SUPERSEDED LEY-1/a2"},
		{"repealed norm", "La Ley 3/1990, art. 1: «Los carros cederán el paso a las personas».", "SUPERSEDED LEY-3/a1"},
		{"repeal to come", "La Ley 4/2003, art. 1: «Los globos se atan de noche».", "VERIFIED LEY-4/a1"},
		{"no such article", "Lo prohíbe el artículo 80 de la LFB.", "NOT_FOUND LEY-1/a80"},
		{"not installed", "Véase el artículo 4 de la Ley 9/2099.", "UNRESOLVED /a4"},
		{"ruling", "Así, ECLI:XX:TS:2020:1234.", "UNRESOLVED /"},
		{"without words", "Véanse los artículos 1 y 3 de la LFB.", "VERIFIED LEY-1/a1; VERIFIED LEY-1/a3"},
		{"two quotations", "El art. 1 LMB dice «Cada puesto se adjudica por sorteo público» y el art. 2 LMB, «el domingo permanecerán cerrados».", "VERIFIED LEY-2/a1; VERIFIED LEY-2/a2"},
		{"no citation", "«Cada puesto se adjudica por sorteo público entre los vecinos inscritos».", "VERIFIED LEY-2/a1"},
		{"no citation, altered", "«Cada puesto se adjudica por sorteo secreto entre los vecinos inscritos en el padrón».", "NOT_FOUND LEY-2/a1"},
		{"number without norm", "El artículo 1 dice: «Cada puesto se adjudica por sorteo público entre los vecinos inscritos».", "VERIFIED LEY-2/a1"},
		{"wrong number without norm", "El artículo 9 dice: «Cada puesto se adjudica por sorteo público entre los vecinos inscritos».", "MISATTRIBUTED LEY-2/a1"},
		{"not law", "El testigo dijo: «yo no vi a nadie aquella noche en el muelle de los pescadores».", ""},
		{"nothing", "Hoy hace buen tiempo.", ""},
	} {
		if got := verdicts(check(t, o, c.text)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAsOfAnEarlierDay(t *testing.T) {
	o := harbour(t)
	o.AsOf = "2010-01-01"
	for s, want := range map[string]string{
		"El art. 2 LFB: «El descanso anual del farero durará veinte días naturales».":             "VERIFIED LEY-1/a2",
		"El art. 2 LFB: «El descanso anual del farero nunca durará menos de treinta y dos días».": "SUPERSEDED LEY-1/a2",
		"La Ley 3/1990, art. 1: «Los carros cederán el paso a las personas».":                     "SUPERSEDED LEY-3/a1",
	} {
		if got := verdicts(check(t, o, s)); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

func TestReasonsHelp(t *testing.T) {
	o := harbour(t)
	r := check(t, o, "El art. 3 LFB: «La tasa de luz será de 54,50 euros por cada arribada». El art. 2 LFB: «El descanso anual del farero durará veinte días naturales». Véase el art. 4 de la Ley 9/2099.")
	if len(r.Citations) != 3 {
		t.Fatal(verdicts(r))
	}
	if n := r.Citations[0].Nearest; n == nil || !strings.Contains(n.Quote, "45,50") || len(n.Diff) < 3 {
		t.Errorf("no nearest words: %+v", n)
	}
	if f := r.Citations[1]; len(f.Where) != 1 || f.Where[0].Version != "2001-03-03" || !strings.Contains(f.Reason, "2020-05-06") || f.Nearest == nil || !strings.Contains(f.Nearest.Quote, "descanso anual") {
		t.Errorf("superseded: %+v", f)
	}
	if f := r.Citations[2]; !strings.Contains(f.Reason, "digesto corpus add") {
		t.Errorf("unresolved: %q", f.Reason)
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"El art. 1 LFB: «Esta ley ordena». ", "> a\n> b\n", "“ „ « \" ’ […] (…)", "art. 1 LFB \x00\xff «x y z»", strings.Repeat("«", 200)} {
		f.Add(s)
	}
	o := harbour(f)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<14 {
			return
		}
		s = strings.ToValidUTF8(s, " ")
		check(t, o, s)
	})
}

// A paragraph that was changed by the day asked, with words that no source here has, is
// not in force as it stands; the others of the article are.
func TestChangedUnseen(t *testing.T) {
	o := port(t)
	law := corpus.Memory(corpus.Document{Norm: digesto.Norm{ID: "LEY-8", Title: "Ley 8/2008, de Faros", Rank: "ley", Jurisdiction: "xx", Published: "2008-01-01"}, Units: []digesto.Unit{
		{ID: "a4", Kind: digesto.KindArticle, Number: "4", Label: "Artículo 4", Versions: []digesto.Version{
			{ID: "2008-01-01", Text: "1. La luz se enciende al anochecer.\n2. El farero tendrá dos ayudantes en invierno.", ValidFrom: "2008-01-01", ValidTo: "2025-08-01",
				Unseen: []digesto.Reform{{Name: "Ley 2/2025", Act: digesto.ActAmends, Published: "2025-04-30", From: "2025-05-01", Parts: []string{"2"}}}},
			{ID: "2025-08-01", Text: "1. La luz se enciende al anochecer.\n2. El farero tendrá tres ayudantes en invierno.", ValidFrom: "2025-08-01", Current: true},
		}}}})
	ix, err := index.Memory(t.Context(), law.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o.Law, o.Search, o.Table = law, ix, cite.NewTable(nil, law.Norms())
	for _, c := range []struct {
		day   digesto.Date
		quote string
		want  Verdict
	}{
		{"2025-04-30", "El farero tendrá dos ayudantes en invierno", Verified},
		{"2025-07-01", "El farero tendrá dos ayudantes en invierno", Superseded},
		{"2025-07-01", "2. El farero tendrá dos ayudantes", Superseded},
		{"2025-07-01", "La luz se enciende al anochecer", Verified},
		{"2025-08-01", "El farero tendrá dos ayudantes en invierno", Superseded},
		{"2025-08-01", "El farero tendrá tres ayudantes en invierno", Verified},
	} {
		o.AsOf = c.day
		r, err := Check(t.Context(), "El art. 4 de la Ley 8/2008 dice: «"+c.quote+"».", o)
		if err != nil || len(r.Citations) != 1 || r.Citations[0].Verdict != c.want {
			t.Errorf("%s %q: want %s, got %+v %v", c.day, c.quote, c.want, r.Citations, err)
		}
	}
}

// Each reason says what to do, or since when and by what.
func TestReasonsSayWhatToDo(t *testing.T) {
	o := harbour(t)
	for text, want := range map[string]string{
		"La Ley 4/2003, art. 1: «Los globos se atan de noche».":                             "deja de regir el 2027-01-01 (la fuente dice: «Derogada por la Ley 9»)",
		"La Ley 3/1990, art. 1: «Los carros cederán el paso a las personas».":               "derogada desde el 2005-01-01",
		"El art. 3 LFB: «Esta ley ordena el servicio de los faros de la costa».":            "Cite ese lugar",
		"El art. 3 LFB: «La tasa de luz será de 54,50 euros por cada arribada».":            "Ese lugar dice algo parecido",
		"El art. 3 LFB: «Cada puesto se adjudica por sorteo entre los vecinos del barrio».": "Lo más parecido está en Artículo 1. Puestos",
		"El art. 3 LFB: «Xilófonos zurdos ululan bajo quinqués».":                           "Tampoco hay nada parecido",
		"El art. 2 LFB: «El descanso anual del farero durará veinte días naturales».":       "La redacción vigente rige desde el 2020-05-06",
		"El art. 3 LFB: «No se cobrará tasa a los barcos [salvo los grandes] de pesca».":    "entre corchetes",
		"«Cada puesto se adjudica por sorteo público entre los vecinos inscritos».":         "Añada la cita",
	} {
		r := check(t, o, text)
		if n := len(r.Citations); n != 1 || !strings.Contains(r.Citations[0].Reason, want) {
			t.Errorf("%s\n\t%+v, want %q", text, r.Citations, want)
		}
	}
}

// What a quotation leaves out so that its sense turns is shown beside it.
func TestTurnedShowsWhatWasLeftOut(t *testing.T) {
	o := harbour(t)
	for text, want := range map[string]string{
		"Según el art. 3 LFB, «se cobrará tasa a los barcos de pesca que arriben por temporal».": "No se cobrará tasa",
		"Según el art. 2 LFB, «El farero […] podrá renunciar a su descanso».":                    "El farero no podrá renunciar",
		"Según el art. 2 LFB, el descanso dura «dos días naturales. El farero».":                 "treinta y dos días naturales",
	} {
		r := check(t, o, text)
		if len(r.Citations) != 1 || r.Citations[0].Nearest == nil || !strings.Contains(r.Citations[0].Nearest.Quote, want) || len(r.Citations[0].Nearest.Diff) < 2 {
			t.Errorf("%s\n\t%+v, want %q", text, r.Citations, want)
		}
	}
}
