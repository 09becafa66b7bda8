package jus

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"digesto/pack"
	"digesto/packs/jus/fees"
	"digesto/text/lazyregexp"
)

//go:embed data/families.tsv
var embeddedFamilies []byte

// families gives, for each word, those that say the same of a service: the verb and the
// noun ("rematar", "subasta"), or two nouns of one thing.
var families = sync.OnceValue(func() map[string][]string {
	list, _, err := fees.Rows("families.tsv", embeddedFamilies, "words")
	if err != nil {
		panic(err) // embedded: the tests of the package read it
	}
	out := map[string][]string{}
	for _, r := range list {
		var words []string
		for _, w := range strings.Fields(r[0]) {
			for _, f := range append(conjugated(w), w) {
				words = append(words, singular(f))
			}
		}
		for _, w := range words {
			for _, x := range words {
				if !slices.Contains(out[w], x) {
					out[w] = append(out[w], x)
				}
			}
		}
	}
	return out
})

// singular takes the mark of the plural, and of the gender of adjectives, off a folded word, the same way in patterns and
// in questions: "verbales" and "verbal", "padres" and "padre" become one form, which
// need not be a word itself.
func singular(w string) string {
	if len(w) <= 3 || w[0] >= '0' && w[0] <= '9' {
		return w
	}
	w = strings.TrimSuffix(w, "s")
	if n := len(w); n > 4 && w[n-1] == 'e' && strings.IndexByte("lnrdj", w[n-2]) >= 0 {
		return w[:n-1]
	}
	if strings.HasSuffix(w, "ce") && len(w) > 4 {
		return w[:len(w)-2] + "z"
	}
	if adj, ok := strings.CutSuffix(w, "mente"); ok && len(adj) > 4 {
		return singular(adj)
	}
	if m := enclitic.FindStringSubmatch(w); m != nil {
		return m[1]
	}
	if strings.HasSuffix(w, "dora") || strings.HasSuffix(w, "tora") || strings.HasSuffix(w, "sora") {
		return w[:len(w)-1] // "curadora", "consultora"
	}
	for _, e := range genders {
		if strings.HasSuffix(w, e) && len(w) > len(e)+2 {
			return w[:len(w)-1] + "o"
		}
	}
	return w
}

// genders are the endings of adjectives and participles in the feminine, which are taken
// to the masculine: "causa abreviada", "juicio abreviado".
var genders = []string{"ada", "ida", "iva", "ica", "oria", "aria"}

func singulars(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = singular(w)
	}
	return out
}

// endings are those of regular verbs, after the stem of an infinitive in -ar and of
// one in -er or -ir.
var (
	endingsAr = strings.Fields("o a an amo ando o aron aba ado e en")
	endingsIr = strings.Fields("o e en emo imo iendo i io ieron ia ido a an")
)

// conjugated gives the commoner forms of a regular verb; none for what is no infinitive.
func conjugated(w string) (out []string) {
	if len(w) < 5 {
		return nil
	}
	stem, endings := w[:len(w)-2], endingsAr
	switch w[len(w)-2:] {
	case "ar":
	case "er", "ir":
		endings = endingsIr
	default:
		return nil
	}
	for _, e := range endings {
		s := stem
		if e[0] == 'e' && w[len(w)-2:] == "ar" {
			switch s[len(s)-1] { // "notificar", "notifique"
			case 'c':
				s = s[:len(s)-1] + "qu"
			case 'g':
				s += "u"
			case 'z':
				s = s[:len(s)-1] + "c"
			}
		}
		out = append(out, s+e)
	}
	return out
}

// verbOf gives the forms of the verb that a noun in "-ación" is of: "delegación",
// "delegar". Short ones are left out, whose forms are other words.
func verbOf(noun string) (out []string) {
	stem, ok := strings.CutSuffix(noun, "acion")
	if !ok || len(stem) < 5 {
		return nil
	}
	for _, w := range append(conjugated(stem+"ar"), stem+"ar") {
		out = append(out, singular(w))
	}
	return out
}

// enclitic are the pronouns at the end of an infinitive or a gerund: "consultarme".
var enclitic = lazyregexp.New(`^(.{3,}(?:ar|er|ir|ando|iendo))(?:me|te|se|le|lo|la|no)(?:lo|la|le)?$`)

// singularPattern reads a pattern that is looked for in words without plurals: each word
// stands for all of its family.
func singularPattern(s string) (pack.Pattern, error) {
	fields := strings.Fields(s)
	for i, f := range fields {
		if f == "..." || f == "_" || f == "^" || f == "$" {
			continue
		}
		opt := strings.HasPrefix(f, "?")
		var alts []string
		for _, a := range strings.Split(strings.TrimPrefix(f, "?"), "|") {
			if !strings.HasSuffix(a, "*") {
				a = singular(a)
			}
			for _, w := range slices.Concat([]string{a}, families()[a], verbOf(a)) {
				if !slices.Contains(alts, w) {
					alts = append(alts, w)
				}
			}
		}
		fields[i] = fees.OnlyIf(opt, "?") + strings.Join(alts, "|")
	}
	return pack.ParsePattern(strings.Join(fields, " "))
}

// findAll gives every place of a pattern, from left to right.
func findAll(p pack.Pattern, words []string) (out [][2]int) {
	for i := 0; i < len(words); {
		from, to, ok := p.Find(words[i:])
		if !ok {
			return out
		}
		out = append(out, [2]int{i + from, i + to})
		i += from + 1
	}
	return out
}

// patterns reads "a b; c d", for words without plurals; "-" stands for none.
func patterns(s string) ([]pack.Pattern, error) {
	var out []pack.Pattern
	for _, w := range strings.Split(s, ";") {
		w = strings.TrimSpace(w)
		if w == "" || w == "-" {
			continue
		}
		p, err := singularPattern(w)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}
