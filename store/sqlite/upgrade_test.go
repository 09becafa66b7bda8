package sqlite_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto/store"
)

// TestUpgrade opens databases that earlier versions of the program wrote: all of
// them is read, the check is clean, and the conversation goes on.
func TestUpgrade(t *testing.T) {
	for _, c := range []struct {
		file, user, conv, first, last string
		messages                      int
	}{
		{"v1.db.gz", "local", "jx5fusjkntd7jaew5wvjdnaggh", "háblame de sociedades", "", 4},
		{"v1.db.gz", "local", "nvxif6sdl2v46jwg2mlrmirhpd", "háblame de contratos", "contratos", 2},
	} {
		path := filepath.Join(t.TempDir(), "c.db")
		unpack(t, filepath.Join("testdata", c.file), path)
		s := open(t, path, nil)
		list, err := s.Messages(t.Context(), c.user, c.conv)
		if err != nil || len(list) != c.messages || list[0].Content != c.first || !strings.Contains(list[len(list)-1].Content, c.last) {
			t.Errorf("%s: %+v %v", c.file, list, err)
		}
		if kind := list[1].Meta.Type(); kind != "clarification" {
			t.Errorf("%s: the first answer is %q", c.file, kind)
		}
		if bad, err := s.Check(t.Context()); err != nil || len(bad) > 0 {
			t.Errorf("%s: %v %v", c.file, bad, err)
		}
		users, err := s.Users(t.Context())
		if err != nil || len(users) != 1 || users[0].ID != "ana" || len(users[0].KeyHash) != 64 {
			t.Errorf("%s: %+v %v", c.file, users, err)
		}
		x, err := s.Begin(t.Context(), store.Begin{User: c.user, Conversation: c.conv, Text: "sigue"})
		if err == nil {
			_, err = s.Finish(t.Context(), finish(x, "seguida"))
		}
		if after, merr := s.Messages(t.Context(), c.user, c.conv); err != nil || merr != nil || len(after) != c.messages+2 {
			t.Errorf("%s: %d messages, %v %v", c.file, len(after), err, merr)
		}
		if err := s.PutKey(t.Context(), store.Key{ID: "k", User: "ana", Hash: "h"}); err != nil {
			t.Errorf("%s: %v", c.file, err)
		}
	}
}

func unpack(t *testing.T, from, to string) {
	t.Helper()
	f, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
