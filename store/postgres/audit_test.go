package postgres_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"digesto"
	"digesto/internal/pgtest"
	"digesto/store/audit"
)

// TestSharedAudit: nodes that write one chain at the same time leave it whole and
// signed; what is changed in the database afterwards is found at its line; a node
// with a key of its own is refused.
func TestSharedAudit(t *testing.T) {
	pgtest.Address(t)
	address := pgtest.Schema(t)
	first := t.TempDir()
	var nodes []*audit.Shared
	for i := range 3 {
		dir := first
		if i > 0 { // the key is copied from the first node
			dir = t.TempDir()
			for _, f := range []string{audit.SecretFile, audit.PublicFile} {
				data, err := os.ReadFile(filepath.Join(first, f))
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, f), data, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		l, err := audit.OpenShared(t.Context(), dir, open(t, address, nil), audit.Options{Every: 10})
		if err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, l)
	}
	if nodes[0].Digest("x") != nodes[2].Digest("x") {
		t.Error("two nodes name one text differently")
	}
	var wg sync.WaitGroup
	for n, l := range nodes {
		for w := range 4 {
			wg.Go(func() {
				for i := range 25 {
					if err := l.Append("asked", map[string]string{"question": fmt.Sprintf("%d-%d-%d", n, w, i)}); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	for _, l := range nodes {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	chain := func() []byte {
		var b bytes.Buffer
		if err := open(t, address, nil).AuditLines(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	whole := chain()
	r, err := audit.VerifyKeyed(bytes.NewReader(whole), first, "")
	if err != nil || r.Broken != 0 || r.Signed != r.Lines || r.Lines != 300+r.Checkpoints || r.Checkpoints < 27 {
		t.Errorf("%+v %v", r, err)
	}
	for n := range 3 {
		for w := range 4 {
			for i := range 25 {
				if strings.Count(string(whole), fmt.Sprintf(`"%d-%d-%d"`, n, w, i)) != 1 {
					t.Errorf("entry %d-%d-%d is not there once", n, w, i)
				}
			}
		}
	}
	if _, err := audit.OpenShared(t.Context(), t.TempDir(), open(t, address, nil), audit.Options{}); digesto.CodeOf(err) != digesto.CodeConflict {
		t.Errorf("a node with another key: %v", err)
	}
	pgtest.Exec(t, address, `UPDATE audit_lines SET line = replace(line, '"at":"2', '"at":"3') WHERE seq = 100`)
	if r, err := audit.VerifyKeyed(bytes.NewReader(chain()), first, ""); err != nil || r.Broken != 100 && r.Broken != 101 { // a checkpoint there is broken itself, else the line behind
		t.Errorf("a changed line: %+v %v", r, err)
	}
	pgtest.Exec(t, address, `DELETE FROM audit_lines WHERE seq = 50`)
	if r, err := audit.VerifyKeyed(bytes.NewReader(chain()), first, ""); err != nil || r.Broken != 50 {
		t.Errorf("a line taken out: %+v %v", r, err)
	}
}
