package brief

import (
	"context"
	"digesto/verify/judge"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/text/quote"
)

// forgery is a text with a false quotation, or a false place of one.
type forgery struct {
	text string
	asOf digesto.Date
	// of is the unit cited and words what is quoted: what happens to stand there is no falsehood.
	norm, unit, words string
}

// forger makes falsehoods out of the law.
type forger struct {
	*rand.Rand
	o    Options
	list []sample
	by   map[string][]sample // of an article, by norm and unit
}

// Words of one kind, of which one may stand for another.
var (
	swapped   = [][]string{{"trabajador", "empresario"}, {"acreedor", "deudor"}, {"podrá", "deberá"}, {"podrán", "deberán"}, {"mínimo", "máximo"}, {"anterior", "posterior"}, {"inferior", "superior"}, {"días", "meses"}, {"meses", "años"}, {"actor", "demandado"}, {"antes", "después"}, {"todos", "algunos"}, {"siempre", "nunca"}, {"públicas", "privadas"}, {"y", "o"}}
	inWords   = []string{"dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "diez", "doce", "quince", "veinte", "treinta", "cuarenta", "sesenta"}
	anyFigure = regexp.MustCompile(`\b\d{1,4}\b`)
	deciding  = regexp.MustCompile(`(?i)[^.;:]{20,}?(,? (?:salvo|excepto|siempre que|cuando|si|sin|no|en caso de|hasta)\b[^.;:,]{4,80}),? [^.;:]{20,}`)
	numbered1 = regexp.MustCompile(`(?m)^["“«]?(\d{1,2})[.)º]`)
	lettered1 = regexp.MustCompile(`(?m)^([a-z])\)`)
)

func (f *forger) other(s sample, ok func(sample) bool) (sample, bool) {
	for range 40 {
		if x := f.list[f.IntN(len(f.list))]; ok(x) {
			return x, true
		}
	}
	return s, false
}

func (f *forger) layout(cited, words string) string {
	return fmt.Sprintf(layouts[f.IntN(len(layouts))], cited, words)
}

func (f *forger) said(s sample, words string) (forgery, bool) {
	if words == "" || quote.Plain(words) == quote.Plain(s.text) {
		return forgery{}, false
	}
	return forgery{f.layout(s.cited(), words), "", s.norm.ID, s.unit.ID, words}, true
}

func (f *forger) half(s string, second bool) string {
	w := strings.Fields(s)
	k := len(w)/2 - 1 + f.IntN(3)
	if second {
		return strings.Join(w[k:], " ")
	}
	return strings.TrimRight(strings.Join(w[:k], " "), ",;:")
}

// operators each make a falsehood of a sample; false = it has nothing to alter in that way.
var operators = map[string]func(f *forger, s sample) (forgery, bool){
	"word of the article in the place of another": func(f *forger, s sample) (forgery, bool) {
		w, other := strings.Fields(s.text), strings.Fields(s.version.Text)
		w[1+f.IntN(len(w)-2)] = strings.Trim(other[f.IntN(len(other))], ".,;:()")
		return f.said(s, strings.Join(w, " "))
	},
	"word of the opposite sense": func(f *forger, s sample) (forgery, bool) {
		w := strings.Fields(s.text)
		for i, k := f.IntN(len(w)), 0; k < len(w); i, k = (i+1)%len(w), k+1 {
			for _, pair := range swapped {
				if at := slices.Index(pair, w[i]); at >= 0 {
					w[i] = pair[1-at]
					return f.said(s, strings.Join(w, " "))
				}
			}
		}
		return forgery{}, false
	},
	"word dropped": func(f *forger, s sample) (forgery, bool) {
		w := strings.Fields(s.text)
		i := 2 + f.IntN(len(w)-3)
		return f.said(s, strings.Join(slices.Delete(w, i, i+1), " "))
	},
	"word put in": func(f *forger, s sample) (forgery, bool) {
		w := strings.Fields(s.text)
		return f.said(s, strings.Join(slices.Insert(w, 1+f.IntN(len(w)-2), []string{"también", "siempre", "nunca", "solo", "no"}[f.IntN(5)]), " "))
	},
	"figure in digits": func(f *forger, s sample) (forgery, bool) {
		at := anyFigure.FindAllStringIndex(s.text, -1)
		if len(at) == 0 {
			return forgery{}, false
		}
		m := at[f.IntN(len(at))]
		v, _ := strconv.Atoi(s.text[m[0]:m[1]])
		return f.said(s, s.text[:m[0]]+strconv.Itoa(v+1+f.IntN(9))+s.text[m[1]:])
	},
	"figure in words": func(f *forger, s sample) (forgery, bool) {
		w := strings.Fields(s.text)
		for i := range w {
			if k := slices.Index(inWords, w[i]); k >= 0 {
				w[i] = inWords[(k+1+f.IntN(len(inWords)-1))%len(inWords)]
				return f.said(s, strings.Join(w, " "))
			}
		}
		return forgery{}, false
	},
	"negation dropped": func(f *forger, s sample) (forgery, bool) {
		at := negation.FindStringIndex(s.text)
		if at == nil {
			return forgery{}, false
		}
		return f.said(s, s.text[:at[0]]+s.text[at[1]:])
	},
	"negation cut off before": func(f *forger, s sample) (forgery, bool) {
		at := negation.FindStringIndex(s.text)
		if at == nil || len(strings.Fields(s.text[at[1]:])) < 4 {
			return forgery{}, false
		}
		g, ok := f.said(s, s.text[at[1]:])
		g.words = "" // they do stand there, behind the negation
		return g, ok && len(quote.FindAll(s.version.Text, s.text[at[1]:])) == 1
	},
	"words in another order": func(f *forger, s sample) (forgery, bool) {
		w := strings.Fields(strings.Trim(s.text, "."))
		i := f.IntN(len(w) - 3)
		w[i], w[i+2] = w[i+2], w[i]
		return f.said(s, strings.Join(w, " "))
	},
	"halves of two sentences joined by dots": func(f *forger, s sample) (forgery, bool) {
		all := f.by[s.norm.ID+"/"+s.unit.ID]
		other := all[f.IntN(len(all))]
		if other.at == s.at {
			return forgery{}, false
		}
		return f.said(s, f.half(s.text, false)+" […] "+f.half(other.text, true))
	},
	"halves of two articles joined by dots": func(f *forger, s sample) (forgery, bool) {
		other, ok := f.other(s, func(x sample) bool { return x.norm.ID == s.norm.ID && x.unit.ID != s.unit.ID })
		if !ok {
			return forgery{}, false
		}
		return f.said(s, f.half(s.text, false)+" (...) "+f.half(other.text, true))
	},
	"what decides left out with dots": func(f *forger, s sample) (forgery, bool) {
		m := deciding.FindStringSubmatchIndex(s.text)
		if m == nil {
			return forgery{}, false
		}
		return f.said(s, s.text[:m[2]]+" […]"+s.text[m[3]:])
	},
	"figure left out with dots": func(f *forger, s sample) (forgery, bool) {
		at := anyFigure.FindStringIndex(s.text)
		if at == nil {
			for _, w := range inWords {
				if i := strings.Index(s.text, " "+w+" "); i > 0 {
					at = []int{i + 1, i + 1 + len(w)}
				}
			}
		}
		if at == nil || at[0] < 12 || len(s.text)-at[1] < 20 || judge.Reference.MatchString(strings.ToLower(s.text)) {
			return forgery{}, false
		}
		return f.said(s, s.text[:at[0]]+"[…]"+s.text[at[1]:])
	},
	"insertion in brackets": func(f *forger, s sample) (forgery, bool) {
		w := strings.Fields(s.text)
		put := []string{"[no]", "[y sus herederos]", "[solo]", "[treinta]", "(énfasis: también al contrario)", "[salvo pacto]"}[f.IntN(6)]
		return f.said(s, strings.Join(slices.Insert(w, 1+f.IntN(len(w)-2), put), " "))
	},
	"another article": func(f *forger, s sample) (forgery, bool) {
		other, ok := f.other(s, func(x sample) bool { return x.norm.ID == s.norm.ID && x.unit.ID != s.unit.ID })
		return forgery{f.layout(other.cited(), s.text), "", other.norm.ID, other.unit.ID, s.text}, ok
	},
	"another norm": func(f *forger, s sample) (forgery, bool) {
		other, ok := f.other(s, func(x sample) bool { return x.norm.ID != s.norm.ID })
		other.unit = s.unit
		return forgery{f.layout(other.cited(), s.text), "", other.norm.ID, s.unit.ID, s.text}, ok
	},
	"another number of the article": func(f *forger, s sample) (forgery, bool) {
		return f.elsewhere(s, numbered1, func(n string) string { return "apartado " + n + " del " + s.cited() })
	},
	"another letter of the article": func(f *forger, s sample) (forgery, bool) {
		if numbered1.MatchString(s.version.Text) {
			return forgery{}, false
		}
		return f.elsewhere(s, lettered1, func(n string) string { return "letra " + n + ") del " + s.cited() })
	},
	"a day before the words": func(f *forger, s sample) (forgery, bool) {
		from := s.version.ValidFrom
		if from == "" {
			from = s.norm.Published
		}
		if len(from) < 10 {
			return forgery{}, false
		}
		y, _ := strconv.Atoi(string(from[:4]))
		day := digesto.Date(strconv.Itoa(y-1-f.IntN(20)) + string(from[4:]))
		g, _ := f.said(s, s.text+" ")
		return forgery{f.layout(s.cited(), s.text), day, g.norm, "", ""}, true
	},
	"a form of citing that is badly copied, of another article": func(f *forger, s sample) (forgery, bool) {
		name := numberedTitle.FindString(s.norm.Title)
		n, err := strconv.Atoi(s.unit.Number)
		if err != nil || name == "" {
			return forgery{}, false
		}
		wrong := strconv.Itoa(n + 1 + f.IntN(9))
		form := []string{"%[2]s, %[1]s: «%[3]s»", "%[2]s-%[1]s → «%[3]s»", "Artículo%[1]s de la %[2]s: «%[3]s»", "Art, %[1]s de la %[2]s: «%[3]s»", "artícu-\nlo %[1]s de la %[2]s: «%[3]s»", "| %[2]s | %[1]s | «%[3]s» |", "%[2]s;%[1]s;\"%[3]s\"",
			"«%[3]s» (%[2]s; %[1]s)", "### %[2]s, %[1]s\n\n> %[3]s\n", "Cláusula %[1]s de la %[2]s: «%[3]s»", "Artículo **%[1]s** de la %[2]s: «%[3]s»", "Art. %[1]s (Objeto) de la %[2]s: «%[3]s»", "«%[3]s»¹\n\n¹ Art. %[1]s de la %[2]s.", "El número %[1]s de la %[2]s: «%[3]s»", "%[1]s.- «%[3]s» (%[2]s)", "Según la %[2]s (artículo correspondiente: %[1]s), «%[3]s»"}
		return forgery{fmt.Sprintf(form[f.IntN(len(form))], wrong, name, s.text), "", s.norm.ID, "a" + wrong, s.text}, true
	},
	"hidden, struck and foreign characters": func(f *forger, s sample) (forgery, bool) {
		w := strings.Fields(s.text)
		i := 1 + f.IntN(len(w)-2)
		switch f.IntN(4) {
		case 0: // what is read is without the word
			w[i] = "~~" + w[i] + "~~"
		case 1:
			w[i] = "<!-- " + w[i] + " -->"
		case 2:
			w[i] = `<span style="display:none">` + w[i] + "</span>"
		default:
			w = slices.Insert(w, i, "n\u200bo")
		}
		return f.said(s, strings.Join(w, " "))
	},
}

// elsewhere cites a part of the article in which the words do not stand.
func (f *forger) elsewhere(s sample, marks *regexp.Regexp, cited func(n string) string) (forgery, bool) {
	all := marks.FindAllStringSubmatchIndex(s.version.Text, -1)
	seen := map[string]bool{}
	for _, m := range all {
		if n := s.version.Text[m[2]:m[3]]; seen[n] {
			return forgery{}, false // two lists
		} else {
			seen[n] = true
		}
	}
	if len(all) < 2 || s.at < len([]rune(s.version.Text[:all[0][0]])) {
		return forgery{}, false
	}
	k := f.IntN(len(all))
	from, to := len([]rune(s.version.Text[:all[k][0]])), len([]rune(s.version.Text))
	if k+1 < len(all) {
		to = len([]rune(s.version.Text[:all[k+1][0]]))
	}
	if s.at >= from && s.at < to {
		return forgery{}, false
	}
	if _, ok := quote.Find(string([]rune(s.version.Text)[from:to]), s.text); ok {
		return forgery{}, false
	}
	return forgery{fmt.Sprintf("El %s dice: «%s».", cited(s.version.Text[all[k][2]:all[k][3]]), s.text), "", s.norm.ID, "", ""}, true
}

// dotless takes out dots that leave nothing out.
var dotless = strings.NewReplacer(" […] ", " ", " (...) ", " ")

// TestAdversary makes falsehoods out of the law by some twenty operators: none may be VERIFIED.
// DIGESTO_ADVERSARY says how many, and DIGESTO_ADVERSARY_SEED which.
func TestAdversary(t *testing.T) {
	o := realLaw(t)
	n := 3000
	if s := os.Getenv("DIGESTO_ADVERSARY"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	seed := uint64(19)
	if s := os.Getenv("DIGESTO_ADVERSARY_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	f := &forger{rand.New(rand.NewPCG(seed, 83)), o, sentencesOf(o, 10, 60, "«»“”‘’'\"[]…\n|"), map[string][]sample{}}
	for _, s := range f.list {
		f.by[s.norm.ID+"/"+s.unit.ID] = append(f.by[s.norm.ID+"/"+s.unit.ID], s)
	}
	var names []string
	for name := range operators {
		names = append(names, name)
	}
	slices.Sort(names)
	made, passed, stands := map[string]int{}, map[string]int{}, 0
	began := time.Now()
	for k := 0; k < n; {
		if k%2000 == 0 && k > 0 {
			fmt.Fprintf(os.Stderr, "%d in %s\n", k, time.Since(began).Round(time.Second))
		}
		name := names[f.IntN(len(names))]
		g, ok := operators[name](f, f.list[f.IntN(len(f.list))])
		if !ok {
			continue
		}
		if u, ok := o.Law.Unit(g.norm, g.unit); ok && g.words != "" && slices.ContainsFunc(u.Versions, func(v digesto.Version) bool {
			_, ok := quote.Find(v.Text, strings.TrimRight(dotless.Replace(g.words), ". "))
			return ok && v.Current
		}) {
			stands++
			continue // it says that after all
		}
		k++
		made[name]++
		at := o
		at.AsOf = g.asOf
		rep, err := Check(context.Background(), g.text, at)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range rep.Citations {
			if x.Quote != nil && x.Verdict == Verified {
				passed[name]++
				if passed[name] < 6 {
					t.Errorf("%s: VERIFIED in %s/%s: %s [%s]", name, x.Norm, x.Unit, g.text, x.Reason)
				}
				break
			}
		}
	}
	for _, name := range names {
		t.Logf("%-60s %6d, VERIFIED %d", name, made[name], passed[name])
	}
	t.Logf("%d falsehoods; %d more were left out because the place cited says so", n, stands)
}
