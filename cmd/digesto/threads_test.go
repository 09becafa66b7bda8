package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"digesto"
	"digesto/eval"
	"digesto/internal/browser"
	"digesto/internal/long"
	"digesto/packs"
)

// threads gives n of the scripted conversations, spread over their kinds: those that a
// client can hold, without deletions.
func threads(t *testing.T, n int) (out []eval.Dialogue) {
	t.Helper()
	f, err := packs.FS().Open("argentina/eval/dialogues.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := eval.ReadDialogues(f)
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(d eval.Dialogue) bool {
		return len(d.Turns) < 2 || slices.ContainsFunc(d.Turns, func(t eval.DialogueTurn) bool { return t.Delete > 0 })
	})
	for k := range n {
		out = append(out, all[k*len(all)/n])
	}
	return out
}

// went is how a turn ended: its outcome and what it cites.
func went(t *testing.T, answer string) (digesto.Answer, string) {
	t.Helper()
	var a digesto.Answer
	if err := json.Unmarshal([]byte(answer), &a); err != nil || a.Meta == nil {
		t.Fatalf("%v: %s", err, answer)
	}
	out := string(a.Meta.Outcome)
	for _, c := range a.Citations {
		out += fmt.Sprintf(" %q", c.Quote)
	}
	return a, out
}

// TestThreadsEverywhere holds twenty conversations as a stream with a session, as the
// messages of a chat and as those of a tool: every turn ends the same.
func TestThreadsEverywhere(t *testing.T) {
	base, tools := serveLaw(t, t.TempDir()), mcpClient(t)
	for _, d := range threads(t, long.Of(20, 6)) {
		session, pack := "new", "argentina"
		var messages []map[string]any
		for k, turn := range d.Turns {
			body := `{"question":` + strconv.Quote(turn.Say) + `,"pack":"` + pack + `","session_id":"` + session + `"}`
			first, want := went(t, between(t, post(t, base+"/v1/ask", "text/event-stream", body), "event: answer\ndata: ", "\n"))
			session = first.Meta.SessionID
			said, _ := json.Marshal(append(slices.Clone(messages), map[string]any{"role": "user", "content": turn.Say}))
			chat, inChat := went(t, inner(t, post(t, base+"/v1/chat/completions", "application/json", `{"model":"digesto-`+pack+`","messages":`+string(said)+`}`)))
			text, failed := callTool(t, tools, "ask", map[string]any{"question": turn.Say, "pack": pack, "messages": messages})
			if failed {
				t.Fatal(text)
			}
			if _, byTool := went(t, text); inChat != want || byTool != want {
				t.Errorf("%s, turn %d, %q:\nstream %s\nchat   %s\ntool   %s", d.ID, k+1, turn.Say, want, inChat, byTool)
			}
			messages = append(messages, map[string]any{"role": "user", "content": turn.Say}, map[string]any{"role": "assistant", "content": chat.Answer})
		}
	}
}

// TestThreadsByPage holds twenty conversations by the keyboard, on the page of each answer: the
// thread goes on there, every turn ends as by the stream, and a screen reader is told what was
// asked, how it was understood and where to go on.
func TestThreadsByPage(t *testing.T) {
	base := serveLaw(t, t.TempDir())
	tab := browser.Own(t).Tab(t, browser.Look{})
	for _, d := range threads(t, long.Of(20, 3)) {
		tab.Go(base + "/")
		browser.Eval[string](tab, "document.querySelector('select[name=pack]').value='argentina'")
		stream, session := "new", ""
		for k, turn := range d.Turns {
			body := `{"question":` + strconv.Quote(turn.Say) + `,"pack":"argentina","session_id":"` + stream + `"}`
			a, _ := went(t, post(t, base+"/v1/ask", "application/json", body))
			stream = a.Meta.SessionID
			field, label := "#q", "textbox Preguntar"
			if tab.Has("#otra") { // it was asked back
				field = "#otra"
			}
			tab.TabTo(field)
			at := tab.Path()
			tab.Leave(func() {
				if tab.Type(field, turn.Say); field == "#q" {
					tab.TabTo("form.ask .primary")
				}
				tab.Press("\r")
			}, func() { tab.Wait("location.pathname!=='" + at + "'") })
			if tab.Has("#otra") {
				label = "textbox O dígalo"
			}
			if now := browser.Eval[string](tab, "document.querySelector('input[name=session_id]')?.value??''"); k > 0 && now != session {
				t.Fatalf("%s, turn %d: the conversation is %q, and was %q", d.ID, k+1, now, session)
			} else {
				session = now
			}
			spoken := tab.Spoken()
			for _, want := range []string{"heading " + strings.TrimSpace(turn.Say), label} {
				if !slices.ContainsFunc(spoken, func(s string) bool { return strings.HasPrefix(s, want) }) {
					t.Errorf("%s, turn %d: nothing says %q:\n%s", d.ID, k+1, want, strings.Join(spoken, "\n"))
				}
			}
		}
		if byPage, byStream := ends(t, base, session), ends(t, base, stream); !slices.Equal(byPage, byStream) || len(byPage) != len(d.Turns) {
			t.Errorf("%s: by page %q, by stream %q", d.ID, byPage, byStream)
		}
	}
}

// ends are the outcomes of a conversation as they are stored.
func ends(t *testing.T, base, session string) (out []string) {
	t.Helper()
	res, err := http.Get(base + "/v1/conversations/" + session + "/messages")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var list struct {
		Messages []struct {
			Role string
			Type string `json:"message_type"`
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	for _, m := range list.Messages {
		if m.Role == "assistant" {
			out = append(out, m.Type)
		}
	}
	return out
}
