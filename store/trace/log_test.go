package trace

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto"
)

func newLog(t *testing.T) *Log {
	t.Helper()
	l := &Log{Folder: Folder{t.TempDir()}}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func (l *Log) files(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(l.Dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestLogTogether: whatever many writers keep at a time is read again by a folder
// that knows nothing of them, from one file a day.
func TestLogTogether(t *testing.T) {
	l := newLog(t)
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	var wg sync.WaitGroup
	for k := range 50 {
		wg.Go(func() {
			id := fmt.Sprintf("t%d", k)
			if err := l.Put(record(t, id, day, strings.Repeat("<voz> & luz ", k*50)+id)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for k := range 50 {
		id := fmt.Sprintf("t%d", k)
		if r, err := (Folder{l.Dir}).Get(id); err != nil || r.ID != id || !bytes.Contains(r.Answer, []byte(id)) {
			t.Fatalf("%s: %v %.200s", id, err, r.Answer)
		}
	}
	if _, err := l.Get("otra"); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("one that is not there: %v", err)
	}
	if list := l.files(t); len(list) != 1 {
		t.Errorf("%d files: %v", len(list), list)
	}
	if err := l.Put(record(t, "tarde", day.AddDate(0, 0, 1), "mañana")); err != nil {
		t.Fatal(err)
	}
	if err := l.Prune(day.AddDate(0, 0, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Get("t1"); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("pruned: %v", err)
	}
	if _, err := l.Get("tarde"); err != nil {
		t.Errorf("of the next day: %v", err)
	}
}

// TestLogNewest: of two with one id the later counts, and neither comes back erased.
func TestLogNewest(t *testing.T) {
	l := newLog(t)
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for _, text := range []string{"primera", "segunda"} {
		if err := l.Put(record(t, "a1", day, text)); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := l.Get("a1"); err != nil || !bytes.Contains(r.Answer, []byte("segunda")) {
		t.Errorf("%v %s", err, r.Answer)
	}
	if err := l.Drop(func(r Record) bool { return r.ID == "a1" }); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Get("a1"); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("erased: %v", err)
	}
}

// TestLogDrop erases in a file that another goes on writing: nothing of the erased
// stays on the disk, all others do.
func TestLogDrop(t *testing.T) {
	l := newLog(t)
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	put := func(id, user string) {
		r := record(t, id, day, "secreto de "+user)
		r.User = user
		if err := l.Put(r); err != nil {
			t.Fatal(err)
		}
	}
	put("a1", "ana")
	put("b1", "eva")
	put("a2", "ana")
	if err := (Folder{l.Dir}).Drop(func(r Record) bool { return r.User == "ana" }); err != nil {
		t.Fatal(err)
	}
	put("b2", "eva")
	for id, there := range map[string]bool{"a1": false, "a2": false, "b1": true, "b2": true} {
		if _, err := l.Get(id); (err == nil) != there {
			t.Errorf("%s: %v", id, err)
		}
	}
	data, err := os.ReadFile(l.files(t)[0])
	if err != nil || bytes.Contains(data, []byte("ana")) || bytes.Count(data, []byte("secreto")) != 2 {
		t.Errorf("%v, %d times", err, bytes.Count(data, []byte("secreto")))
	}
}

// TestLogCut cuts a file at every byte, as a process does that is killed: what was
// whole is read, the rest is not there, and no cut is an error.
func TestLogCut(t *testing.T) {
	l := newLog(t)
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	var ends []int64
	for _, id := range []string{"a1", "b2"} {
		if err := l.Put(record(t, id, day, id)); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, l.size)
	}
	path := l.files(t)[0]
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if err := os.WriteFile(path, data[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		for k, id := range []string{"a1", "b2"} {
			if _, err := l.Get(id); (err == nil) != (int64(n) >= ends[k]) || err != nil && digesto.CodeOf(err) != digesto.CodeNotFound {
				t.Fatalf("%s of %d bytes: %v", id, n, err)
			}
		}
	}
}

// TestLogChanged flips words of a kept answer: it is not given. A file that was
// taken away is begun anew.
func TestLogChanged(t *testing.T) {
	l := newLog(t)
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	if err := l.Put(record(t, "a1", at, "veinte días")); err != nil {
		t.Fatal(err)
	}
	path := l.files(t)[0]
	data, _ := os.ReadFile(path)
	if err := os.WriteFile(path, bytes.Replace(data, []byte("veinte"), []byte("quince"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Get("a1"); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("changed: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := l.Put(record(t, "b2", at, "otra")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Get("b2"); err != nil {
		t.Errorf("after the file was taken away: %v", err)
	}
	if err := l.Put(Record{ID: "../x"}); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("an id that is none: %v", err)
	}
}

// Whatever stands in a log's file, places are within it, and none is read twice.
func FuzzPlaces(f *testing.F) {
	for _, s := range []string{"a1 3\n{}\n", "a1 3\n{}\nb2 9\n{", "a1 99999999999999999999\n", " 1\n\n", "a1 -1\n", "\n", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		end := int64(0)
		for _, p := range places(bytes.NewReader(data), int64(len(data))) {
			if p.at <= end-1 || p.len < 1 || p.at+p.len > int64(len(data)) {
				t.Fatalf("%+v after %d of %d", p, end, len(data))
			}
			end = p.at + p.len
		}
	})
}

// TestLatest: the newest first, no more than are wanted, without those erased.
func TestLatest(t *testing.T) {
	l := newLog(t)
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for k, day := range []int{-3, 0, 0, 1, 1, 1} {
		if err := l.Put(record(t, fmt.Sprintf("t%d", k), at.AddDate(0, 0, day), "x")); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Drop(func(r Record) bool { return r.ID == "t4" }); err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{1: "t5", 3: "t5 t3 t2", 9: "t5 t3 t2 t1"} {
		var got []string
		for _, r := range l.Latest(n) {
			got = append(got, r.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d: %q, want %s", n, got, want)
		}
	}
}
