package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
	"digesto/text"
)

// TestNothingActs: what a document or a question brings to run a script or to reorder
// what is read comes out of no way of the server, and quotations stand where they say.
func TestNothingActs(t *testing.T) {
	const turn, back, mark = "\u202e", "\u2069", "\u200f"
	dir, data := t.TempDir(), t.TempDir()
	law := `{"_id":"BOYA-1:a1","title":"Artículo 1. Del ` + turn + `descanso","text":"El ` + mark + `boyero tendrá ` + turn + `treinta días de descanso [al año](javascript:alert(1)).","metadata":{"norm":"BOYA-1","norm_title":"Ley ` + back + `1/2001, de las Boyas","unit":"a1","url":"javascript:alert(2)","rank":"ley","official":true}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "boyas.jsonl"), []byte(law), 0o600); err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"DIGESTO_DATA": data}
	e, _, errs := testEnv(vars)
	if code := run(t.Context(), []string{"corpus", "add", dir, "--pack", "laboral"}, e); code != 0 {
		t.Fatal(errs)
	}
	base := serveLaw(t, data)
	const question = "¿Cuántos días de " + "\\u202e" + "descanso" + mark + " tiene el boyero?"
	ask := `{"pack":"laboral","question":"` + question + `"}`
	answered := putTo(t, base, ask)
	var a digesto.Answer
	if err := json.Unmarshal([]byte(answered), &a); err != nil || len(a.Citations) == 0 || a.Citations[0].Ref.Document != "BOYA-1" {
		t.Fatalf("%v %s", err, answered)
	}
	unit := get(t, base+"/v1/norms/BOYA-1/a1")
	var u struct{ Version digesto.Version }
	if err := json.Unmarshal([]byte(unit), &u); err != nil {
		t.Fatal(err)
	}
	if r, c := []rune(u.Version.Text), a.Citations[0]; c.Ref.End > len(r) || string(r[c.Ref.Start:c.Ref.End]) != c.Quote || c.Ref.SHA256 != u.Version.SHA256 {
		t.Errorf("the quotation does not stand where it says: %+v %s", c, unit)
	}
	chat := `{"model":"digesto-laboral","messages":[{"role":"user","content":"` + question + `"}]`
	visit := newVisit(t, base)
	_, _, page := visit.do("POST", "/preguntar", url.Values{"pack": {"laboral"}, "question": {strings.ReplaceAll(question, `\u202e`, turn)}})
	for what, got := range map[string]string{
		"JSON": answered, "events": post(t, base+"/v1/ask", "text/event-stream", ask), "chat": post(t, base+"/v1/chat/completions", "application/json", chat+"}"),
		"chat in events": post(t, base+"/v1/chat/completions", "text/event-stream", chat+`,"stream":true}`), "search": post(t, base+"/v1/search", "application/json", `{"text":"`+question+`"}`),
		"verify": post(t, base+"/v1/verify", "application/json", `{"text":"Artículo 1 de la Ley 1/2001: «`+question+`»"}`),
		"norms":  get(t, base+"/v1/norms"), "norm": get(t, base+"/v1/norms/BOYA-1"), "unit": unit, "citation": get(t, base+"/v1/norms/BOYA-1/a1/citation"),
		"page of a law": get(t, base+"/leyes/BOYA-1/a1"), "page of an answer": page, "messages": get(t, base+"/v1/conversations/"+a.Meta.SessionID+"/messages"),
		"Markdown": get(t, base+"/v1/conversations/"+a.Meta.SessionID+"/export?format=md"), "file": get(t, base+"/v1/conversations/"+a.Meta.SessionID+"/export?format=html"), "trace": get(t, base+"/v1/traces/"+a.Meta.TraceID),
		"tools": post(t, base+"/mcp", "application/json, text/event-stream", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"pack":"laboral","question":"`+question+`"}}}`),
	} {
		if !strings.Contains(got, "boyero") && !strings.Contains(got, "BOYA-1") {
			t.Errorf("%s: it says nothing of it: %.300s", what, got)
		}
		if bytes.ContainsFunc([]byte(got), text.Reorders) || reordering.MatchString(got) {
			t.Errorf("%s: characters that reorder", what)
		}
		if strings.Contains(strings.ToLower(got), "javascript:") {
			t.Errorf("%s: a script", what)
		}
	}
}
