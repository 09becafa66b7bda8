package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestStartsClosed: a server that cannot know whose it is, because its folder is not
// there or cannot be written, does not begin, or lets nobody run it without a key; each
// says what to do.
func TestStartsClosed(t *testing.T) {
	for name, c := range map[string]struct {
		keys, fixed, fresh bool // there are keys; the disk can only be read; the folder is not there
		log                string
		admin              int    // of GET /admin; 0 = it does not serve
		says               string // on stderr
	}{
		"new folder, not there":       {fresh: true, admin: 403, says: "no existía"},
		"new folder, nothing kept":    {fresh: true, log: "yes", admin: 403, says: "no existía"},
		"read only":                   {fixed: true, says: "DIGESTO_NO_LOG=yes"},
		"read only, nothing kept":     {fixed: true, log: "yes", admin: 403},
		"read only, keys":             {fixed: true, keys: true, says: "qué hacer: "},
		"read only, keys, no log":     {fixed: true, keys: true, log: "yes", says: "qué hacer: "},
		"keys, nothing kept":          {keys: true, log: "yes", admin: 403},
		"nobody's yet, there already": {admin: 200},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			if c.fixed {
				data = mountSmall(t)
			}
			if c.fresh {
				data = filepath.Join(data, "no", "está")
			}
			vars := map[string]string{"DIGESTO_DATA": data, "DIGESTO_NO_LOG": c.log}
			if c.keys {
				e, _, errs := testEnv(vars)
				if code := run(t.Context(), []string{"keys", "add", "jefa", "--scopes", "admin"}, e); code != 0 {
					t.Fatal(errs)
				}
			}
			if c.fixed {
				faults["read-only disk"].strike(t, data)
			}
			for range 2 { // a second start finds what the first one made
				s := launch(t, vars)
				got := 0
				if s.base != "" {
					got = statusOf(t, s.base+"/admin")
				}
				if code := s.stop(); (code == 0) != (c.admin != 0) {
					t.Errorf("exit %d", code)
				}
				if got != c.admin || !strings.Contains(s.errs.String(), c.says) {
					t.Errorf("/admin: %d, want %d; said %s", got, c.admin, s.errs.String())
				}
				c.says = strings.TrimPrefix(c.says, "no existía")
			}
		})
	}
}
