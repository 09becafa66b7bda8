package jus

import (
	"embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"digesto/packs/jus/fees"
	"digesto/packs/jus/naming"
	"digesto/text"
)

//go:embed data/asks.tsv
var embeddedAsks []byte

//go:embed digest/AR-X-LEY-9459.txt digest/elsewhere.txt digest/LEY-8465.txt digest/LEY-8465.more2.txt
var embeddedDigest embed.FS

// readAsks learns how each service is asked for when the first fee is asked: by its own asks,
// and by those of the digest for the article that it stands in, which other hands wrote.
func (c *Calc) readAsks() error {
	list, _, err := fees.Rows("asks.tsv", embeddedAsks, "code", "asks")
	c.asks = sync.OnceValue(func() *naming.Reader { return c.learnAsks(list) })
	return err
}

func (c *Calc) learnAsks(list [][]string) *naming.Reader {
	places, elsewhere := digestAsks("digest/AR-X-LEY-9459.txt"), digestAsks("digest/elsewhere.txt")
	var ways []naming.Ways
	for _, r := range list {
		w := naming.Ways{Code: r[0], Asks: strings.Split(r[1], ";")}
		if g, ok := c.Group(r[0]); ok {
			s, _ := c.Service(g.Cases[0].Service)
			w.Asks, w.Place = append(w.Asks, g.Name), s.LawUnit()
		} else if s, ok := c.Service(r[0]); ok {
			w.Asks, w.Place = append(w.Asks, s.Name), s.LawUnit()
		} else {
			w.Code = noService // of the scale by itself, or of a table that is not here
		}
		ways = append(ways, w)
	}
	priced := map[string]bool{}
	for _, w := range ways {
		priced[w.Place] = true
	}
	for _, at := range slices.Sorted(maps.Keys(places)) {
		if !priced[at] {
			ways = append(ways, naming.Ways{Code: noService, Asks: places[at]})
		}
	}
	for _, at := range slices.Sorted(maps.Keys(elsewhere)) {
		ways = append(ways, naming.Ways{Code: noService, Asks: elsewhere[at]})
	}
	out := naming.New(ways, places, sameWord)
	for _, file := range []string{"digest/LEY-8465.txt", "digest/LEY-8465.more2.txt"} {
		out.Hear(digestAsks(file)) // of the procedure: what people say whatever they ask
	}
	return out
}

// noService is what is asked of the articles that fix no fee, and of what other law says.
const noService = "-"

// askKeys begin the lines of the digest that hold a question.
var askKeys = []string{"short: ", "street: ", "told: ", "pro: "}

// digestAsks gives the questions of a digest's file by the unit that answers them.
func digestAsks(file string) map[string][]string {
	data, err := embeddedDigest.ReadFile(file)
	if err != nil {
		panic(err) // embedded
	}
	out, at := map[string][]string{}, ""
	for _, l := range strings.Split(string(data), "\n") {
		if unit, ok := strings.CutPrefix(l, "== "); ok {
			at = unit
		}
		for _, k := range askKeys {
			if q, ok := strings.CutPrefix(l, k); ok {
				out[at] = append(out[at], q)
			}
		}
	}
	return out
}

// sameWord gives the words of a family one form, and others their stem.
func sameWord(w string) string {
	if same := families()[singular(w)]; len(same) > 0 {
		w = same[0]
	}
	return text.Stem(w)
}
