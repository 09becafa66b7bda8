package sqlite

import (
	"context"
	"database/sql"
	"sync"
)

// line is where writers wait. Whoever stands first writes for all.
type line struct {
	mu    sync.Mutex
	queue []*job
	busy  bool
}

type job struct {
	do   func(*tx) error
	err  error
	done chan struct{} // closed when err is settled
	lead chan struct{} // closed when it is this writer's place to write for all
}

// batchMax bounds a transaction: who arrives later waits for the next.
const batchMax = 256

// settled is write that waits for the disk too.
func (s *Store) settled(ctx context.Context, do func(*tx) error) error {
	if err := s.write(ctx, do); err != nil {
		return err
	}
	return failed(s.disk.settle())
}

// write does one thing in a transaction that may be shared. do may read and write through tx and be undone alone.
func (s *Store) write(ctx context.Context, do func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{do: do, done: make(chan struct{}), lead: make(chan struct{})}
	s.line.mu.Lock()
	s.line.queue = append(s.line.queue, j)
	first := !s.line.busy
	s.line.busy = true
	s.line.mu.Unlock()
	if !first {
		select {
		case <-j.done:
			return failed(j.err)
		case <-j.lead:
		}
	}
	s.lead()
	<-j.done
	return failed(j.err)
}

// lead writes what waits and hands the place on.
func (s *Store) lead() {
	s.line.mu.Lock()
	n := min(len(s.line.queue), batchMax)
	batch := s.line.queue[:n:n]
	s.line.queue = s.line.queue[n:]
	s.line.mu.Unlock()

	s.commit(batch)

	s.line.mu.Lock()
	if len(s.line.queue) > 0 {
		close(s.line.queue[0].lead)
	} else {
		s.line.busy, s.line.queue = false, nil
	}
	s.line.mu.Unlock()
	for _, j := range batch {
		close(j.done)
	}
}

// commit runs a batch in one transaction, each job undone alone if it fails.
func (s *Store) commit(batch []*job) {
	t := &tx{s: s, ctx: context.Background()}
	err := t.exec("BEGIN IMMEDIATE")
	if err == nil {
		for _, j := range batch {
			if j.err = t.alone(j.do); t.broken != nil {
				break
			}
		}
		if err = t.broken; err == nil {
			err = t.exec("COMMIT")
		}
		if err != nil {
			_ = t.exec("ROLLBACK")
		}
	}
	if err == nil {
		return
	}
	for _, j := range batch {
		if j.err == nil {
			j.err = err
		}
	}
}

// tx is the transaction that a job works in.
type tx struct {
	s      *Store
	ctx    context.Context
	broken error // the transaction is lost
}

func (t *tx) alone(do func(*tx) error) error {
	if err := t.exec("SAVEPOINT job"); err != nil {
		t.broken = err
		return err
	}
	err := do(t)
	if err != nil {
		if back := t.exec("ROLLBACK TO job"); back != nil {
			t.broken = back
		}
	}
	if rel := t.exec("RELEASE job"); rel != nil {
		t.broken = rel
	}
	return err
}

func (t *tx) stmt(query string) (*sql.Stmt, error) {
	if st := t.s.stmts[query]; st != nil {
		return st, nil
	}
	st, err := t.s.conn.PrepareContext(t.ctx, query)
	if err == nil {
		t.s.stmts[query] = st
	}
	return st, err
}

func (t *tx) exec(query string, args ...any) error {
	_, err := t.affect(query, args...)
	return err
}

// affect gives how many rows a statement changed.
func (t *tx) affect(query string, args ...any) (int64, error) {
	st, err := t.stmt(query)
	if err != nil {
		return 0, err
	}
	r, err := st.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// row reads one row; sql.ErrNoRows when there is none.
func (t *tx) row(query string, args []any, into ...any) error {
	st, err := t.stmt(query)
	if err != nil {
		return err
	}
	return st.QueryRowContext(t.ctx, args...).Scan(into...)
}

func (t *tx) query(query string, args ...any) (*sql.Rows, error) {
	st, err := t.stmt(query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(t.ctx, args...)
}
