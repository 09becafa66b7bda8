package pack_test

import (
	"testing"

	"digesto"
	"digesto/pack"
)

func TestChatType(t *testing.T) {
	p := &pack.Pack{Title: "Mar", ChatTypes: []pack.ChatType{{Name: "altas", Filter: map[string][]string{"rank": {"constitución"}}}}}
	c, err := p.ChatType("altas")
	if err != nil || !c.Admits(digesto.Norm{Rank: "Constitucion"}) || c.Admits(digesto.Norm{Rank: "ley"}) {
		t.Errorf("%+v %v", c, err)
	}
	if all, err := p.ChatType(""); err != nil || !all.Admits(digesto.Norm{Rank: "ley"}) {
		t.Errorf("%+v %v", all, err)
	}
	if _, err := p.ChatType("bajas"); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("%v", err)
	}
}
