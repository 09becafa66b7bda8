package corpus

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"digesto"
)

func filled(t *testing.T) *Library {
	t.Helper()
	l, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if _, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		for _, d := range threeStates() {
			if err := tx.Put(d); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return l
}

func testKey(seed byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
}

func keyName(k ed25519.PrivateKey) string {
	return hex.EncodeToString(k.Public().(ed25519.PublicKey))
}

func TestExportAndImport(t *testing.T) {
	from, key := filled(t), testKey(1)
	var file bytes.Buffer
	made, err := from.Export(t.Context(), &file, key, "2030-01-01")
	if err != nil || made.Norms != 1 || made.Files < 3 {
		t.Fatalf("%+v, %v", made, err)
	}
	into, _ := Open(t.TempDir(), Options{})
	defer into.Close()
	_, err = into.Import(t.Context(), bytes.NewReader(file.Bytes()), "", UpdateOptions{})
	if digesto.CodeOf(err) != digesto.CodeForbidden || !strings.Contains(err.Error(), keyName(key)) {
		t.Errorf("without trust: %v", err)
	}
	if _, err = into.Import(t.Context(), bytes.NewReader(file.Bytes()), keyName(testKey(2)), UpdateOptions{}); digesto.CodeOf(err) != digesto.CodeForbidden {
		t.Errorf("another key: %v", err)
	}
	stop := errors.New("no")
	if _, err = into.Import(t.Context(), bytes.NewReader(file.Bytes()), keyName(key), UpdateOptions{BeforeSwap: func(*Snapshot) error { return stop }}); !errors.Is(err, stop) {
		t.Errorf("an error before the swap: %v", err)
	}
	if s, _ := into.Current(); s.Hash() != "" {
		t.Error("a failed import left something")
	}
	got, err := into.Import(t.Context(), bytes.NewReader(file.Bytes()), strings.ToUpper(keyName(key)), UpdateOptions{})
	if err != nil || got.Snapshot != made.Snapshot {
		t.Fatalf("%+v, %v", got, err)
	}
	a, _ := from.Current()
	b, _ := into.Current()
	defer a.Close()
	defer b.Close()
	if changes, err := Changes(a, b); err != nil || len(changes) != 0 || a.Hash() != b.Hash() || b.Check(t.Context()) != nil {
		t.Errorf("%v %v", changes, err)
	}
}

// TestOlderExport: law that was replaced does not come back by an export that was signed
// before, unless who imports it says so.
func TestOlderExport(t *testing.T) {
	from, key := filled(t), testKey(1)
	export := func(k ed25519.PrivateKey, day digesto.Date) []byte {
		t.Helper()
		var b bytes.Buffer
		if _, err := from.Export(t.Context(), &b, k, day); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	old := export(key, "2030-01-01")
	if _, err := from.Update(t.Context(), UpdateOptions{}, func(tx *Tx) error {
		return tx.Put(Document{Norm: digesto.Norm{ID: "N-2", Title: "Ley de Balizas", Rank: "ley", Source: "b.md"}, Units: threeStates()[0].Units})
	}); err != nil {
		t.Fatal(err)
	}
	into, _ := Open(t.TempDir(), Options{})
	defer into.Close()
	for _, c := range []struct {
		name  string
		file  []byte
		key   ed25519.PrivateKey
		older bool
		want  digesto.Code
	}{
		{"newer", export(key, "2030-02-01"), key, false, ""}, {"older", old, key, false, digesto.CodeForbidden}, {"the same day", export(key, "2030-02-01"), key, false, ""},
		{"of another key", export(testKey(2), "2029-01-01"), testKey(2), false, ""}, {"older again", old, key, false, digesto.CodeForbidden}, {"older, as wished", old, key, true, ""},
	} {
		if _, err := into.Import(t.Context(), bytes.NewReader(c.file), keyName(c.key), UpdateOptions{Older: c.older}); digesto.CodeOf(err) != c.want && (err != nil || c.want != "") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestAlteredExport flips and cuts bytes everywhere: nothing but the whole file
// is ever taken, and the library stays as it was.
func TestAlteredExport(t *testing.T) {
	from, key := filled(t), testKey(1)
	var file bytes.Buffer
	if _, err := from.Export(t.Context(), &file, key, "2030-01-01"); err != nil {
		t.Fatal(err)
	}
	into, _ := Open(t.TempDir(), Options{})
	defer into.Close()
	for at := 0; at < file.Len(); at += 97 {
		bad := bytes.Clone(file.Bytes())
		bad[at] ^= 0x40
		for _, data := range [][]byte{bad, bad[:at]} {
			if got, err := into.Import(t.Context(), bytes.NewReader(data), keyName(key), UpdateOptions{}); err == nil {
				if s, _ := into.Current(); s.Hash() != got.Snapshot || s.Check(t.Context()) != nil {
					t.Fatalf("byte %d: taken", at)
				}
				if _, err := into.Update(t.Context(), UpdateOptions{}, func(tx *Tx) error { return tx.Remove("N-1") }); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestRollback(t *testing.T) {
	l := filled(t)
	first, _ := l.Current()
	defer first.Close()
	if _, err := l.Update(t.Context(), UpdateOptions{}, func(tx *Tx) error { return tx.Remove("N-1") }); err != nil {
		t.Fatal(err)
	}
	from, to, err := l.Rollback(t.Context(), UpdateOptions{})
	if err != nil || to != first.Hash() || from != "" {
		t.Errorf("%q → %q, %v", from, to, err)
	}
	s, _ := l.Current()
	defer s.Close()
	if s.Hash() != first.Hash() {
		t.Error("not back")
	}
	empty, _ := Open(t.TempDir(), Options{})
	defer empty.Close()
	if _, _, err := empty.Rollback(t.Context(), UpdateOptions{}); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("nothing to go back to: %v", err)
	}
}

func TestForgetLeavesNothing(t *testing.T) {
	l := filled(t)
	reader, _ := l.Current()
	if _, err := l.Update(t.Context(), UpdateOptions{}, func(tx *Tx) error { return tx.Remove("N-1") }); err != nil {
		t.Fatal(err)
	}
	if f, err := l.Forget(t.Context()); digesto.CodeOf(err) != digesto.CodeConflict || len(f.Held) == 0 {
		t.Errorf("while it is read: %+v, %v", f, err)
	}
	reader.Close()
	f, err := l.Forget(t.Context())
	if err != nil || len(f.Deleted) == 0 || f.Kept != 0 || len(f.Held) != 0 {
		t.Errorf("%+v, %v", f, err)
	}
	if left := append(names(l.path("norms")), names(l.path("snapshots"))...); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte("no"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, _ := Open(t.TempDir(), Options{})
		defer l.Close()
		if _, err := l.Import(t.Context(), bytes.NewReader(data), keyName(testKey(1)), UpdateOptions{}); err == nil {
			t.Error("taken without a signature")
		}
	})
}
