package link

import (
	"context"
	"strings"
	"testing"

	"digesto/text/cite"
	"digesto/verify/read"
)

// TestRules: each has a name and a weight of its own, and they stand in the order of the weights.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for i, r := range linkRules {
		if seen[r.name] || i > 0 && r.weight >= linkRules[i-1].weight {
			t.Errorf("%s, %d", r.name, r.weight)
		}
		seen[r.name] = true
	}
}

// TestTie: to which citation a quotation belongs, and by which rule.
func TestTie(t *testing.T) {
	for s, want := range map[string]string{
		"El <5> dice «uno dos tres».":                                    "5 before it",
		"«uno dos tres» (<5>).":                                          "5 right behind, as its source",
		"Según el <5>, «uno dos tres». El <6> calla.":                    "5 before it",
		"«uno dos tres»[^1]\n\n[^1]: <7>\n":                              "7 note that it calls",
		"| <8> | «uno dos tres» |":                                       "8 row of a table",
		"«uno dos tres». Así lo dice el <9>.":                            "9 sentence behind that points back",
		"# <4>\n\n- «uno dos tres»\n- otra cosa":                         "4 heading above",
		"«uno dos tres», y nada más.":                                    "",
		"El <5> y el <6> existen; dice el primero, «uno dos tres».":      "5 the first of two before",
		"Los <5> y <6> dicen, respectivamente, «a b c» y «uno dos tres»": "5,6 ",
	} {
		plain := strings.NewReplacer("<", "", ">", "").Replace(s)
		var mentions []read.Mention
		at := 0
		for _, c := range s {
			switch c {
			case '<':
				mentions = append(mentions, read.Mention{Mention: cite.Mention{Start: at, Norm: "N"}})
				continue
			case '>':
				m := &mentions[len(mentions)-1]
				m.End, m.Number = at, string([]rune(plain)[m.Start:at])
				m.Unit = "a" + m.Number
				continue
			}
			at++
		}
		meter := &read.Meter{Ctx: context.Background(), Most: 1 << 40}
		fired := map[string]int{}
		var got []string
		for _, x := range Tie(meter, plain, []rune(plain), mentions, read.Quotations(meter, plain, []rune(plain)), CourtOf(nil), fired) {
			if x.Quote != nil && len(x.Mentions) > 0 {
				got = append(got, x.Mentions[0].Number)
			}
		}
		rule := ""
		for name := range fired {
			rule = name
		}
		if now := strings.TrimSpace(strings.Join(got, ",") + " " + rule); now != strings.TrimSpace(want) {
			t.Errorf("%s: %q, want %q", s, now, want)
		}
	}
}
