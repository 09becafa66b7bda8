package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"digesto"
)

func errNoNorm(id string) error {
	return &digesto.Error{Code: digesto.CodeNotFound,
		Message: "La norma «" + id + "» no está instalada",
		Hint:    "Vea las normas instaladas con «digesto corpus list»."}
}

func errNoUnit(n digesto.Norm, unit string) error {
	return &digesto.Error{Code: digesto.CodeNotFound,
		Message: fmt.Sprintf("%s no tiene la unidad «%s»", n.ID, unit),
		Hint:    fmt.Sprintf("Vea su índice con «digesto corpus show %s».", n.ID)}
}

func errInvalid(format string, args ...any) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf(format, args...)}
}

// otherFormat is a file that another version of the program wrote, and wrote whole.
type otherFormat struct{ is, known uint32 }

func (f otherFormat) Error() string {
	return fmt.Sprintf("format %d, this program reads %d", f.is, f.known)
}

// errFormat is nil unless the cause is a file of another version.
func errFormat(path string, cause error) error {
	var f otherFormat
	if !errors.As(cause, &f) {
		return nil
	}
	return &digesto.Error{Code: digesto.CodeInvalid, Err: cause,
		Message: fmt.Sprintf("El archivo %s de la biblioteca es de otra versión del programa (formato %d; esta lee el %d)", path, f.is, f.known),
		Hint:    "No está dañado y no se ha cambiado nada: actualice el programa, o use otra carpeta de datos con --data."}
}

func errDamaged(path, what string, cause error) error {
	if err := errFormat(path, cause); err != nil {
		return err
	}
	return &digesto.Error{Code: digesto.CodeCheck,
		Message: fmt.Sprintf("El archivo %s de la biblioteca está dañado (%s)", path, what),
		Hint:    "Quite la norma con «digesto corpus rm» y añádala de nuevo, o restaure una copia de seguridad.",
		Err:     cause}
}

// errLost is damage of what names everything else: no single norm can be mended.
func errLost(path, what string, cause error) error {
	if err := errFormat(path, cause); err != nil {
		return err
	}
	return &digesto.Error{Code: digesto.CodeCheck,
		Message: fmt.Sprintf("El archivo %s de la biblioteca está dañado (%s)", path, what),
		Hint:    "Restaure una copia de seguridad, o borre la carpeta de la biblioteca y añada de nuevo los textos.",
		Err:     cause}
}

// errGone is the loss of what says which law there is. Nothing is begun in its place:
// what is left of the library would be collected as nobody's.
func errGone(path, message string) error {
	return &digesto.Error{Code: digesto.CodeCheck, Message: message, Err: &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist},
		Hint: "Devuélvalo a su sitio o restaure una copia de seguridad («digesto restore»); si no la hay, aparte la carpeta de la biblioteca y añada de nuevo los textos."}
}

// errDisk puts a failure of the file system into words. doing is Spanish:
// "escribir la biblioteca". Its codes are never CodeInvalid, which is said of a
// document: whoever skips bad documents must not skip a full disk.
func errDisk(doing, path string, err error) error {
	if err == nil {
		return nil
	}
	var known *digesto.Error
	if errors.As(err, &known) {
		return err
	}
	e := &digesto.Error{Code: digesto.CodeInternal, Err: err,
		Message: fmt.Sprintf("No se pudo %s en %s", doing, path),
		Hint:    "Compruebe el disco y la carpeta de datos (opción --data)."}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Code = digesto.CodeForbidden
		e.Message = fmt.Sprintf("No hay permiso para %s en %s", doing, path)
		e.Hint = "Dé permiso de escritura sobre la carpeta o elija otra con --data."
	case errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return errLost(path, "algo ocupa el sitio de sus ficheros", err)
	case digesto.DiskFull(err):
		e.Code = digesto.CodeTooLarge
		e.Message = fmt.Sprintf("No queda espacio en el disco para %s en %s", doing, path)
		e.Hint = "Libere espacio y repita la orden; lo que había sigue intacto."
	}
	return e
}
