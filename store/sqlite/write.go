package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"sync"
)

// line is where writers wait, in two rows. Whoever stands first in one writes
// for those behind.
type line struct {
	mu   sync.Mutex
	rows [2][]*job
	busy bool
}

// The rows of the line. Questions go first: somebody waits for their session.
const (
	first = iota
	later
)

type job struct {
	do   func(*tx) error
	err  error
	done chan struct{} // closed when err is settled
	lead chan struct{} // closed when it is this writer's place to write for all
}

// batchMax bounds a transaction: who arrives later waits for the next. Answers
// are long and a question may be waiting for them to be written, so few go at a time.
var batchMax = [2]int{first: 256, later: 4}

// settled is write that waits for the disk too.
func (s *Store) settled(ctx context.Context, do func(*tx) error) error {
	if err := s.write(ctx, later, do); err != nil {
		return err
	}
	err := s.disk.settle()
	s.tidy(ctx)
	return failed(err)
}

// write does one thing in a transaction that may be shared. do reads and writes
// through tx; it is undone alone if it fails, and may be run twice.
func (s *Store) write(ctx context.Context, row int, do func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{do: do, done: make(chan struct{}), lead: make(chan struct{})}
	s.line.mu.Lock()
	s.line.rows[row] = append(s.line.rows[row], j)
	alone := !s.line.busy
	s.line.busy = true
	s.line.mu.Unlock()
	if !alone {
		select {
		case <-j.done:
			return failed(j.err)
		case <-j.lead:
		}
	}
	s.lead(row)
	<-j.done
	return failed(j.err)
}

// lead writes what waits in the first row, and then, for one who came from the
// other, part of that; then it hands the place on, to the other row if it can:
// neither row waits for more than one batch of the other.
func (s *Store) lead(row int) {
	runtime.Gosched() // who is about to stand in line comes along: three commits for fifty instead of twelve
	for r := first; r <= row; r++ {
		batch := s.line.take(r)
		s.commit(batch)
		for _, j := range batch {
			close(j.done)
		}
	}
	s.line.handOn(row)
}

func (l *line) take(row int) []*job {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.rows[row]
	n := min(len(q), batchMax[row])
	if l.rows[row] = q[n:]; n == len(q) {
		l.rows[row] = nil
	}
	return q[:n:n]
}

func (l *line) handOn(row int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range [2]int{1 - row, row} {
		if len(l.rows[r]) > 0 {
			close(l.rows[r][0].lead)
			return
		}
	}
	l.busy = false
}

// commit runs a batch in one transaction. Guarding each job costs more than the
// job itself, so they run unguarded first; if one fails, all are undone and run
// again, each undone alone. A job therefore may run twice.
func (s *Store) commit(batch []*job) {
	if len(batch) == 0 {
		return
	}
	refused := false
	err := s.transact(func(t *tx) error {
		for _, j := range batch {
			if err := j.do(t); err != nil {
				refused = true
				return err
			}
		}
		return nil
	})
	if refused && len(batch) > 1 {
		err = s.transact(func(t *tx) error { return t.each(batch) })
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

// transact does work in one transaction, all of it or nothing.
func (s *Store) transact(work func(*tx) error) error {
	t := &tx{s: s, ctx: context.Background()}
	err := t.exec("BEGIN IMMEDIATE")
	if err != nil {
		return err
	}
	if err = work(t); err == nil {
		err = t.counted()
	}
	if err == nil {
		err = t.exec("COMMIT")
	}
	if err != nil {
		_ = t.exec("ROLLBACK")
	}
	return err
}

// tx is the transaction that a job works in.
type tx struct {
	s     *Store
	ctx   context.Context
	count int64 // the counter, once it was looked at; 0 before
}

// next takes the number that orders conversations by their last activity.
func (t *tx) next() (int64, error) {
	if t.count == 0 {
		if err := t.row(`SELECT n FROM counter`, nil, &t.count); err != nil {
			return 0, err
		}
	}
	t.count++
	return t.count, nil
}

// counted stores the counter for the transactions after this one.
func (t *tx) counted() error {
	if t.count == 0 {
		return nil
	}
	return t.exec(`UPDATE counter SET n = ?`, t.count)
}

// each does every job, undone alone if it fails. An error means that the
// transaction is lost.
func (t *tx) each(batch []*job) (lost error) {
	for _, j := range batch {
		if j.err, lost = t.alone(j.do); lost != nil {
			return lost
		}
	}
	return nil
}

func (t *tx) alone(do func(*tx) error) (err, lost error) {
	if lost = t.exec("SAVEPOINT job"); lost != nil {
		return lost, lost
	}
	if err = do(t); err != nil {
		lost = t.exec("ROLLBACK TO job")
	}
	return err, errors.Join(lost, t.exec("RELEASE job"))
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
