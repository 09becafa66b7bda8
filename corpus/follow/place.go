package follow

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"digesto"
)

// Place is where law is published. A name is that of a file, without folders.
type Place interface {
	// Get opens what has a name; CodeNotFound when nothing has.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// Put makes the bytes of a reader what has a name; readers see all of it or what was there before.
	Put(ctx context.Context, name string, r io.Reader, size int64) error
	// String is the address without passwords.
	String() string
}

// Access is how places that are not folders are reached.
type Access struct {
	// Transport carries the requests; nil = http.DefaultTransport.
	Transport http.RoundTripper
	// Env gives the variables of the environment in which the keys of a bucket are looked
	// for (AWS_ACCESS_KEY_ID and its kin); nil = none.
	Env func(name string) (string, bool)
}

// Open gives the place at an address: http(s)://HOST/FOLDER, s3://BUCKET/PREFIX, or a folder.
func Open(address string, by Access) (Place, error) {
	u, err := url.Parse(address)
	switch {
	case err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "":
		return newWeb(u, by), nil
	case err == nil && u.Scheme == "s3" && u.Host != "":
		return newBucket(u, by)
	case strings.Contains(address, "://") && !strings.HasPrefix(address, "file://"), address == "":
		return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "No se sabe tomar la ley de esa dirección", Hint: "Use una carpeta, https://SERVIDOR/CARPETA o s3://CUBO/PREFIJO?endpoint=https://SERVIDOR."}
	}
	return folder(strings.TrimPrefix(address, "file://")), nil
}

// folder is a place on the disk, perhaps one that machines share.
type folder string

func (f folder) String() string { return string(f) }

func (f folder) Get(_ context.Context, name string) (io.ReadCloser, error) {
	file, err := os.Open(filepath.Join(string(f), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, absent(name, err)
	}
	if err != nil {
		return nil, unreachable(err)
	}
	return file, nil
}

func (f folder) Put(_ context.Context, name string, r io.Reader, _ int64) error {
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return unwritable(f, err)
	}
	if err := write(filepath.Join(string(f), name), r); err != nil {
		return unwritable(f, err)
	}
	return nil
}

// write makes a file safe beside its place before it gets its name. What one that was
// killed left there is written over.
func write(path string, r io.Reader) error {
	tmp, err := os.Create(path + ".tmp")
	if err != nil {
		return err
	}
	_, err = io.Copy(tmp, r)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		_ = os.Remove(tmp.Name())
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// small reads what must be short.
func small(ctx context.Context, p Place, name string, most int64) ([]byte, error) {
	r, err := p.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var b bytes.Buffer
	if n, err := io.Copy(&b, io.LimitReader(r, most+1)); err != nil {
		return nil, unreachable(err)
	} else if n > most {
		return nil, broken("«"+name+"» es más largo de lo que puede ser", nil)
	}
	return b.Bytes(), nil
}

func absent(name string, err error) error {
	return &digesto.Error{Code: digesto.CodeNotFound, Message: "Donde se publica la ley no está «" + name + "»", Err: err, Hint: "Publíquela con «digesto corpus publish»."}
}

func unreachable(err error) error {
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "No se puede leer donde se publica la ley", Err: err, Hint: "Compruebe la dirección, la red y los permisos; se vuelve a intentar."}
}

func unwritable(p Place, err error) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "No se puede publicar en «" + p.String() + "»", Err: err, Hint: "Compruebe la dirección y los permisos."}
}

func broken(what string, err error) error {
	return &digesto.Error{Code: digesto.CodeCheck, Message: "Lo publicado no se puede servir: " + what, Err: err, Hint: "Publíquelo de nuevo; mientras, se sirve la ley que había."}
}
