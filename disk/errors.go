// Package disk writes files whole, reads them line by line, and says in Spanish what is wrong
// with one that cannot be read or written.
package disk

import (
	"errors"
	"io/fs"
	"strings"

	"digesto"
)

// Unwritable says why a new file cannot be made.
func Unwritable(path string, err error) error {
	e := &digesto.Error{Code: digesto.CodeInvalid, Message: "no se puede escribir «" + path + "»", Err: err, Hint: "elija un fichero que no exista, en una carpeta en la que pueda escribir"}
	switch {
	case errors.Is(err, fs.ErrExist):
		e.Message, e.Err, e.Hint = "«"+path+"» ya existe", nil, "elija otro nombre, o quite antes ese fichero"
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Message, e.Err, e.Hint = digesto.CodeNotFound, "no existe la carpeta de «"+path+"»", nil, "créela antes o elija otra"
	case errors.Is(err, fs.ErrPermission):
		e.Code, e.Message, e.Err = digesto.CodeForbidden, "no hay permiso para escribir «"+path+"»", nil
	}
	return e
}

// Error says in Spanish what happened with a file.
func Error(err error, path, hint string) error {
	var own *digesto.Error
	if errors.As(err, &own) {
		return err
	}
	e := &digesto.Error{Code: digesto.CodeInvalid, Hint: hint}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Message = digesto.CodeNotFound, "no existe «"+path+"»"
	case errors.Is(err, fs.ErrPermission):
		e.Code, e.Message = digesto.CodeForbidden, "no hay permiso para leer «"+path+"»"
	default:
		e.Message, e.Err = "no se puede leer «"+path+"»", err
	}
	if strings.TrimSpace(hint) == "" {
		e.Hint = "revise el nombre y los permisos"
	}
	return e
}
