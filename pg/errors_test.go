package pg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"digesto"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestFailed: every error of the server says in Spanish what is wrong and what to do next.
func TestFailed(t *testing.T) {
	for code, want := range map[string]struct {
		code digesto.Code
		says string
	}{
		"28P01": {digesto.CodeForbidden, "usuario o la clave"},
		"28000": {digesto.CodeForbidden, "usuario o la clave"},
		"3D000": {digesto.CodeNotFound, "base de datos"},
		"53100": {digesto.CodeUnavailable, "disco"},
		"53300": {digesto.CodeUnavailable, "conexiones"},
		"57P03": {digesto.CodeUnavailable, "arrancando"},
		"57014": {digesto.CodeUnavailable, "lenta"},
		"57P01": {digesto.CodeUnavailable, "parando"},
		"08006": {digesto.CodeUnavailable, "conexión"},
		"42501": {digesto.CodeForbidden, "permiso"},
		"42703": {digesto.CodeUnavailable, "les falta algo"},
		"25006": {digesto.CodeUnavailable, "solo lectura"},
		"XX000": {digesto.CodeInternal, "no ha podido"},
	} {
		err := Failed(fmt.Errorf("far away: %w", &pgconn.PgError{Code: code, Message: "m"}))
		var e *digesto.Error
		if !errors.As(err, &e) || e.Code != want.code || !strings.Contains(e.Message, want.says) || e.Hint == "" {
			t.Errorf("%s: %+v", code, err)
		}
	}
	for _, pe := range []pgconn.PgError{{Code: "0A000", Message: `extension "vector" is not available`}, {Code: "42704", Message: `type "vector" does not exist`}} {
		if err := Failed(&pe); !strings.Contains(err.Error(), "extensión «vector»") {
			t.Errorf("%s: %v", pe.Message, err)
		}
	}
	if err := Failed(&pgconn.PgError{Code: "42704", Message: `type "sparsevec" does not exist`}); !strings.Contains(err.Error(), "anterior a la 0.7") {
		t.Errorf("an old pgvector: %v", err)
	}
	for _, pass := range []error{nil, context.Canceled, pgx.ErrNoRows} {
		if err := Failed(pass); !errors.Is(err, pass) {
			t.Errorf("%v became %v", pass, err)
		}
	}
	if digesto.CodeOf(Failed(io.EOF)) != digesto.CodeUnavailable || digesto.CodeOf(Failed(context.DeadlineExceeded)) != digesto.CodeUnavailable {
		t.Error("a lost connection or a long wait is not told as such")
	}
}

// TestAgain: what a lost connection broke off is tried until patience ends; what
// cannot get better, or may already stand, is not.
func TestAgain(t *testing.T) {
	d := &DB{opt: Options{Timeout: 5 * time.Second, Patience: 100 * time.Millisecond}}
	restart := &pgconn.PgError{Code: "57P01"}
	for _, c := range []struct {
		what       string
		err        error
		unfinished bool
		most       int // times it may be tried; 0 = more than twice
	}{
		{"restart", restart, true, 0},
		{"cut", io.ErrUnexpectedEOF, true, 0},
		{"commit without an answer", io.ErrUnexpectedEOF, false, 1},
		{"full", &pgconn.PgError{Code: "53100"}, true, 1},
		{"ours", &digesto.Error{Code: digesto.CodeInvalid, Message: "m"}, true, 1},
	} {
		n := 0
		err := d.again(t.Context(), func(context.Context) (error, bool) { n++; return c.err, c.unfinished })
		if err == nil || c.most > 0 && n > c.most || c.most == 0 && n <= 2 {
			t.Errorf("%s: tried %d times, %v", c.what, n, err)
		}
	}
	n := 0
	if err := d.again(t.Context(), func(context.Context) (error, bool) {
		if n++; n < 3 {
			return restart, true
		}
		return nil, true
	}); err != nil || n != 3 {
		t.Errorf("back after two tries: %d, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.again(ctx, func(context.Context) (error, bool) { t.Error("tried"); return nil, true }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
