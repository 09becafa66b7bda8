package postgres

import (
	"context"
	"errors"
	"io"

	"digesto/pg"

	"github.com/jackc/pgx/v5"
)

// auditLock is held while lines are added to the chain of audit.
const auditLock = `SELECT pg_advisory_xact_lock(hashtextextended('digesto:audit:' || current_schema(), 0))`

// AuditKey gives the public key of the chain; the first that is asked with becomes it.
func (s *Store) AuditKey(ctx context.Context, public string) (kept string, err error) {
	err = s.db.Write(ctx, true, func(q pg.Q) error {
		_, err := q.Exec(`INSERT INTO audit_keys (public) VALUES ($1) ON CONFLICT DO NOTHING`, public)
		if err == nil {
			kept, err = pg.One(q, pgx.RowTo[string], `SELECT public FROM audit_keys`)
		}
		return err
	})
	return kept, err
}

// AppendAudit adds the lines that next gives behind the last one; of all processes one
// at a time. Lines that need not be safe are committed without waiting for the disk.
func (s *Store) AppendAudit(ctx context.Context, next func(last []byte, pending int) (lines [][]byte, safe bool, err error)) error {
	return s.db.Write(ctx, false, func(q pg.Q) error {
		if _, err := q.Exec(auditLock); err != nil {
			return err
		}
		type end struct {
			Seq  int64
			Line string
			Mark int64
		}
		var last []byte
		e, err := pg.One(q, pgx.RowToStructByPos[end], `SELECT seq, line, coalesce((SELECT max(seq) FROM audit_lines WHERE mark), 0) FROM audit_lines ORDER BY seq DESC LIMIT 1`)
		switch {
		case err == nil:
			last = []byte(e.Line)
		case !errors.Is(err, pgx.ErrNoRows):
			return err
		}
		lines, safe, err := next(last, int(e.Seq-e.Mark))
		if err != nil {
			return err
		}
		if !safe {
			if _, err := q.Exec(`SET LOCAL synchronous_commit = off`); err != nil {
				return err
			}
		}
		for i, l := range lines {
			if _, err := q.Exec(`INSERT INTO audit_lines VALUES ($1, $2, $3)`, e.Seq+int64(i)+1, safe && i == len(lines)-1, string(l)); err != nil {
				return err
			}
		}
		return nil
	})
}

// auditPage is how many lines of the chain are read at a time.
const auditPage = 1000

// AuditLines writes the chain as the file of a single node has it, one line after the other.
func (s *Store) AuditLines(ctx context.Context, w io.Writer) error {
	type row struct {
		Seq  int64
		Line string
	}
	for last := int64(0); ; {
		var lines []row
		err := s.db.Read(ctx, func(q pg.Q) (err error) {
			lines, err = pg.All(q, pgx.RowToStructByPos[row], `SELECT seq, line FROM audit_lines WHERE seq > $1 ORDER BY seq LIMIT $2`, last, auditPage)
			return err
		})
		if err != nil {
			return err
		}
		for _, l := range lines {
			if _, err := io.WriteString(w, l.Line+"\n"); err != nil {
				return err
			}
			last = l.Seq
		}
		if len(lines) < auditPage {
			return nil
		}
	}
}
