package pdf

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"digesto/corpus/ingest/line"
)

// testReader is one for all tests, with what it compiles kept between runs.
var testReader = sync.OnceValue(func() *Reader { return NewReader(filepath.Join(os.TempDir(), "digesto-test-pdfium")) })

// readTest reads a document with the pool that all tests share.
func readTest(t testing.TB, data []byte) Document {
	t.Helper()
	d, err := testReader().Read(context.Background(), data, Limits{})
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return d
}

// show writes lines in one form that tests can compare: marks, then the text.
func show(ls []line.Line) string {
	var b strings.Builder
	for _, l := range ls {
		marks := ""
		for _, m := range []struct {
			on   bool
			mark string
		}{{l.History, "H"}, {l.Note, "N"}, {l.Table, "T"}, {l.Bold, "B"}, {l.Small, "s"}} {
			if m.on {
				marks += m.mark
			}
		}
		fmt.Fprintf(&b, "%d%s: %s", l.Page, marks, l.Text)
		for _, m := range l.Marks {
			fmt.Fprintf(&b, " [%d→%d]", m.Start, m.Page)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
