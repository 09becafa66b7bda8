package follow

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/corpus"

	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"
)

// bucketAddress starts an S3-compatible server that refuses what is not signed with its
// keys, and gives the address of a place in it.
func bucketAddress(t *testing.T) string {
	t.Helper()
	store := s3mem.New()
	if err := store.CreateBucket(t.Context(), "leyes"); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(gofakes3.New(store, gofakes3.WithV4Auth(map[string]string{"NODO": "SECRETO-DE-NODO"})).Server())
	t.Cleanup(srv.Close)
	return "s3://leyes/publicado/nodos?region=us-east-1&endpoint=" + srv.URL
}

// access has the keys of the bucket.
func access(id, secret string) Access {
	return Access{Env: func(name string) (string, bool) {
		v, ok := map[string]string{"AWS_ACCESS_KEY_ID": id, "AWS_SECRET_ACCESS_KEY": secret, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull}[name]
		return v, ok
	}}
}

// places are one of each kind, each with where others write into it.
func places(t *testing.T) map[string][2]Place {
	t.Helper()
	open := func(address string) Place {
		p, err := Open(address, access("NODO", "SECRETO-DE-NODO"))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	dir, shown := t.TempDir(), t.TempDir()
	srv := httptest.NewServer(http.StripPrefix("/leyes", http.FileServer(http.Dir(shown))))
	t.Cleanup(srv.Close)
	bucket := open(bucketAddress(t))
	return map[string][2]Place{"folder": {open(dir), open("file://" + dir)}, "web": {open(srv.URL + "/leyes/"), open(shown)}, "bucket": {bucket, bucket}}
}

// TestPlaces holds all kinds of places to the same.
func TestPlaces(t *testing.T) {
	for name, p := range places(t) {
		t.Run(name, func(t *testing.T) {
			from, into := p[0], p[1]
			if _, err := from.Get(t.Context(), "nada"); digesto.CodeOf(err) != digesto.CodeNotFound {
				t.Errorf("what is not there: %v", err)
			}
			for _, text := range []string{"uno", "y otro más largo", "dos"} {
				if err := into.Put(t.Context(), "current", strings.NewReader(text), int64(len(text))); err != nil {
					t.Fatal(err)
				}
				if got, err := small(t.Context(), from, "current", 100); err != nil || string(got) != text {
					t.Errorf("%q, %v", got, err)
				}
			}
			if _, err := small(t.Context(), from, "current", 2); digesto.CodeOf(err) != digesto.CodeCheck {
				t.Errorf("longer than it may be: %v", err)
			}
			gone, cancel := context.WithCancel(t.Context())
			if cancel(); name != "folder" {
				if _, err := from.Get(gone, "current"); !errors.Is(err, context.Canceled) {
					t.Errorf("given up: %v", err)
				}
			}
		})
	}
}

// TestBucketIsSigned: other keys, or none, are refused by the service, and that is told.
func TestBucketIsSigned(t *testing.T) {
	address := bucketAddress(t)
	for name, by := range map[string]Access{"other keys": access("NODO", "otra"), "an unknown id": access("OTRO", "SECRETO-DE-NODO")} {
		p, err := Open(address, by)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Get(t.Context(), "current"); digesto.CodeOf(err) != digesto.CodeUnavailable {
			t.Errorf("%s: %v", name, err)
		}
		if err := p.Put(t.Context(), "current", strings.NewReader("x"), 1); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, address := range []string{"", "ftp://host/leyes", "s3://cubo?endpoint=host:9000", "s3://cubo?endpoint=https://host/carpeta", "s3://"} {
		if p, err := Open(address, Access{}); digesto.CodeOf(err) != digesto.CodeUsage {
			t.Errorf("%q: %v %v", address, p, err)
		}
	}
	p, err := Open("https://ana:clave@host/leyes", Access{})
	if err != nil || strings.Contains(p.String(), "clave") {
		t.Errorf("%v %v", p, err)
	}
	if err := p.Put(t.Context(), "current", strings.NewReader(""), 0); digesto.CodeOf(err) != digesto.CodeUsage {
		t.Errorf("written into a web server: %v", err)
	}
}

func testKey(seed byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
}

func publicOf(k ed25519.PrivateKey) string { return hex.EncodeToString(k.Public().(ed25519.PublicKey)) }

func library(t *testing.T) *corpus.Library {
	t.Helper()
	l, err := corpus.Open(filepath.Join(t.TempDir(), "corpus"), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// install makes a law with a text the current one and gives its hash.
func install(t *testing.T, l *corpus.Library, text string) string {
	t.Helper()
	hash, err := l.Update(t.Context(), corpus.UpdateOptions{}, func(tx *corpus.Tx) error {
		return tx.Put(corpus.Document{File: "n.md", ContentHash: text, Norm: digesto.Norm{ID: "N-1", Title: "Ley de Faros", Rank: "ley", Source: "n.md"},
			Units: []digesto.Unit{{ID: "a1", Kind: digesto.KindArticle, Number: "1", Label: "Artículo 1", Versions: []digesto.Version{{ID: "1", Text: text, Current: true}}}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

// rig is who publishes, a place and a node.
type rig struct {
	t     *testing.T
	from  *corpus.Library
	place Place // as who publishes sees it
	key   ed25519.PrivateKey
	now   time.Time
	node  *Follower
	opt   Options
	told  []error
}

func newRig(t *testing.T, seen, written Place) *rig {
	t.Helper()
	r := &rig{t: t, from: library(t), place: written, key: testKey(1), now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	r.opt = Options{Place: seen, Library: library(t), Dir: t.TempDir(), Trust: publicOf(r.key), Every: time.Second, Clock: func() time.Time { return r.now }, Fault: func(err error) { r.told = append(r.told, err) }}
	r.restart()
	return r
}

// restart makes a follower that knows no more than what is on the disk.
func (r *rig) restart() {
	r.t.Helper()
	f, err := New(r.opt)
	if err != nil {
		r.t.Fatal(err)
	}
	r.node = f
}

func (r *rig) publish(text string) string {
	r.t.Helper()
	hash := install(r.t, r.from, text)
	p, err := Publish(r.t.Context(), r.place, r.from, r.key, r.now)
	if err != nil || p.Law.Snapshot != hash {
		r.t.Fatalf("%+v %v", p, err)
	}
	return hash
}

// holds fails unless the node has a law, proved whole.
func (r *rig) holds(hash string) {
	r.t.Helper()
	s, err := r.opt.Library.Current()
	if err != nil {
		r.t.Fatal(err)
	}
	defer s.Close()
	if s.Hash() != hash || hash != "" && s.Check(r.t.Context()) != nil {
		r.t.Errorf("the node has %.12q, not %.12q", s.Hash(), hash)
	}
}

// follows fails unless the next look gives the node a law.
func (r *rig) follows(hash string) {
	r.t.Helper()
	if err := r.node.Look(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	r.holds(hash)
	if s := r.node.Status(); s.Published != hash || s.Fault != "" || s.Looked == nil {
		r.t.Errorf("%+v", s)
	}
}

// TestFollow: what is published is taken, what was published before comes back by the
// same way, and a node that starts anew goes on where it was.
func TestFollow(t *testing.T) {
	for name, p := range places(t) {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, p[0], p[1])
			if err := r.node.Look(t.Context()); digesto.CodeOf(err) != digesto.CodeNotFound || digesto.CodeOf(r.node.Ready()) != digesto.CodeUnavailable {
				t.Errorf("nothing is published: %v, ready %v", err, r.node.Ready())
			}
			one := r.publish("diez días")
			r.follows(one)
			if err := r.node.Ready(); err != nil {
				t.Error(err)
			}
			two := r.publish("veinte días")
			r.follows(two)
			r.follows(two)
			r.restart()
			r.follows(two)
			three := r.publish("treinta días")
			r.follows(three)
			for i := range 3 {
				if _, err := Back(t.Context(), r.place, r.key, r.now); err != nil {
					t.Fatal(err)
				}
				r.follows([]string{two, three}[i%2])
			}
			install(t, r.opt.Library, "una ley que alguien puso en el nodo")
			r.follows(two)
			if s := r.node.Status(); s.Switches != 5 || s.Failures["not_found"] != 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestGoingBackNeedsNoTransfer: the library of a node has the law before the current one.
func TestGoingBackNeedsNoTransfer(t *testing.T) {
	dir := t.TempDir()
	r := newRig(t, folder(dir), folder(dir))
	one := r.publish("diez días")
	r.follows(one)
	r.follows(r.publish("veinte días"))
	if _, err := Back(t.Context(), r.place, r.key, r.now); err != nil {
		t.Fatal(err)
	}
	exports, _ := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if len(exports) != 2 {
		t.Fatalf("%q", exports)
	}
	for _, path := range exports {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	r.follows(one)
}

// TestNeverServed: what is published is cut, altered, foreign or older: the node keeps
// its law, tells what is wrong once, says so after a restart too, and follows when it is mended.
func TestNeverServed(t *testing.T) {
	read := func(t *testing.T, path string) []byte {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	put := func(t *testing.T, path string, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Each spoils the pointer or the export of a law that was published after another.
	for name, c := range map[string]struct {
		spoil func(t *testing.T, r *rig, pointer, export string, before []byte)
		want  digesto.Code
	}{
		"cut":       {func(t *testing.T, _ *rig, _, export string, _ []byte) { put(t, export, read(t, export)[:200]) }, digesto.CodeCheck},
		"longer":    {func(t *testing.T, _ *rig, _, export string, _ []byte) { put(t, export, append(read(t, export), 0)) }, digesto.CodeCheck},
		"empty":     {func(t *testing.T, _ *rig, _, export string, _ []byte) { put(t, export, nil) }, digesto.CodeCheck},
		"not there": {func(t *testing.T, _ *rig, _, export string, _ []byte) { _ = os.Remove(export) }, digesto.CodeNotFound},
		"altered": {func(t *testing.T, _ *rig, _, export string, _ []byte) {
			data := read(t, export)
			data[len(data)/2] ^= 1
			put(t, export, data)
		}, digesto.CodeCheck},
		"a page instead of the pointer": {func(t *testing.T, _ *rig, pointer, _ string, _ []byte) {
			put(t, pointer, []byte("<html>\n<p>en obras</p></html>\n"))
		}, digesto.CodeCheck},
		"a pointer cut": {func(t *testing.T, _ *rig, pointer, _ string, _ []byte) {
			data := read(t, pointer)
			put(t, pointer, data[:len(data)-10])
		}, digesto.CodeCheck},
		"a pointer altered": {func(t *testing.T, _ *rig, pointer, _ string, _ []byte) {
			put(t, pointer, bytes.Replace(read(t, pointer), []byte(`"serial":1`), []byte(`"serial":9`), 1))
		}, digesto.CodeCheck},
		"a pointer too long": {func(t *testing.T, _ *rig, pointer, _ string, _ []byte) {
			put(t, pointer, bytes.Repeat([]byte("x"), maxPointer+1))
		}, digesto.CodeCheck},
		"of another key": {func(t *testing.T, r *rig, pointer, _ string, _ []byte) {
			_ = os.Remove(pointer)
			if _, err := Publish(t.Context(), r.place, r.from, testKey(2), r.now); err != nil {
				t.Fatal(err)
			}
		}, digesto.CodeForbidden},
		"the pointer of before": {func(t *testing.T, _ *rig, pointer, _ string, before []byte) { put(t, pointer, before) }, digesto.CodeForbidden},
		"an export of another key behind a good pointer": {func(t *testing.T, r *rig, pointer, _ string, _ []byte) {
			behind(t, r, pointer, func(w io.Writer) (corpus.Exported, error) {
				return r.from.Export(t.Context(), w, testKey(2), "2030-01-01")
			})
		}, digesto.CodeForbidden},
		"another law behind a good pointer": {func(t *testing.T, r *rig, pointer, _ string, _ []byte) {
			other := library(t)
			install(t, other, "noventa días")
			behind(t, r, pointer, func(w io.Writer) (corpus.Exported, error) {
				_, err := other.Export(t.Context(), w, r.key, "2030-01-01")
				return corpus.Exported{}, err
			})
		}, digesto.CodeCheck},
		"no export behind a good pointer": {func(t *testing.T, r *rig, pointer, _ string, _ []byte) {
			behind(t, r, pointer, func(w io.Writer) (corpus.Exported, error) {
				_, err := io.WriteString(w, "nada")
				return corpus.Exported{}, err
			})
		}, digesto.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			r := newRig(t, folder(dir), folder(dir))
			one := r.publish("diez días")
			r.follows(one)
			r.follows(r.publish("veinte días"))
			pointer := filepath.Join(dir, pointerName)
			before := read(t, pointer)
			now := hashNow(t, r.opt.Library)
			r.publish("treinta días")
			p, err := readPointer(read(t, pointer), publicOf(r.key))
			if err != nil {
				t.Fatal(err)
			}
			if name == "the pointer of before" { // to the node it is one of before only once it took the next
				now = p.Law.Snapshot
				r.follows(now)
			}
			c.spoil(t, r, pointer, filepath.Join(dir, p.Law.File), before)
			for range 2 {
				for range 3 {
					if err := r.node.Look(t.Context()); digesto.CodeOf(err) != c.want {
						t.Fatalf("%v, want %s", err, c.want)
					}
				}
				r.holds(now)
				if s := r.node.Status(); s.Code != string(c.want) || s.Fault == "" || s.Failures[string(c.want)] != 3 || len(r.told) != 1 || r.node.Ready() != nil {
					t.Errorf("%+v, told %d times, ready %v", s, len(r.told), r.node.Ready())
				}
				r.told = nil
				r.restart()
			}
			if left, _ := filepath.Glob(filepath.Join(r.opt.Dir, "*export*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
			_ = os.Remove(pointer)
			r.now = r.now.Add(time.Hour)
			r.follows(r.publish("cuarenta días"))
		})
	}
}

// behind puts something else where the pointer, which is signed anew, says that the law is.
func behind(t *testing.T, r *rig, pointer string, export func(io.Writer) (corpus.Exported, error)) {
	t.Helper()
	var b bytes.Buffer
	if _, err := export(&b); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(pointer)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readPointer(data, publicOf(r.key))
	if err != nil {
		t.Fatal(err)
	}
	p.Law.SHA256, p.Law.Size = sumOf(b.Bytes()), int64(b.Len())
	p.Law.File = p.Law.SHA256 + suffix
	p.Serial++
	if err := r.place.Put(t.Context(), p.Law.File, &b, p.Law.Size); err != nil {
		t.Fatal(err)
	}
	line, err := p.sign(r.key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(pointer, line, 0o644); err != nil {
		t.Fatal(err)
	}
}

func hashNow(t *testing.T, l *corpus.Library) string {
	t.Helper()
	s, err := l.Current()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return s.Hash()
}

// TestStalled: a server that stops in the middle does not hold the node for long, and
// the export is not asked for at each look.
func TestStalled(t *testing.T) {
	dir, asked := t.TempDir(), 0
	files := http.FileServer(http.Dir(dir))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, suffix) {
			files.ServeHTTP(w, r)
			return
		}
		asked++
		w.Header().Set("Content-Length", "100000")
		_, _ = fmt.Fprint(w, "media")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(srv.Close)
	seen, err := Open(srv.URL, Access{})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, seen, folder(dir))
	r.opt.Stall = 100 * time.Millisecond
	r.restart()
	r.publish("diez días")
	began := time.Now()
	for range 5 {
		if err := r.node.Look(t.Context()); digesto.CodeOf(err) != digesto.CodeUnavailable {
			t.Errorf("%v", err)
		}
	}
	if took := time.Since(began); took > 5*time.Second || asked != 1 {
		t.Errorf("asked %d times in %s", asked, took)
	}
	r.now = r.now.Add(2 * time.Second)
	if _ = r.node.Look(t.Context()); asked != 2 {
		t.Errorf("asked %d times after the wait", asked)
	}
	r.holds("")
}

func FuzzPointer(f *testing.F) {
	key := testKey(1)
	law := Export{Snapshot: strings.Repeat("ab", 32), SHA256: strings.Repeat("cd", 32), File: strings.Repeat("cd", 32) + suffix, Size: 9, Day: "2030-01-01"}
	good, err := Pointer{Format: 1, Serial: 7, Law: law}.sign(key)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := readPointer(data, publicOf(key))
		if err == nil && (p.Law != law || p.Serial != 7) {
			t.Errorf("what nobody signed is taken: %+v", p)
		}
		if err != nil && p != (Pointer{}) && digesto.CodeOf(err) != digesto.CodeForbidden {
			t.Errorf("%+v with %v", p, err)
		}
	})
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
