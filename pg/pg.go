// Package pg is what the adapters of PostgreSQL share: opening a pool by an
// address, bringing a schema up to date, trying again what a restart of the
// server broke off, and saying in Spanish what is wrong and what to do.
package pg

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"digesto"
	"digesto/text/lazyregexp"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// Options of a database. Zero values mean the defaults stated.
type Options struct {
	// Schema holds the tables; "" = the search_path of the address, else "digesto".
	Schema string
	// Conns is how many connections are open at most; 0 = pool_max_conns of the address, else 16.
	Conns int32
	// Timeout bounds one piece of work whose caller sets no bound; 0 = 30 s.
	Timeout time.Duration
	// Patience is how long work that a lost connection broke off is tried again; 0 = 5 s.
	Patience time.Duration
	// Session is set on every connection.
	Session map[string]string
}

// DB is an open database. It is safe for any number of goroutines.
type DB struct {
	Pool   *pgxpool.Pool
	Schema string
	opt    Options
}

var schemaName = lazyregexp.New(`^[a-z_][a-z0-9_]{0,62}$`)

// Is says whether an address is one of PostgreSQL.
func Is(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Open connects and brings the tables up to date under an advisory lock, so that
// several processes may start at once. files holds goose migrations; their
// versions are kept in the table named.
func Open(ctx context.Context, address string, opt Options, files fs.FS, versions string) (*DB, error) {
	conf, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, badAddress(err)
	}
	opt.Schema = cmp.Or(opt.Schema, conf.ConnConfig.RuntimeParams["search_path"], "digesto")
	if !schemaName.MatchString(opt.Schema) {
		return nil, badAddress(errors.New("search_path"))
	}
	if !strings.Contains(address, "pool_max_conns") || opt.Conns > 0 {
		conf.MaxConns = max(2, cmp.Or(opt.Conns, 16)) // one holds the lock while another migrates
	}
	opt.Timeout, opt.Patience = cmp.Or(opt.Timeout, 30*time.Second), cmp.Or(opt.Patience, 5*time.Second)
	run := conf.ConnConfig.RuntimeParams
	run["search_path"] = opt.Schema + ", public"
	run["application_name"] = cmp.Or(run["application_name"], "digesto")
	for k, v := range opt.Session {
		run[k] = v
	}
	conf.ConnConfig.ConnectTimeout = cmp.Or(conf.ConnConfig.ConnectTimeout, 5*time.Second)
	pool, err := pgxpool.NewWithConfig(ctx, conf)
	if err != nil {
		return nil, Failed(err)
	}
	d := &DB{Pool: pool, Schema: opt.Schema, opt: opt}
	if err := d.migrate(ctx, files, versions); err != nil {
		pool.Close()
		return nil, Failed(err)
	}
	return d, nil
}

// Close ends all connections.
func (d *DB) Close() { d.Pool.Close() }

func badAddress(err error) error {
	return &digesto.Error{Code: digesto.CodeUsage, Message: "La dirección de PostgreSQL no se entiende",
		Hint: "Escríbala como postgres://USUARIO:CLAVE@SERVIDOR:5432/BASE?sslmode=require (y &search_path=ESQUEMA, en minúsculas, para otro esquema).", Err: err}
}

// lockName is one for a whole database: extensions belong to all schemas.
const lockName = "digesto"

// migrate runs what is missing. Whoever comes second waits for the first.
func (d *DB) migrate(ctx context.Context, files fs.FS, versions string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	conn, err := d.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtextextended($1, 0))`, lockName); err != nil {
		return err
	}
	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(hashtextextended($1, 0))`, lockName)
	}()
	var there bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)`, d.Schema).Scan(&there); err != nil {
		return err
	}
	if !there {
		if _, err := conn.Exec(ctx, `CREATE SCHEMA `+pgx.Identifier{d.Schema}.Sanitize()); err != nil {
			return err
		}
	}
	db := stdlib.OpenDBFromPool(d.Pool)
	defer func() { _ = db.Close() }()
	p, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()), goose.WithTableName(versions))
	if err != nil {
		return err
	}
	have, err := p.GetDBVersion(ctx)
	if err != nil {
		return err
	}
	known := p.ListSources()
	switch newest := known[len(known)-1].Version; {
	case have == newest:
		return nil
	case have > newest:
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Las tablas de PostgreSQL son de una versión posterior del programa", Hint: "Actualice el programa, o use otro esquema con search_path en la dirección."}
	}
	_, err = p.Up(ctx)
	return err
}
