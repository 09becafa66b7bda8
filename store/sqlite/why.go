package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"digesto"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// whys are the failures of a database that people can do something about.
var whys = map[int]digesto.Error{
	lib.SQLITE_CORRUPT:  broken,
	lib.SQLITE_NOTADB:   broken,
	lib.SQLITE_BUSY:     busy,
	lib.SQLITE_LOCKED:   busy,
	lib.SQLITE_READONLY: {Code: digesto.CodeForbidden, Message: "no hay permiso de escritura", Hint: "Dé permiso de escritura sobre la carpeta de datos y sus ficheros, o elija otra con --data."},
	lib.SQLITE_CANTOPEN: {Code: digesto.CodeUnavailable, Message: "no se puede abrir", Hint: "Revise los permisos y el espacio libre, o elija otra carpeta con --data."},
	lib.SQLITE_FULL:     {Code: digesto.CodeTooLarge, Message: "no queda sitio en el disco", Hint: "Libere espacio y vuelva a intentarlo; lo que había sigue intacto."},
	lib.SQLITE_IOERR:    {Code: digesto.CodeUnavailable, Message: "el disco falla", Hint: "Mire el disco y el espacio libre, y ejecute «digesto doctor»."},
}

var busy = digesto.Error{Code: digesto.CodeUnavailable, Message: "otro programa la tiene ocupada", Hint: "Espere a que acabe y vuelva a intentarlo."}

var broken = digesto.Error{Code: digesto.CodeInvalid, Message: "el fichero está dañado o no es una base de datos",
	Hint: "Restaure una copia de seguridad con «digesto restore», o aparte ese fichero (no lo borre) para empezar otro."}

// why is the cause of a failure of the database as people should read it; nil where it
// is none of those known.
func why(err error) *digesto.Error {
	var e *driver.Error
	if !errors.As(err, &e) {
		return nil
	}
	w, known := whys[e.Code()&0xff] // the rest of the code says where it happened
	if !known {
		return nil
	}
	w.Err = err
	return &w
}

// Copy writes a database, as of one moment and whoever writes in it, to a file that
// does not exist yet. One in a folder that cannot be written is copied too, where no
// program has left anything of it in its log.
func Copy(ctx context.Context, path, to string) error {
	err := vacuum(ctx, address(path), to)
	if w := why(err); w != nil && w.Code == digesto.CodeForbidden {
		if st, none := os.Stat(path + "-wal"); none != nil || st.Size() == 0 {
			err = vacuum(ctx, address(path)+"?immutable=1", to)
		}
	}
	if err == nil {
		return nil
	}
	return unusable(path, err)
}

// InUse says whether another program, or another part of this one, has the database of a
// file open. It makes no file.
func InUse(ctx context.Context, path string) bool {
	if _, err := os.Stat(path); err != nil {
		return false
	}
	db, err := sql.Open("sqlite", address(path)+"?_pragma=busy_timeout(100)&_pragma=locking_mode(EXCLUSIVE)")
	if err != nil {
		return false
	}
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(ctx, "BEGIN EXCLUSIVE; ROLLBACK")
	var e *driver.Error
	return errors.As(err, &e) && e.Code()&0xff == lib.SQLITE_BUSY
}

func vacuum(ctx context.Context, from, to string) error {
	db, err := sql.Open("sqlite", from)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
	return errors.Join(err, db.Close())
}
