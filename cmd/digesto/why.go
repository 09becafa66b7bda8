package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"digesto"
)

// told is what an error says to people: its message and, where the cause is one of
// the system or of a decoder, that cause in Spanish.
func told(e *digesto.Error) string {
	if e.Err == nil {
		return e.Message
	}
	if why := whyOf(e.Err); why != "" {
		return strings.TrimSuffix(e.Message, ".") + ": " + why
	}
	return e.Error()
}

// causes are the failures of the system that people cause, in Spanish.
var causes = []struct {
	err error
	why string
}{
	{syscall.EISDIR, "es una carpeta"}, {syscall.ENOTDIR, "no es una carpeta"}, {syscall.ENOSPC, "no queda sitio en el disco"}, {syscall.EROFS, "ahí no se puede escribir"},
	{fs.ErrNotExist, "no existe"}, {fs.ErrPermission, "no hay permiso"}, {fs.ErrExist, "ya existe"},
	{context.DeadlineExceeded, "se ha agotado el tiempo"}, {io.ErrUnexpectedEOF, "se acaba antes de tiempo"}, {io.EOF, "se acaba antes de tiempo"},
}

// whyOf names the cause of an error; "" = it is none of those known.
func whyOf(err error) string {
	var own *digesto.Error
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var address *net.AddrError
	switch {
	case errors.As(err, &own):
		return told(own)
	case errors.As(err, &syntax):
		return fmt.Sprintf("no es JSON (carácter %d)", syntax.Offset)
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
