package audit

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"digesto"
)

// Report says whether a log is what was written.
type Report struct {
	Lines       int64      `json:"lines"`
	Checkpoints int64      `json:"checkpoints"`
	Signed      int64      `json:"signed"` // lines up to the last checkpoint
	Torn        int64      `json:"torn"`   // bytes of an unfinished last line
	Broken      int64      `json:"broken"` // number of the first line that is not what was written; 0 = none
	Why         string     `json:"why,omitempty"`
	First       *time.Time `json:"first,omitempty"`
	Last        *time.Time `json:"last,omitempty"`
	Key         string     `json:"key"` // public, base64
	// Checkpoint is the last one, "LINE:SIGNATURE": kept elsewhere, it shows later whether
	// whole lines were cut off. See [Report.Holds].
	Checkpoint string `json:"checkpoint"`

	marks map[int64]string // signature by line
}

// Holds says whether a checkpoint seen before is still in the log.
func (r Report) Holds(checkpoint string) bool {
	line, sig, _ := strings.Cut(strings.TrimSpace(checkpoint), ":")
	n, err := strconv.ParseInt(line, 10, 64)
	return err == nil && sig != "" && r.marks[n] == sig
}

// errBroken ends the reading at the first broken line.
var errBroken = errors.New("broken")

// VerifyDir checks the log of a folder with a public key in base64; "" = that of
// the folder. Without a log it is not_found.
func VerifyDir(dir, key string) (Report, error) {
	f, err := os.Open(filepath.Join(dir, LogFile))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return Report{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "No se puede leer el registro de auditoría de «" + dir + "»", Err: err, Hint: "Revise los permisos de la carpeta de datos."}
		}
		return Report{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay registro de auditoría en «" + dir + "»", Hint: "Se empieza con la primera pregunta que se contesta con esta carpeta de datos."}
	}
	defer f.Close()
	return VerifyKeyed(f, dir, key)
}

// VerifyKeyed reads a log from wherever it is kept, with a public key in base64; "" = that of the folder.
func VerifyKeyed(r io.Reader, dir, key string) (Report, error) {
	if key == "" {
		data, err := os.ReadFile(filepath.Join(dir, PublicFile))
		if err != nil {
			return Report{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "Falta la clave pública del registro", Err: err, Hint: "Déla con --key, o restaure «" + PublicFile + "»."}
		}
		key = string(data)
	}
	pub, err := base64.StdEncoding.DecodeString(strings.TrimSpace(key))
	if err != nil || len(pub) != ed25519.PublicKeySize {
		return Report{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "La clave pública del registro no es válida", Hint: "Es la línea de «" + PublicFile + "», en base64."}
	}
	return Verify(r, pub)
}

// Verify reads a log and names its first broken line.
func Verify(r io.Reader, pub ed25519.PublicKey) (Report, error) {
	rep := Report{Key: base64.StdEncoding.EncodeToString(pub), marks: map[int64]string{}}
	prev := ""
	err := eachLine(r, func(n int64, line []byte, whole bool) error {
		if !whole {
			rep.Torn = int64(len(line))
			return nil
		}
		var e Line
		if why := check(&e, line, n, prev, pub); why != "" {
			rep.Broken, rep.Why = n, why
			return errBroken
		}
		rep.Lines, prev = n, sum(line)
		if at := e.At; rep.First == nil {
			rep.First, rep.Last = &at, &at
		} else {
			rep.Last = &at
		}
		if e.Kind == kindCheckpoint {
			rep.Checkpoints++
			rep.Signed, rep.marks[n] = n, e.Fields[fieldSig]
			rep.Checkpoint = strconv.FormatInt(n, 10) + ":" + e.Fields[fieldSig]
		}
		return nil
	})
	if err != nil && !errors.Is(err, errBroken) {
		rep.Broken, rep.Why = rep.Lines+1, digesto.Told(err)
	}
	return rep, nil
}

// check says in Spanish what is wrong with a line; "" = nothing.
func check(e *Line, line []byte, n int64, prev string, pub ed25519.PublicKey) string {
	if err := json.Unmarshal(line, e); err != nil {
		return "no es JSON"
	}
	if e.Seq != n {
		return fmt.Sprintf("lleva el número %d y es la línea %d", e.Seq, n)
	}
	if e.Prev != prev {
		return "no sigue a la línea anterior: una de las dos no es la que se escribió"
	}
	if form, err := json.Marshal(e); err != nil || !bytes.Equal(form, line) {
		return "no está escrita como la escribe el registro"
	}
	if _, has := e.Fields[fieldSig]; e.Kind != kindCheckpoint && !has {
		return ""
	}
	if e.Kind != kindCheckpoint || !e.signedBy(pub) {
		return "no lleva una firma de la clave del registro"
	}
	return ""
}

// signedBy says that a checkpoint bears the signature of a key.
func (e Line) signedBy(pub ed25519.PublicKey) bool {
	what, err := e.signed()
	sig, bad := base64.StdEncoding.DecodeString(e.Fields[fieldSig])
	return err == nil && bad == nil && ed25519.Verify(pub, what, sig)
}
