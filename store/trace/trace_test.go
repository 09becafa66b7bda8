package trace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"digesto"
)

func record(t *testing.T, id string, at time.Time, text string) Record {
	t.Helper()
	b, err := Bytes(digesto.Answer{Answer: text, Meta: &digesto.Meta{ElapsedMS: 7, TraceID: id, SessionID: "s", Models: digesto.Models{"writer": {Path: "model", ElapsedMS: 9}}}})
	if err != nil {
		t.Fatal(err)
	}
	return Record{ID: id, At: at, Question: digesto.Question{Text: "¿<faro> & luz?"}, Answer: b, SHA256: Sum(b)}
}

func TestPutGetPrune(t *testing.T) {
	f := Folder{t.TempDir()}
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for _, r := range []Record{record(t, "a1", day, "vieja"), record(t, "a1", day.AddDate(0, 0, 2), "<nueva> & cierta"), record(t, "b2", day, "otra")} {
		if err := f.Put(r); err != nil {
			t.Fatal(err)
		}
	}
	r, err := f.Get("a1")
	if err != nil || !strings.Contains(string(r.Answer), "<nueva> & cierta") {
		t.Fatalf("%v %s", err, r.Answer)
	}
	if strings.Contains(string(r.Answer), `"trace_id":"a1"`) || strings.Contains(string(r.Answer), `:7`) || strings.Contains(string(r.Answer), `:9`) {
		t.Errorf("times and ids stay: %s", r.Answer)
	}
	if err := f.Prune(day.AddDate(0, 0, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Get("b2"); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("pruned: %v", err)
	}
	if _, err := f.Get("a1"); err != nil {
		t.Errorf("kept: %v", err)
	}
}

func TestIDsThatNameNoFile(t *testing.T) {
	f := Folder{t.TempDir()}
	for _, id := range []string{"", "../x", "a/b", "a.json", "ñ", strings.Repeat("a", 200)} {
		if _, err := f.Get(id); digesto.CodeOf(err) != digesto.CodeNotFound {
			t.Errorf("%q: %v", id, err)
		}
		if err := f.Put(Record{ID: id}); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("put %q: %v", id, err)
		}
	}
}

func TestDrop(t *testing.T) {
	f := Folder{t.TempDir()}
	for _, id := range []string{"a1", "b2"} {
		r := record(t, id, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), id)
		r.User = id
		if err := f.Put(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Drop(func(r Record) bool { return r.User == "a1" }); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Get("a1"); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("dropped: %v", err)
	}
	if _, err := f.Get("b2"); err != nil {
		t.Errorf("kept: %v", err)
	}
}

// TestChangedTrace flips words of a kept answer: it is not given.
func TestChangedTrace(t *testing.T) {
	f := Folder{t.TempDir()}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	if err := f.Put(record(t, "a1", at, "veinte días")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(f.Dir, "2026-03-01", "a1.json")
	data, _ := os.ReadFile(path)
	for _, bad := range []string{strings.Replace(string(data), "veinte", "treinta", 1), string(data)[:len(data)/2], ""} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Get("a1"); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%.40q: %v", bad, err)
		}
	}
}

func TestCompare(t *testing.T) {
	a, b := []byte(`{"answer":"x","citations":[{"quote":"uno"}],"n":1}`), []byte(`{"answer":"x","citations":[{"quote":"dos"},{"quote":"tres"}]}`)
	d, err := Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(d)
	want := `[{"field":"citations.0.quote","recorded":"\"uno\"","now":"\"dos\""},{"field":"citations.1.quote","recorded":"","now":"\"tres\""},{"field":"n","recorded":"1","now":""}]`
	if string(got) != want {
		t.Errorf("%s", got)
	}
	if d, _ := Compare(a, a); d != nil {
		t.Errorf("the same: %v", d)
	}
	if d, _ := Compare([]byte(`{"a":1}`), []byte(`{"a": 1}`)); len(d) != 1 || d[0].Field != "bytes" {
		t.Errorf("other bytes of the same value: %v", d)
	}
}

// Whatever stands in a trace's file, it is the one asked for or it is refused.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"id":"a1","answer":{"answer":"x"},"sha256":"00"}`, `{"id":"a1","answer":null,"sha256":""}`, "{", "", `{"id":"a1","at":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode("a1", data)
		if err != nil {
			if digesto.CodeOf(err) != digesto.CodeInvalid {
				t.Fatal(err)
			}
			return
		}
		if r.ID != "a1" || Sum(r.Answer) != r.SHA256 {
			t.Fatalf("%+v", r)
		}
		again, err := Encode(r)
		if err == nil {
			_, err = Decode("a1", again)
		}
		if err != nil {
			t.Fatalf("what was read is not read again: %v", err)
		}
	})
}
