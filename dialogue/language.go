package dialogue

import (
	_ "embed"
	"strings"

	"digesto/pack"

	"go.yaml.in/yaml/v3"
)

//go:embed language.yaml
var languageFile []byte

// classes are the words and turns of phrase by which messages are read, each class named by
// what it does.
type classes struct {
	Words    map[string]string
	Patterns map[string][]string
}

// language is what language.yaml holds. That file is part of the program: what is wrong in
// it ends the program at once, and its tests.
var language = func() (c classes) {
	if err := yaml.Unmarshal(languageFile, &c); err != nil {
		panic(err)
	}
	return c
}()

// words gives a class of single words, folded.
func (c classes) words(name string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(c.Words[name]) {
		out[w] = true
	}
	if len(out) == 0 {
		panic("dialogue: language.yaml has no words " + name)
	}
	return out
}

// patterns gives a class of turns of phrase.
func (c classes) patterns(name string) (out []pack.Pattern) {
	for _, s := range c.Patterns[name] {
		p, err := pack.ParsePattern(s)
		if err != nil {
			panic(err)
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		panic("dialogue: language.yaml has no patterns " + name)
	}
	return out
}
