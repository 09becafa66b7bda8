package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"digesto/store"
)

// TestLogMovesIntoTheFile stores answers from several goroutines until the log
// is due: it is moved into the file while they go on, and nothing is lost.
func TestLogMovesIntoTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s := open(t, path, nil)
	text := strings.Repeat("una respuesta larga ", 60)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 70 {
				q := fmt.Sprintf("q%d-%d", w, i)
				x, err := s.Begin(t.Context(), store.Begin{User: "ana", Text: q, Title: q, Key: q})
				if err == nil {
					_, err = s.Finish(t.Context(), finish(x, text+q))
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if st, err := os.Stat(path); err != nil || st.Size() < 500<<10 {
		t.Errorf("the file has %d bytes after 560 answers: all is in the log still (%v)", st.Size(), err)
	}
	if bad, err := s.Check(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("%v %v", bad, err)
	}
	list, err := s.List(t.Context(), "ana", store.ListQuery{Limit: 1})
	if err != nil || len(list.List) != 1 || list.List[0].Messages != 2 {
		t.Errorf("%+v %v", list, err)
	}
}
