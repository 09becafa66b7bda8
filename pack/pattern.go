package pack

import (
	"strings"

	"digesto/text"
)

// Pattern is a sequence of whole words, folded, that a question is searched
// for. In its written form
//
//	a|b     alternatives for one word
//	conv*   words that begin so
//	_       exactly one word, whatever it is
//	...     a gap of up to gapWords words
//	^  $    beginning and end of the question
//	?w      a word that may be missing
//
// Words match whole: "salta" is not found in "asaltaron".
type Pattern struct {
	source string
	steps  []step
	start  bool
	end    bool
}

const gapWords = 5

type step struct {
	alts []string
	gap  bool
	any  bool
	opt  bool
}

// ParsePattern reads the written form. An empty pattern, or one that would
// match every question, is an error.
func ParsePattern(s string) (Pattern, error) {
	p := Pattern{source: s}
	fields := strings.Fields(s)
	if len(fields) > 0 && fields[0] == "^" {
		p.start, fields = true, fields[1:]
	}
	if n := len(fields); n > 0 && fields[n-1] == "$" {
		p.end, fields = true, fields[:n-1]
	}
	literal := false
	for _, f := range fields {
		st, err := parseStep(f, s)
		if err != nil {
			return Pattern{}, err
		}
		literal = literal || len(st.alts) > 0 && !st.opt
		p.steps = append(p.steps, st)
	}
	if !literal {
		return Pattern{}, invalid("el patrón «"+s+"» no contiene ninguna palabra obligatoria", "Escriba al menos una palabra.")
	}
	return p, nil
}

func parseStep(f, whole string) (step, error) {
	switch f {
	case "...", "…":
		return step{gap: true}, nil
	case "_":
		return step{any: true}, nil
	case "^", "$":
		return step{}, invalid("el patrón «"+whole+"» tiene «"+f+"» fuera de su extremo", "«^» va al principio y «$» al final.")
	}
	var st step
	if len(f) > 1 && f[0] == '?' {
		st.opt, f = true, f[1:]
	}
	for _, a := range strings.Split(f, "|") {
		star := strings.HasSuffix(a, "*")
		w := Words(strings.TrimSuffix(a, "*"))
		if len(w) != 1 {
			return step{}, invalid("el patrón «"+whole+"» tiene la alternativa «"+a+"», que no es una palabra", "Separe las alternativas con «|», sin espacios.")
		}
		if star {
			w[0] += "*"
		}
		st.alts = append(st.alts, w[0])
	}
	return st, nil
}

func (p Pattern) String() string { return p.source }

// Size counts the words that the pattern asks for: the more, the more specific.
func (p Pattern) Size() int {
	n := 0
	for _, s := range p.steps {
		if len(s.alts) > 0 && !s.opt {
			n++
		}
	}
	return n
}

// Match says whether the words hold the pattern.
func (p Pattern) Match(words []string) bool {
	_, _, ok := p.Find(words)
	return ok
}

// Find gives the first place of the pattern: words[from:to].
func (p Pattern) Find(words []string) (from, to int, ok bool) {
	last := len(words)
	if p.start {
		last = 0
	}
	for i := 0; i <= last; i++ {
		if end, ok := p.at(words, i, 0); ok {
			return i, end, true
		}
	}
	return 0, 0, false
}

// at matches steps[k:] at words[i:]. Gaps and optional words are tried short first.
func (p Pattern) at(words []string, i, k int) (int, bool) {
	if k == len(p.steps) {
		return i, !p.end || i == len(words)
	}
	st := p.steps[k]
	if st.gap {
		for n := 0; n <= gapWords && i+n <= len(words); n++ {
			if end, ok := p.at(words, i+n, k+1); ok {
				return end, true
			}
		}
		return 0, false
	}
	if st.opt {
		if end, ok := p.at(words, i, k+1); ok {
			return end, true
		}
	}
	if i < len(words) && (st.any || st.holds(words[i])) {
		return p.at(words, i+1, k+1)
	}
	return 0, false
}

func (s step) holds(w string) bool {
	for _, a := range s.alts {
		if n := len(a) - 1; a[n] == '*' && strings.HasPrefix(w, a[:n]) || a == w {
			return true
		}
	}
	return false
}

// Words gives the folded words of a text: the form that patterns, synonyms and
// ambiguities are compared in.
func Words(s string) []string {
	toks := text.Tokens(nil, s)
	out := make([]string, 0, len(toks))
	for _, t := range toks {
		out = append(out, t.Text)
	}
	return out
}

// key is a text as a look-up key: its folded words joined by spaces.
func key(s string) string { return strings.Join(Words(s), " ") }
