package sqlite

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
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
	// err is the first failure. A system that could not write what it held may
	// have let go of it: no later call can say that all is on the disk, so nothing
	// is acknowledged any more until the file is opened anew.
	err   error
	syncs func() error // tests only; nil = the file's
}

func newSettler(path string) *settler {
	s := &settler{path: path + "-wal"}
	s.ready = sync.NewCond(&s.mu)
	return s
}

// settle returns when all that was committed before the call is on the disk, or
// with the failure after which nobody knows.
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
		if s.busy, s.finished = false, mine; s.err == nil {
			s.err = err
		}
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
	if s.syncs != nil {
		return s.syncs()
	}
	return s.file.Sync()
}

// size is that of the log in bytes; 0 when there is none.
func (s *settler) size() int64 {
	st, err := os.Stat(s.path)
	if err != nil {
		return 0
	}
	return st.Size()
}

func (s *settler) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		_ = s.file.Close()
		s.file = nil
	}
}

// keeper remembers when the log was last moved into the file.
type keeper struct {
	since atomic.Int64 // answers stored since
	busy  sync.Mutex
}

// The log is moved into the file after so many answers (SQLite, "Write-Ahead
// Logging", section 3.3). Left to the database, the writer whose commit passes a
// thousand pages would do it, with a question behind it waiting for the disk.
const (
	tidyEvery = 512
	tidyBytes = 32 << 20 // of a log that writers must wait for, because they never let it end
	tidyPages = tidyBytes / 4096
)

// tidy moves the log into the file when it is time; what it cannot move stays in
// the log, where it is as safe.
func (s *Store) tidy(ctx context.Context) {
	if s.log.since.Add(1) < tidyEvery || !s.log.busy.TryLock() {
		return
	}
	defer s.log.busy.Unlock()
	s.log.since.Store(0)
	ctx = context.WithoutCancel(ctx)
	var busy, pages, moved int
	err := s.read.QueryRowContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &pages, &moved)
	if err == nil && pages > tidyPages {
		_, _ = s.read.ExecContext(ctx, `PRAGMA wal_checkpoint(RESTART)`)
	}
}
