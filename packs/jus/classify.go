package jus

import (
	"slices"
	"strings"

	"digesto"
	"digesto/pack"
	"digesto/packs/jus/fees"
	"digesto/text"
)

// classify sets the classes of a clause and whether it is refused.
func (c *Calc) classify(r *reading) {
	rule := func(class string) bool { return c.classes[class].match(r.words) }
	other, local := false, false
	for _, p := range r.places {
		other, local = other || p.other, local || !p.other
	}
	if r.litigated(true) && !r.litigated(false) {
		local = false // "vive en Córdoba y el juicio es en Mendoza"
	}
	outside := (other || rule(ClassOutside)) && !c.fromElsewhere(r)
	r.partly = outside && local
	if rule(ClassAdvice) {
		r.classes, r.refused = []string{ClassAdvice}, ClassAdvice
		return
	}
	if outside && !local {
		r.classes, r.refused = []string{ClassOutside}, ClassOutside
		return
	}
	set := map[string]bool{ClassOutside: r.partly}
	unit := r.has("jus", "juses")
	jus, pesos := r.amount("jus"), r.amount("pesos")
	set[ClassCompare] = rule(ClassCompare) && (unit || len(r.services) > 0 || r.has("honorarios", "honorario", "arancel", "valor")) || r.dates.rng && unit && !jus && !pesos
	if jus && !pesos && rule(ClassValue) && !r.has("pesos", "plata") && r.oneJus() {
		jus = false // "cuánto vale 1 JUS" asks for the value itself
	}
	set[ClassConvert] = !set[ClassCompare] && (jus || pesos && unit || rule(ClassConvert) && (unit || r.has("pesos")) && len(r.services) == 0) && !(len(r.services) > 0 && pesos)
	if set[ClassConvert] && len(r.services) > 0 && !rule(ClassConvert) {
		set[ClassConvert] = false
	}
	set[ClassQuote] = !set[ClassCompare] && !set[ClassConvert] && rule(ClassQuote) && !(unit && len(r.services) == 0 && rule(ClassValue))
	set[ClassValue] = !set[ClassCompare] && !set[ClassConvert] && !set[ClassQuote] && unit && rule(ClassValue) && len(r.services) == 0
	if !set[ClassValue] && !set[ClassConvert] && !set[ClassQuote] && !set[ClassCompare] {
		set[ClassRule] = rule(ClassRule) || len(r.services) > 0
		if unit && !set[ClassRule] && len(r.dates.found) > 0 {
			set[ClassValue] = true
		}
	}
	if set[ClassQuote] && r.cuantosJus() {
		set[ClassRule] = true
	}
	for _, k := range classOrder {
		if set[k] {
			r.classes = append(r.classes, k)
		}
	}
}

// fromElsewhere says that what is asked for comes from another jurisdiction by its nature.
func (c *Calc) fromElsewhere(r *reading) bool {
	return len(r.services) > 0 && !slices.ContainsFunc(r.services, func(m mentioned) bool {
		s, _ := c.Service(m.code)
		return s.Article != commsArticle
	})
}

// commsArticle is on what courts of different places ask of each other.
const commsArticle = "86"

// litigated says whether a place is where the case is: in another province, or in this.
func (r *reading) litigated(other bool) bool {
	for _, p := range r.places {
		for i := max(0, p.from-courtReach); i < p.from && p.other == other; i++ {
			if courtWords[r.words[i]] {
				return true
			}
		}
	}
	return false
}

// courtReach is how many words before a place may name the case.
const courtReach = 5

var courtWords = set("juicio juicios proceso expediente causa litigo litigio litiga tramite tramita tribunal tribunales juzgado demanda")

// cuantosJus says whether the number of JUS is asked for, beside pesos.
func (r *reading) cuantosJus() bool {
	for i := 0; i+1 < len(r.words); i++ {
		if (r.words[i] == "cuantos" || r.words[i] == "cuanto") && r.words[i+1] == "jus" {
			return true
		}
	}
	return false
}

func (r *reading) has(list ...string) bool {
	for _, w := range r.words {
		for _, x := range list {
			if w == x || strings.HasSuffix(w, x) && w[0] >= '0' && w[0] <= '9' {
				return true
			}
		}
	}
	return false
}

func (r *reading) amount(unit string) bool {
	for _, a := range r.amounts {
		if a.unit == unit {
			return true
		}
	}
	return false
}

// oneJus says whether the only amount is one JUS.
func (r *reading) oneJus() bool {
	return len(r.amounts) == 1 && r.amounts[0].unit == "jus" && r.amounts[0].value.IsOne()
}

// question is a whole question, its clauses read one by one.
type question struct {
	clauses []reading
	texts   []string
	classes []string
	rest    string // the clauses that are not refused
	beside  string // the service that its words ask for rather than what is named
}

// starters begin a clause of its own after "y", "pero" or a comma.
var starters = set(`cuanto cuantos cuanta cuantas que cual cuales quien quienes como cuando donde convert* me te es deberia debo conviene
	pasame converti convertime arma armame suma sumame compara comparame decime calcula calculame tengo hay vale en para`)

// understand splits a question into clauses, so that a refused part does not
// take the rest with it, and reads each. Where no service is named, what its words
// ask for is looked for, as they stand and then with their spelling mended.
func (c *Calc) understand(s string, today digesto.Date) question {
	q := c.understood(s, today, "")
	if !q.names() {
		if x, ok := c.unnamed(s, q, today); ok {
			return x
		}
		return q
	}
	q = c.decided(s, q, today)
	instead, beside := c.secondReading(q)
	if instead != "" {
		return c.understood(s, today, instead)
	}
	q.beside = beside
	return q
}

// agreed says that the words of a question ask for what it names.
func (c *Calc) agreed(q question) bool {
	best, sure := c.askedFor(c.asks().Rank(c.meaning(q)))
	return sure && slices.ContainsFunc(q.clauses, func(r reading) bool {
		return slices.ContainsFunc(r.services, func(m mentioned) bool { return m.code == best.Code || c.kin(m.code, best.Code) })
	})
}

// decided reads a question whose case is open with its spelling mended, where that says
// which case it is: "comisión médica jurisdicional".
func (c *Calc) decided(s string, q question, today digesto.Date) question {
	open := func(q question) (codes []string, n int) {
		r, _ := c.merge(q)
		for _, m := range r.services {
			codes = append(codes, m.code)
			if list, _ := c.CaseServices(m.code, r.facts); len(list) > 1 {
				n++
			}
		}
		return codes, n
	}
	codes, n := open(q)
	if n == 0 {
		return q
	}
	if fixed, _ := text.Correct(s, c.common); fixed != s {
		x := c.understood(fixed, today, "")
		if mended, left := open(x); left < n && len(mended) == len(codes) {
			return x
		}
	}
	return q
}

// unnamed reads a question that names no service in a form that is known: with its
// spelling mended, or by what its words ask for.
func (c *Calc) unnamed(s string, q question, today digesto.Date) (question, bool) {
	whole := q.whole()
	if !whole.wantsFigure() || slices.ContainsFunc(q.classes, func(k string) bool { return k == ClassValue || k == ClassConvert || k == ClassCompare }) {
		return q, false
	}
	list := c.asks().Rank(c.meaning(q))
	m, sure := c.askedFor(list)
	if fixed, _ := text.Correct(s, c.common); fixed != s {
		if x := c.understood(fixed, today, ""); x.names() && (!sure || c.agreed(x)) {
			return x, true
		}
	}
	if least := onlyIfScore(whole.ofFees(), feeName, likelyName); m.Score < least || !m.Firm || m.Code == fees.ScaleCode && !whole.amount("pesos") && !whole.amount("jus") {
		return q, false
	}
	x := c.understood(s, today, m.Code)
	if !sure || !whole.ofFees() && (m.Score < plainName || m.Words < 2) {
		x.beside = c.next(list, m.Code, likelyName)
	}
	return x, true
}

// common says how sure a word is one of those that services are told with: a whole word,
// or one that begins like them, the surer the longer the beginning.
func (c *Calc) common(word string, stem bool) int {
	w := singular(word)
	switch {
	case stem:
		return 0
	case multipliers[word] > 0 || pesoWords[word]:
		return len(w)
	case !c.knows(w):
		if _, ok := slices.BinarySearch(c.said, w); ok {
			return 1 // right as it stands
		}
		return 0
	case c.words[w]:
		return len(w)
	}
	n := 1
	for _, b := range c.begins {
		if strings.HasPrefix(w, b) {
			n = max(n, len(b))
		}
	}
	return n
}

// names says that a question names a service.
func (q question) names() bool {
	return slices.ContainsFunc(q.clauses, func(r reading) bool { return len(r.services) > 0 })
}

// whole gives the words of a question together.
func (q question) whole() (out reading) {
	for _, r := range q.clauses {
		out.words = append(out.words, r.words...)
		out.amounts = append(out.amounts, r.amounts...)
		out.asked = out.asked || r.asked
	}
	return out
}

func (c *Calc) understood(s string, today digesto.Date, meant string) question {
	q := question{}
	var keep []string
	var place *placeFound
	for _, part := range clauses(s) {
		r := c.read(part, today, meant, place)
		place = r.place
		if len(r.words) == 0 {
			continue
		}
		if n := len(q.clauses); n > 0 {
			c.carry(q.clauses[n-1], &r)
		}
		q.clauses, q.texts = append(q.clauses, r), append(q.texts, part)
		if r.refused == "" {
			keep = append(keep, part)
		}
	}
	q.withoutToldAmounts()
	seen := map[string]bool{}
	for _, r := range q.clauses {
		for _, k := range r.classes {
			seen[k] = true
		}
	}
	q.rest = strings.TrimSpace(strings.Join(keep, " "))
	// A clause that only carries the place or the person decides nothing by itself.
	for _, k := range classOrder {
		if seen[k] {
			q.classes = append(q.classes, k)
		}
	}
	return q
}

// withoutToldAmounts takes a clause that only tells an amount ("al oficial le regularon
// 25 JUS") as part of the services of the others, and no conversion.
func (q *question) withoutToldAmounts() {
	if !slices.ContainsFunc(q.clauses, func(r reading) bool { return len(r.services) > 0 }) {
		return
	}
	for i := range q.clauses {
		if r := &q.clauses[i]; r.told() {
			r.classes = slices.DeleteFunc(r.classes, func(k string) bool { return k == ClassConvert })
		}
	}
}

// clauses cuts a question at sentence ends and before a conjunction that begins
// a new question. Points inside numbers and after abbreviations do not cut.
func clauses(s string) []string {
	var out []string
	start := 0
	cut := func(end int) {
		if part := strings.TrimSpace(s[start:end]); part != "" {
			out = append(out, part)
		}
		start = end
	}
	toks := text.Tokens(nil, s)
	for k := 0; k+1 < len(toks); k++ {
		gap := s[toks[k].End:toks[k+1].Start]
		next := toks[k+1].Text
		switch {
		case strings.ContainsAny(gap, "?!;\n¿¡") && !onlyOpens(gap, toks, k), strings.Contains(gap, ". ") && len(toks[k].Text) > 3:
			cut(toks[k].End + strings.IndexAny(gap, "?!;\n¿¡."))
		case (next == "y" || next == "pero" || next == "e" || next == "tambien" || next == "ademas") && k+2 < len(toks) && starters[toks[k+2].Text] && k > 1:
			cut(toks[k+1].Start)
		}
	}
	cut(len(s))
	return out
}

// onlyOpens says whether the gap only opens a question after a vocative or a
// condition ("Hola, ¿cuánto…", "En 2022, ¿cuánto…"): no cut there.
func onlyOpens(gap string, toks []text.Token, k int) bool {
	return strings.ContainsAny(gap, "¿¡") && !strings.ContainsAny(gap, "?!;\n") && !strings.Contains(gap, ". ")
}

type classifier struct {
	calc func() *Calc
	pack *pack.Pack
}

// Classify gives the classes of a question by rules alone. A question whose
// every clause is refused ends there with the fixed sentence; of a mixed one
// only the refused part does.
func (c *classifier) Classify(q pack.ToolQuestion) pack.Classification {
	u := c.calc().understand(q.Text, q.Today)
	out := pack.Classification{Classes: u.classes, Rest: u.rest, Parts: u.parts()}
	asks := 0
	for _, r := range u.clauses {
		if r.refused == "" && len(r.classes) > 0 {
			asks++
		}
	}
	for _, class := range []string{ClassOutside, ClassAdvice} {
		if !slices.Contains(u.classes, class) {
			continue
		}
		k, _ := c.pack.Class(class)
		if asks == 0 && out.Outcome == "" {
			out.Outcome, out.Reply, out.Rest = k.Outcome, k.Reply, ""
			continue
		}
		out.Notes = append(out.Notes, k.Reply)
	}
	return out
}
