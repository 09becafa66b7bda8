package pack_test

import (
	"fmt"
	"testing"

	"digesto"
	"digesto/pack"
)

func TestTrialDividesConversations(t *testing.T) {
	p := sixth(t)
	if err := p.Try("answer", []pack.Trial{{Version: "1", Share: 30}, {Version: "2", Share: 70}}); err != nil {
		t.Fatal(err)
	}
	n, was := map[string]int{}, map[int]string{}
	for i := range 4000 {
		a, ok := p.PromptFor("answer", fmt.Sprint("c", i))
		b, _ := p.PromptFor("answer", fmt.Sprint("c", i))
		if !ok || a != b {
			t.Fatalf("%d: %+v, then %+v", i, a, b)
		}
		n[a.Version]++
		was[i] = a.Version
	}
	if n["1"] < 1080 || n["1"] > 1320 || n["1"]+n["2"] != 4000 { // 4 standard deviations
		t.Errorf("%v", n)
	}
	if a, _ := p.PromptFor("answer", ""); a.Version != "2" {
		t.Errorf("without a conversation: %+v", a)
	}
	// A larger share takes conversations over and gives none back.
	if err := p.Try("answer", []pack.Trial{{Version: "1", Share: 50}, {Version: "2", Share: 50}}); err != nil {
		t.Fatal(err)
	}
	for i, v := range was {
		if a, _ := p.PromptFor("answer", fmt.Sprint("c", i)); v == "1" && a.Version != "1" {
			t.Fatalf("conversation %d changed from 1 to %s", i, a.Version)
		}
	}
	if err := p.Try("answer", nil); err != nil {
		t.Fatal(err)
	}
	if a, _ := p.PromptFor("answer", "c1"); a.Version != "2" {
		t.Errorf("after the trial: %+v", a)
	}
}

func TestTrialThatCannotBe(t *testing.T) {
	p := sixth(t)
	for _, c := range []struct {
		name   string
		trials []pack.Trial
		code   digesto.Code
	}{
		{"answer", []pack.Trial{{"1", 50}, {"9", 50}}, digesto.CodeNotFound},
		{"nada", []pack.Trial{{"1", 100}}, digesto.CodeNotFound},
		{"answer", []pack.Trial{{"1", 50}, {"2", 40}}, digesto.CodeInvalid},
		{"answer", []pack.Trial{{"1", 150}, {"2", -50}}, digesto.CodeInvalid},
	} {
		if err := p.Try(c.name, c.trials); digesto.CodeOf(err) != c.code {
			t.Errorf("%s %v: %v", c.name, c.trials, err)
		}
	}
}
