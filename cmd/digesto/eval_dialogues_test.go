package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"digesto/internal/shareddata"
)

// TestScriptedDialogues holds the conversations of the pack with what the
// program carries: it fails below the bounds that the command states.
func TestScriptedDialogues(t *testing.T) {
	e, out, errs := testEnv(nil)
	if code := run(context.Background(), []string{"eval", "dialogues", "--json"}, e); code != 0 {
		t.Fatalf("exit %d: %s\n%s", code, out, errs)
	}
	var r struct {
		Counts struct{ Dialogues, Turns int }
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || r.Counts.Dialogues < 80 {
		t.Errorf("%+v %v", r, err)
	}
}

// TestClearQuestionsAreNotAskedBack asks questions that leave nothing open.
func TestClearQuestionsAreNotAskedBack(t *testing.T) {
	file := filepath.Join(shareddata.Dir(t, "evals/ar-es"), "queries.jsonl")
	e, out, errs := testEnv(nil)
	if code := run(context.Background(), []string{"eval", "dialogues", "--clear", file}, e); code != 0 {
		t.Fatalf("exit %d: %s\n%s", code, out, errs)
	}
}
