package sqlite

import (
	"os"
	"sync"
)

// settler makes what is in the log survive a loss of power. A commit does not
// wait for the disk by itself (synchronous NORMAL): it survives the end of the
// process at once. Whoever needs more waits here, outside the line of writers, so
// that a question is never kept waiting by the disk; those who wait together
// share one call.
type settler struct {
	mu       sync.Mutex
	ready    *sync.Cond
	file     *os.File
	path     string
	busy     bool
	started  int64 // calls begun
	finished int64 // the last call that ended
	err      error // of it
}

func newSettler(path string) *settler {
	s := &settler{path: path + "-wal"}
	s.ready = sync.NewCond(&s.mu)
	return s
}

// settle returns when all that was committed before the call is on the disk.
func (s *settler) settle() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	want := s.started + 1
	for s.finished < want {
		if s.busy {
			s.ready.Wait()
			continue
		}
		s.busy = true
		s.started++
		mine := s.started
		s.mu.Unlock()
		err := s.sync()
		s.mu.Lock()
		s.busy, s.finished, s.err = false, mine, err
		s.ready.Broadcast()
	}
	return s.err
}

func (s *settler) sync() error {
	if s.file == nil {
		f, err := os.OpenFile(s.path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		s.file = f
	}
	return s.file.Sync()
}

func (s *settler) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		_ = s.file.Close()
		s.file = nil
	}
}
