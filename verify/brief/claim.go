package brief

import (
	"regexp"
	"slices"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/figure"
	"digesto/text/sentence"
	"digesto/verify"
)

// Claim is what the sentence around a citation without quotation says, held against
// the unit cited, as in force on the day asked.
type Claim struct {
	// Verdict is "supported", "contradicted" or "not_shown". The last is said of
	// whatever is not plainly one of the others, and asks for a reading.
	Verdict verify.Holding `json:"verdict"`
	// Differs is in what they contradict each other: "figure", "negation", "body",
	// "limit"; "" otherwise.
	Differs verify.Difference `json:"differs"`
	Said    string            `json:"said"` // the words of the text that differ
	Law     string            `json:"law"`  // those of the law in their place
	Reason  string            `json:"reason"`
	// Quote is the sentence of the law that decides, at Ref; "" and null when nothing is shown.
	Quote string       `json:"quote"`
	Ref   *digesto.Ref `json:"ref"`
	// Start and End are the sentence of the text, in code points.
	Start int `json:"start"`
	End   int `json:"end"`
}

// stated is a sentence of the text with what it says beside its citations.
type stated struct {
	start, end int
	said       string
	quotes     bool // it has a quotation: that is judged by its words
}

// sentences gives what each sentence that cites without quoting says. What stands
// in brackets behind a full stop belongs to the sentence before.
func (j *judge) sentences(s string, mentions []mention, quotes []quotation) {
	list := sentence.Split(s)
	for k := 0; k < len(list); k++ {
		end := k
		for end+1 < len(list) && slices.ContainsFunc(mentions, func(m mention) bool { return m.Start < list[end].End && m.End > list[end+1].Start }) {
			end++ // a full stop of the citation's own
		}
		st := stated{start: list[k].Start, end: list[end].End}
		st.said = j.without(st.start, st.end, mentions)
		st.quotes = slices.ContainsFunc(quotes, func(q quotation) bool { return q.from < st.end && q.to > st.start })
		if k > 0 && list[k].Para == list[k-1].Para && strings.HasPrefix(list[k].Text, "(") && len(text.Tokens(nil, st.said)) <= bracketWords {
			if before := len(j.said) - 1; before >= 0 {
				st.start, st.said, st.quotes = j.said[before].start, j.said[before].said, st.quotes || j.said[before].quotes
			}
		}
		j.said = append(j.said, st)
		k = end
	}
}

// bracketWords is how many words beside the citation a bracket may have ("véase")
// that only says where the sentence before it comes from.
const bracketWords = 3

// without gives a stretch of the text without its citations of installed units:
// what else it names ("el apartado 3 del artículo anterior") is part of what it says.
func (j *judge) without(from, to int, mentions []mention) string {
	out := slices.Clone(j.runes[from:to])
	for _, m := range mentions {
		if m.Start >= to || m.End <= from {
			continue
		}
		if places := j.places([]mention{m}); m.Relative || len(places) == 0 || places[0].missing || places[0].unit == "" {
			continue
		}
		for i := max(m.Start, from); i < min(m.End, to); i++ {
			out[i-from] = ' '
		}
	}
	return strings.TrimSpace(callInText.ReplaceAllString(string(out), ""))
}

// callInText calls a note; its number says nothing.
var callInText = regexp.MustCompile(`\[\^[\w-]{1,12}\]`)

// claim holds the sentence around a citation against the text cited; nil when the
// sentence says nothing of its own, or quotes.
func (j *judge) claim(m mention, g verify.Ground) *Claim {
	k := slices.IndexFunc(j.said, func(s stated) bool { return s.start <= m.Start && m.End <= s.end })
	if k < 0 {
		return nil
	}
	st := j.said[k]
	if st.quotes || len(st.said) > maxClaim {
		return nil
	}
	c := verify.NewClaim(&j.an, "", st.said, nil)
	got := j.passage(g).Judge(c, locale(g.Norm.Jurisdiction))
	if got.Words < verify.LeastWords {
		return nil
	}
	out := &Claim{Verdict: got.Holding, Differs: got.Differs, Said: got.Said, Law: got.Law, Start: st.start, End: st.end}
	if got.Holding != verify.NotShown {
		if cite, ok := g.Cite(got.Start, got.End); ok {
			out.Quote, out.Ref = cite.Quote, cite.Ref
		}
	}
	out.Reason = claimReason(got)
	return out
}

// maxClaim bounds a sentence, in bytes.
const maxClaim = 1500

func claimReason(j verify.Judgement) string {
	switch {
	case j.Holding == verify.Contradicted:
		return map[verify.Difference]string{
			verify.DiffersFigure:   "La cifra no es la misma",
			verify.DiffersNegation: "Lo uno niega lo que afirma lo otro",
			verify.DiffersBody:     "No es la misma persona o institución",
			verify.DiffersLimit:    "El límite es el contrario",
		}[j.Differs] + ": el texto dice «" + j.Said + "» y el artículo, «" + j.Law + "»."
	case j.Holding == verify.Supported && j.Except:
		return "El artículo lo dice, con una excepción o distinción de casos que la frase no recoge: léala."
	case j.Holding == verify.Supported:
		return "El artículo lo dice."
	}
	return "No se ha podido comprobar con las palabras del artículo que diga esto: hay que leerlo."
}

// passage is a text of law read for claims; each is read once.
func (j *judge) passage(g verify.Ground) *verify.Passage {
	key := g.Norm.ID + "/" + g.Unit.ID + "/" + g.Version.ID
	p := j.passages[key]
	if p == nil {
		p = verify.NewPassage(&j.an, strings.Join(append(slices.Clone(g.Unit.Path), g.Unit.Label, g.Unit.Rubric), "\n"), g.Version.Text)
		j.passages[key] = p
	}
	return p
}

// locale says how numbers are written where a norm rules.
func locale(jurisdiction string) figure.Locale {
	return figure.LocaleOf("es-" + strings.ToUpper(country(jurisdiction)))
}

// settle lowers what was said of one citation of a sentence where another citation
// of the same sentence supports it: they may share the work.
func settle(list []Finding) {
	supported := map[int]bool{}
	for _, f := range list {
		if f.Claim != nil && f.Claim.Verdict == verify.Supported {
			supported[f.Claim.Start] = true
		}
	}
	for _, f := range list {
		if c := f.Claim; c != nil && c.Verdict == verify.Contradicted && supported[c.Start] {
			*c = Claim{Verdict: verify.NotShown, Reason: "Lo dice otro de los artículos que cita la frase.", Start: c.Start, End: c.End}
		}
	}
}
