package pg

import (
	"context"
	"errors"
	"slices"
	"strings"

	"digesto"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// says is what people are told of an error of the server, by the beginning of its
// code (PostgreSQL, appendix A); the first that fits holds.
var says = []struct {
	code          string
	what          digesto.Code
	message, hint string
}{
	{"28", digesto.CodeForbidden, "PostgreSQL no acepta el usuario o la clave", "Corrija usuario y clave en la dirección; el servidor decide en pg_hba.conf quién entra."},
	{"3D000", digesto.CodeNotFound, "La base de datos de PostgreSQL no existe", "Créela con «createdb BASE», o corrija el nombre en la dirección."},
	{"53100", digesto.CodeUnavailable, "El disco de PostgreSQL está lleno", "Libere espacio en el servidor y repita: no se ha guardado nada a medias."},
	{"53200", digesto.CodeUnavailable, "A PostgreSQL le falta memoria", "Baje work_mem o el número de conexiones del servidor y repita."},
	{"53300", digesto.CodeUnavailable, "PostgreSQL no admite más conexiones", "Suba max_connections, baje pool_max_conns en la dirección o ponga un PgBouncer delante."},
	{"57P03", digesto.CodeUnavailable, "PostgreSQL está arrancando", "Espere unos segundos y repita."},
	{"57014", digesto.CodeUnavailable, "PostgreSQL ha cortado la consulta por lenta", "Repítala; si vuelve a pasar, mire la carga del servidor y su statement_timeout."},
	{"57", digesto.CodeUnavailable, "PostgreSQL se está parando", "Repita en cuanto vuelva: no hace falta reiniciar este programa."},
	{"08", digesto.CodeUnavailable, "Se ha cortado la conexión con PostgreSQL", "Repita en cuanto vuelva: no hace falta reiniciar este programa."},
	{"42703", digesto.CodeUnavailable, goneMessage, goneHint},
	{"42704", digesto.CodeUnavailable, goneMessage, goneHint},
	{"42P01", digesto.CodeUnavailable, goneMessage, goneHint},
	{"42501", digesto.CodeForbidden, "El usuario de PostgreSQL no tiene permiso para esto", "Pida a quien lleva el servidor: GRANT CREATE ON DATABASE … TO …; y que haga «CREATE EXTENSION vector» si va a guardar índices."},
	{"25006", digesto.CodeUnavailable, "El servidor de PostgreSQL es una copia de solo lectura", "Ponga en la dirección el servidor principal (o target_session_attrs=read-write)."},
}

// What is said when tables, or the type of their columns, were taken away from a
// program that had found them.
const (
	goneMessage = "A las tablas de PostgreSQL les falta algo que tenían"
	goneHint    = "Alguien quitó tablas o la extensión «vector» (pgvector), o restauró una copia a medias: recupere la copia, o borre el esquema y vuelva a arrancar para construir el índice de nuevo."
)

// missingVector is said when the server has no pgvector.
var missingVector = &digesto.Error{Code: digesto.CodeUnavailable, Message: "A este PostgreSQL le falta la extensión «vector» (pgvector)", Hint: "Instálela en el servidor (en Debian: apt install postgresql-17-pgvector) y repita."}

// Failed gives an error of the database as people are told it. Our own errors,
// those of a cancelled context and pgx.ErrNoRows pass.
func Failed(err error) error {
	var own *digesto.Error
	if err == nil || errors.As(err, &own) || errors.Is(err, context.Canceled) || errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	if pe := server(err); pe != nil {
		if strings.Contains(pe.Message, `"vector"`) && slices.Contains([]string{"0A000", "58P01", "42704"}, pe.Code) {
			return &digesto.Error{Code: missingVector.Code, Message: missingVector.Message, Hint: missingVector.Hint, Err: err}
		}
		if strings.Contains(pe.Message, `"sparsevec"`) && pe.Code == "42704" {
			return &digesto.Error{Code: digesto.CodeUnavailable, Message: "La extensión «vector» (pgvector) de este PostgreSQL es anterior a la 0.7", Hint: "Actualícela en el servidor, ejecute «ALTER EXTENSION vector UPDATE» en la base y repita.", Err: err}
		}
		for _, s := range says {
			if strings.HasPrefix(pe.Code, s.code) {
				return &digesto.Error{Code: s.what, Message: s.message, Hint: s.hint, Err: err}
			}
		}
		return &digesto.Error{Code: digesto.CodeInternal, Message: "PostgreSQL no ha podido hacer lo que se le pide", Hint: "Es un fallo del programa o del servidor: mire el registro de PostgreSQL y avise con el código " + pe.Code + ".", Err: err}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "PostgreSQL tarda demasiado en contestar", Hint: "Mire la carga del servidor y la red hasta él; y repita.", Err: err}
	}
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "No se puede hablar con PostgreSQL", Hint: "Compruebe que el servidor está en marcha y que se llega a él desde aquí (dirección, puerto, TLS).", Err: err}
}

func server(err error) *pgconn.PgError {
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		return pe
	}
	return nil
}

// Violates says that a constraint of that name refused a row.
func Violates(err error, constraint string) bool {
	pe := server(err)
	return pe != nil && pe.ConstraintName == constraint
}

// passing says that the same work may do better in a moment: the connection was
// lost, the server restarts, or another transaction was in the way.
func passing(err error) bool {
	var own *digesto.Error
	if errors.As(err, &own) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, pgx.ErrNoRows) {
		return false
	}
	pe := server(err)
	if pe == nil {
		return true // no answer of a server: the way to it is broken
	}
	return strings.HasPrefix(pe.Code, "08") || slices.Contains([]string{"57P01", "57P02", "57P03", "40001", "40P01"}, pe.Code)
}

// LockTimeout says that a statement would have waited too long for a lock.
func LockTimeout(err error) bool {
	pe := server(err)
	return pe != nil && pe.Code == "55P03"
}
