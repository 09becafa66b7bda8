package e5

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"digesto/internal/shareddata"

	"golang.org/x/sys/cpu"
)

var beside = flag.Int("beside", 0, "passes of the comparison with the C engine; 0 = do not compare")

// TestBesideC runs the C engine of the shared models and this package on the same
// texts, one after the other on this machine, with the same instructions: where the
// CPU has no AVX-512 VNNI the engine is compiled over testdata/beside/avx2.h,
// in the widest of several tiles that fits, whichever is fastest.
//
//	go test ./model/e5 -run TestBesideC -v -count 1 -args -beside 20
func TestBesideC(t *testing.T) {
	if *beside == 0 {
		t.Skip("-args -beside 20 runs it")
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	engine := filepath.Join(shareddata.Dir(t, "models/e5-es"), "engine_avx512.c")
	m := published(t, Options{})
	dir := t.TempDir()
	text := strings.Repeat("el plazo de la prestación será fijado por la norma ", 40)
	lengths := []int{20, 200}
	input := filepath.Join(dir, "input")
	writeInput(t, m, input, text, lengths)
	programs := compileC(t, cc, engine, dir)
	for i, bound := range []float64{1.5, 1.6} {
		ids := m.Tokens(text)[:lengths[i]]
		w, own := m.workspace(), make([]float32, means)
		c, ours := math.Inf(1), math.Inf(1)
		for range 3 { // in turns, so that what else runs disturbs both
			for _, p := range programs {
				ns, v := runC(t, p, input, *beside)
				c = min(c, ns[i])
				if m.net.forward(context.Background(), w, ids, own, m.level) != nil || dot(own[:Dims], v[i]) < .998 {
					t.Fatalf("%s: cosine %.5f to its vector", filepath.Base(p), dot(own[:Dims], v[i]))
				}
			}
			for range *beside {
				start := time.Now()
				if err := m.net.forward(context.Background(), w, ids, own, m.level); err != nil {
					t.Fatal(err)
				}
				ours = min(ours, float64(time.Since(start).Nanoseconds()))
			}
		}
		t.Logf("%d tokens: C engine %.2f ms, this package %.2f ms: %.2f times (bound %.1f)", lengths[i], c/1e6, ours/1e6, ours/c, bound)
		if ours > bound*c {
			t.Errorf("%d tokens: %.2f times the C engine's time, want at most %.1f", lengths[i], ours/c, bound)
		}
	}
}

// writeInput writes what testdata/beside/harness.c reads.
func writeInput(t *testing.T, m *Model, path, text string, lengths []int) {
	t.Helper()
	var b bytes.Buffer
	put := func(v any) {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	for i := range m.net.layer {
		l := &m.net.layer[i]
		for _, x := range []*linear{&l.qkv, &l.ao, &l.fi, &l.fo} {
			put(x.q)
			put(x.s)
			put(x.b)
		}
		for _, n := range []norm{l.aln, l.oln} {
			put(n.w)
			put(n.b)
		}
	}
	put(m.net.eln.w)
	put(m.net.eln.b)
	for _, n := range lengths {
		x := make([]float32, n*Dims)
		m.net.embed(x, m.Tokens(text)[:n])
		put(int32(n))
		put(x)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// compileC compiles the engine: as it is with AVX-512 VNNI, else over the AVX2
// header in tiles of several heights, since 16 registers hold fewer sums than 32.
func compileC(t *testing.T, cc, engine, dir string) []string {
	t.Helper()
	source, err := os.ReadFile(engine)
	if err != nil {
		t.Fatal(err)
	}
	harness, err := filepath.Abs("testdata/beside/harness.c")
	if err != nil {
		t.Fatal(err)
	}
	header := filepath.Join(filepath.Dir(harness), "avx2.h")
	tiles, flags := []int{2, 3, 4, 12}, []string{"-mavx2", "-mfma", "-include", header}
	if haveVNNI() {
		tiles, flags = []int{12}, []string{"-march=native"}
	}
	var out []string
	for _, n := range tiles {
		c, program := filepath.Join(dir, fmt.Sprintf("engine%d.c", n)), filepath.Join(dir, fmt.Sprintf("tile%d", n))
		changed := strings.NewReplacer("#define MR 12", fmt.Sprintf("#define MR %d", n), "KERN(12)", fmt.Sprintf("KERN(%d)", n)).Replace(string(source))
		if err := os.WriteFile(c, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"-O3", "-Wno-psabi"}, flags...)
		if msg, err := exec.Command(cc, append(args, c, harness, "-o", program, "-lm")...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
		out = append(out, program)
	}
	return out
}

// haveVNNI says whether the engine runs as it was written, and this package beside it.
func haveVNNI() bool { return cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI }

// runC gives the fastest pass of each text in nanoseconds, and its vector.
func runC(t *testing.T, program, input string, passes int) (ns []float64, vectors [][]float32) {
	t.Helper()
	text, err := exec.Command(program, input, strconv.Itoa(passes)).Output()
	if err != nil {
		t.Fatal(err)
	}
	r := bytes.NewReader(text)
	for {
		var best float64
		if _, err := fmt.Fscan(r, &best); errors.Is(err, io.EOF) {
			return ns, vectors
		} else if err != nil {
			t.Fatal(err)
		}
		v := make([]float32, Dims)
		for i := range v {
			if _, err := fmt.Fscan(r, &v[i]); err != nil {
				t.Fatal(err)
			}
		}
		ns, vectors = append(ns, best), append(vectors, v)
	}
}
