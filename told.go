package digesto

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"syscall"
)

// Told is what an error says to people: of one of ours its message and, where it is
// known, its cause, in Spanish; of another its cause or else its own words.
func Told(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		if why := Cause(err); why != "" {
			return why
		}
		return err.Error()
	}
	why := Cause(e.Err)
	if why == "" || strings.Contains(strings.ToLower(e.Message), strings.ToLower(why)) {
		return e.Message
	}
	return strings.TrimSuffix(e.Message, ".") + ": " + why
}

// Next is what to do next about an error: its hint, or that of its kind.
func (e *Error) Next() string {
	if e.Hint != "" {
		return e.Hint
	}
	return Codes[e.Code].Next
}

// HintOf is what to do next about an error of ours; "" for another.
func HintOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Next()
	}
	return ""
}

// DiskFull says whether something failed because there is no room left, on the disk or
// in what its owner may use of it.
func DiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// causes are the failures of the system that people cause, in Spanish.
var causes = []struct {
	err error
	why string
}{
	{syscall.EISDIR, "es una carpeta"}, {syscall.ENOTDIR, "no es una carpeta"}, {syscall.ENOSPC, "no queda sitio en el disco"}, {syscall.EDQUOT, "no queda sitio en el disco"},
	{syscall.EROFS, "ahí no se puede escribir"}, {syscall.EIO, "el disco falla"}, {syscall.ENAMETOOLONG, "el nombre es demasiado largo"}, {syscall.ELOOP, "es un enlace que lleva a sí mismo"},
	{syscall.ENXIO, "no es un fichero"}, {syscall.EADDRINUSE, "ya lo usa otro programa"}, {syscall.EADDRNOTAVAIL, "no es una dirección de esta máquina"}, {syscall.ECONNREFUSED, "ahí no contesta nadie"},
	{fs.ErrNotExist, "no existe"}, {fs.ErrPermission, "no hay permiso"}, {fs.ErrExist, "ya existe"},
	{context.DeadlineExceeded, "se ha agotado el tiempo"}, {bufio.ErrTooLong, "la línea es demasiado larga"}, {io.ErrUnexpectedEOF, "se acaba antes de tiempo"}, {io.EOF, "se acaba antes de tiempo"},
}

// Cause names in Spanish why something failed, where it is a failure of the system, of
// a decoder or one of ours; "" = it is none of those known.
func Cause(err error) string {
	var own *Error
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var address *net.AddrError
	switch {
	case errors.As(err, &own):
		return Told(own)
	case errors.As(err, &syntax):
		return fmt.Sprintf("no es JSON (carácter %d)", syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		return "no es un objeto JSON"
	case errors.As(err, &kind):
		return fmt.Sprintf("el valor de «%s» no es del tipo que se espera", kind.Field)
	case errors.As(err, &address) && strings.Contains(address.Err, "missing port"):
		return "falta el puerto"
	case errors.As(err, &address):
		return "no es una dirección con su puerto"
	}
	for _, c := range causes {
		if errors.Is(err, c.err) {
			return c.why
		}
	}
	return ""
}
