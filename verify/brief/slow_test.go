package brief

import (
	"context"
	"digesto/verify/judge"
	"digesto/verify/read"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"digesto"
	"digesto/internal/long"
)

// over repeats a piece up to a size; each %d in it is the number of the repetition.
func over(piece string) func(size int) string {
	return func(size int) string {
		if !strings.Contains(piece, "%d") {
			return strings.Repeat(piece, max(1, size/len(piece)))
		}
		var b strings.Builder
		for i := 1; b.Len() < size; i++ {
			b.WriteString(strings.ReplaceAll(piece, "%d", fmt.Sprint(i)))
		}
		return b.String()
	}
}

// after puts a beginning before what is repeated.
func after(begin, piece string) func(size int) string {
	return func(size int) string { return begin + over(piece)(size) }
}

// hostile are texts made to cost the most, of any size: each goes against one step of the
// reading that could be worse than linear.
var hostile = map[string]func(size int) string{
	"citations":            over("art. 1 LFB "),
	"citations in a list":  after("artículos ", "1, 2, 3, "),
	"laws in a list":       after("Leyes ", "1.234, "),
	"sentences that cite":  over("El art. 1 LFB dice que el farero no paga 3 días. "),
	"other articles":       over("El art. %d LFB dice que el farero no paga %d días.\n\n"),
	"short quotations":     over("'a b c'. "),
	"other quotations":     over("«uno dos %d cuatro cinco seis siete ocho». "),
	"quoted and cited":     over("Según el art. 1 LFB, «el farero tiene como deber %d encender la luz de la torre». "),
	"marks never closed":   over("«uno dos tres "),
	"alternated marks":     over("«a “b ‘c ’d ”e »f \"g 'h "),
	"apostrophes":          over("'a "),
	"one line":             over("palabra "),
	"one word":             over("a"),
	"zero bytes":           over("\x00"),
	"blanks":               over(" "),
	"ends of lines":        over("de\n"),
	"dots":                 over("…"),
	"figures":              over("1.1.1 y 2, "),
	"brackets":             over("((((([[[[[ a) "),
	"items":                over("   - artículo %d de la ley, apartado a) y b)\n"),
	"headings":             over("# Título %d\n\n## Artículo %d LFB\n\n"),
	"blocks":               over("> palabra otra y otra más\n"),
	"blocks with a lead":   over("El art. 1 LFB:\n\n> palabra otra y %d otra más allá de todo esto\n\n"),
	"elements never ended": over("<blockquote><q><b><i>palabra una dos "),
	"elements":             over("<q>palabra una dos</q> <blockquote>uno dos tres art. 1 LFB</blockquote> "),
	"emphasis":             over("**_*palabra art. 1 LFB_** *una dos tres cuatro cinco seis siete* "),
	"LaTeX never ended":    over(`\begin{quote}\enquote{uno dos tres}`),
	"one row":              after("| ", "palabra una dos tres cuatro cinco seis siete | art. 1 LFB | "),
	"rows":                 after("| Artículo | Norma |\n|---|---|\n", "| 1 | LFB | palabra una dos tres cuatro cinco seis siete ocho |\n"),
	"articles before":      after("art. 1 LFB. ", "El artículo anterior «uno dos tres cuatro» del mismo. "),
	"precepts":             over("el precepto anterior "),
	"in turn":              over("arts. 1 y 2 LFB dicen respectivamente «uno dos tres», «cuatro cinco seis», "),
	"in turn of nothing":   over("respectivamente "),
	"notes":                over("«uno dos tres cuatro»[^%d].\n\n[^%d]: art. 1 LFB\n"),
	"notes of one mark":    over("«uno dos tres cuatro»[^1].\n\n[^1]: nada\n"),
	"names":                over("la Ley %d/2015 (en adelante, la «Norma%d»), artículo 3 de la Norma%d. "),
	"bare names":           over("art. 3 de la Ley. Código Civil. Estatuto. el 48.2 dice: «uno dos tres» "),
	"announcements":        over("El art. 1 LFB dice:\n\nel farero tiene que cumplir con lo que dice la ley y todo lo demás que se le mande.\n\n"),
	"asides":               over("«uno dos —dice el artículo 1 de la LFB— tres cuatro cinco» "),
	"rulings":              over("ECLI:ES:TS:2016:%d y "),
	"addresses":            over("aaa.Aaaa"),
}

// spentOn gives what a check costs: steps, and bytes allocated.
func spentOn(t testing.TB, o Options, s string) (steps, bytes int, r Report) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Check(context.Background(), s, o)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	return r.steps, int(after.TotalAlloc - before.TotalAlloc), r
}

// TestHostileTextsAreLinear: four times the text costs no more than some four times the
// steps, the tries of patterns and the memory.
func TestHostileTextsAreLinear(t *testing.T) {
	const size, slack = 1 << 16, 1 << 25
	o := harbour(t)
	for name, text := range hostile {
		if !long.Whole() && len(name)%2 != 0 {
			continue
		}
		oneSteps, one, r := spentOn(t, o, text(size))
		fourSteps, four, r4 := spentOn(t, o, text(4*size))
		if four > 6*one+slack || fourSteps > 6*oneSteps+slack || r4.tried > 5*r.tried+size {
			t.Errorf("%s: %d bytes, %d steps and %d tries, four times the text %d, %d and %d", name, one, oneSteps, r.tried, four, fourSteps, r4.tried)
		}
	}
}

// TestHostileTextsAreBounded: whatever is in a long text, all the memory that it ever asks
// for is some tens of times its length, and the work and the report have an end.
func TestHostileTextsAreBounded(t *testing.T) {
	const size, times, fixed = 1 << 19, 60, 384 << 20
	o := harbour(t)
	for name, text := range hostile {
		if !long.Whole() && len(name)%4 != 0 {
			continue
		}
		s := text(size)
		steps, bytes, r := spentOn(t, o, s)
		if bytes > times*len(s)+fixed || steps > maxWork+maxWork/8 || len(r.Citations) > MaxCitations {
			t.Errorf("%s: %d MB, %d steps, %d citations", name, bytes>>20, steps, len(r.Citations))
		}
		if n := len([]rune(s)); r.Checked.Complete && r.Checked.Read != n || !r.Checked.Complete && (r.Checked.Read >= n || r.Checked.Read == 0) {
			t.Errorf("%s: checked %+v of %d", name, r.Checked, n)
		}
	}
}

// TestReportOfAPart: a text with more citations than a report holds is checked up to there,
// as if it ended there.
func TestReportOfAPart(t *testing.T) {
	o := harbour(t)
	const one = "Según el art. 1 LFB hay luz.\n\n"
	r := check(t, o, strings.Repeat(one, MaxCitations+100))
	if r.Checked.Complete || r.Checked.Read < MaxCitations*len([]rune(one))-len(one) || r.Checked.Read > (MaxCitations+1)*len([]rune(one)) || len(r.Citations) != MaxCitations {
		t.Errorf("%+v, %d citations", r.Checked, len(r.Citations))
	}
	s := strings.Repeat(one, 20)
	if r = check(t, o, s); !r.Checked.Complete || r.Checked.Read != len([]rune(s)) || len(r.Citations) != 20 {
		t.Errorf("%+v, %d citations", r.Checked, len(r.Citations))
	}
	all := r
	o.work = r.steps / 2
	r = check(t, o, s)
	if n := len(r.Citations); r.Checked.Complete || n == 0 || n >= 20 || r.Checked.Read >= len(s) || r.Citations[n-1].End > r.Checked.Read {
		t.Fatalf("half of the work: %+v, %d citations", r.Checked, n)
	}
	for i := range r.Citations {
		if a, b := r.Citations[i], all.Citations[i]; a.Verdict != b.Verdict || a.Start != b.Start {
			t.Errorf("citation %d: %s at %d, of the whole %s at %d", i, a.Verdict, a.Start, b.Verdict, b.Start)
		}
	}
}

// TestTooLong is refused before anything is read.
func TestTooLong(t *testing.T) {
	o := harbour(t)
	s := strings.Repeat("a", MaxText+1)
	n := testing.AllocsPerRun(1, func() {
		if _, err := Check(context.Background(), s, o); digesto.CodeOf(err) != digesto.CodeTooLarge {
			t.Errorf("%v", err)
		}
	})
	if n > 10 {
		t.Errorf("%v allocations", n)
	}
}

// lookedAt is a context that ends after it was looked at so many times.
type lookedAt struct {
	context.Context
	left, looks int
}

func (c *lookedAt) Err() error {
	if c.looks++; c.looks > c.left {
		return context.Canceled
	}
	return nil
}

// TestCheckStops wherever it is when nobody waits for it: a text of a megabyte is left within
// some tens of kilobytes, whatever step is at work.
func TestCheckStops(t *testing.T) {
	o := harbour(t)
	for _, name := range []string{"one line", "sentences that cite", "other quotations", "headings", "one row"} {
		s := hostile[name](1 << 19)
		full := &lookedAt{context.Background(), 1 << 40, 0}
		if _, err := Check(full, s, o); err != nil {
			t.Fatal(err)
		}
		if name == "one line" && full.looks < 8*len(s)/read.Breath {
			t.Errorf("%s: looked %d times whether somebody waits", name, full.looks)
		}
		for _, part := range []int{0, 1, 3, 7} {
			ctx := &lookedAt{context.Background(), part * full.looks / 8, 0}
			if _, err := Check(ctx, s, o); digesto.CodeOf(err) != digesto.CodeCancelled {
				t.Errorf("%s, left after %d looks of %d: %v", name, ctx.left, full.looks, err)
			}
			if more := ctx.looks - ctx.left; more > 40 {
				t.Errorf("%s: looked %d times more", name, more)
			}
		}
	}
}

// BenchmarkHostile is the time of a processor for each of those texts, of four megabytes, and
// for law as it is, of one, two and four, and how many code points of them were checked:
// go test ./verify/brief -run - -bench Hostile -benchtime 1x -benchmem
func BenchmarkHostile(b *testing.B) {
	o := realLaw(b)
	var law strings.Builder
	for _, n := range o.Law.Norms() {
		for u := range o.Law.Units(n.ID) {
			for _, v := range u.Versions {
				law.WriteString(judge.Heading(u) + v.Text + "\n\n")
			}
		}
	}
	texts := maps.Clone(hostile)
	texts["real law"] = func(size int) string { return over(law.String())(size)[:size] }
	texts["quoted real law"] = func(size int) string {
		return over(strings.ReplaceAll(law.String(), "\n\n", "»\n\n«"))(size)[:size]
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		sizes := []int{4}
		if hostile[name] == nil {
			sizes = []int{1, 2, 4}
		}
		for _, mb := range sizes {
			s := texts[name](mb * 1_000_000)
			b.Run(fmt.Sprintf("%s/%d MB", name, mb), func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				began, read := processorTime(), 0
				for b.Loop() {
					_, _, r := spentOn(b, o, s)
					read = r.Checked.Read
				}
				b.ReportMetric((processorTime()-began).Seconds()/float64(b.N), "cpu-s/op")
				b.ReportMetric(float64(read)/1e6, "M-checked")
			})
		}
	}
}

// processorTime is what this process took of the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
