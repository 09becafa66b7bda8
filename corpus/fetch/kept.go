package fetch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"digesto"
)

// Record says where the bytes of a kept document came from.
type Record struct {
	URL          string    `json:"url"`
	ETag         string    `json:"etag,omitempty"`
	LastModified string    `json:"last_modified,omitempty"`
	Fetched      time.Time `json:"fetched"`
	Size         int64     `json:"size"`
	SHA256       string    `json:"sha256"`
}

// kept is the place of one document in the folder, named by the hash of its
// address: NAME.data and NAME.json when whole, NAME.part while it is coming.
type kept struct{ base string }

func (c *Client) kept(url string) kept {
	sum := sha256.Sum256([]byte(url))
	return kept{filepath.Join(c.opt.Dir, hex.EncodeToString(sum[:16]))}
}

func (k kept) data() string { return k.base + ".data" }
func (k kept) part() string { return k.base + ".part" }

// record reads what is known of the whole document; false if it is not there as
// it was kept.
func (k kept) record() (r Record, ok bool) {
	b, err := os.ReadFile(k.base + ".json")
	if err != nil || json.Unmarshal(b, &r) != nil {
		return Record{}, false
	}
	st, err := os.Stat(k.data())
	return r, err == nil && st.Size() == r.Size
}

// partTag is the validator of the part: without one nothing proves that the rest
// belongs to it, and it is not taken up.
func (k kept) partTag() string {
	b, _ := os.ReadFile(k.base + ".tag")
	return string(b)
}

func (k kept) partSize() int64 {
	st, err := os.Stat(k.part())
	if err != nil || k.partTag() == "" {
		return 0
	}
	return st.Size()
}

// dropPart forgets the part; what cannot be removed is overwritten next time.
func (k kept) dropPart() {
	_ = os.Remove(k.part())
	_ = os.Remove(k.base + ".tag")
}

// openPart opens the part for more, with the validator of what comes.
func (k kept) openPart(h http.Header) (*os.File, error) {
	tag := h.Get("ETag")
	if tag == "" || strings.HasPrefix(tag, "W/") {
		tag = h.Get("Last-Modified")
	}
	flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if k.partTag() == "" {
		flags = os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	}
	if tag != "" {
		if err := os.WriteFile(k.base+".tag", []byte(tag), 0o644); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(k.part(), flags, 0o644)
}

// keep makes the part the document.
func (k kept) keep(r Record) (Record, error) {
	data, err := os.ReadFile(k.part())
	if err != nil {
		return r, err
	}
	sum := sha256.Sum256(data)
	r.Size, r.SHA256 = int64(len(data)), hex.EncodeToString(sum[:])
	b, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	if err := os.Rename(k.part(), k.data()); err != nil {
		return r, err
	}
	_ = os.Remove(k.base + ".tag")
	return r, os.WriteFile(k.base+".json", b, 0o644)
}

// check looks at what came: services answer 200 with a page that says they are
// down, and proxies cut documents without a word.
func check(path, want, contentType string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	body := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if want == "data" {
		if want = "json"; bytes.HasPrefix(body, []byte("<")) {
			want = "xml"
		}
	}
	page := looksHTML(body)
	e := func(msg string) error {
		return &retryable{err: &digesto.Error{Code: digesto.CodeUnavailable, Message: msg, Hint: "El servicio puede estar en mantenimiento: repita la orden más tarde. Lo que había sigue intacto."}}
	}
	switch {
	case len(body) == 0:
		return e("El servicio ha devuelto un documento vacío")
	case page && want != "html" && want != "":
		return e("El servicio ha devuelto una página web en lugar del documento (" + want + ")")
	case want == "xml" && (body[0] != '<' || body[len(body)-1] != '>' || !closed(body)):
		return e("El XML recibido no está entero")
	case want == "json" && !json.Valid(body):
		return e("El JSON recibido no está entero")
	case want == "pdf" && !bytes.HasPrefix(body, []byte("%PDF")):
		return e("Lo recibido no es un PDF (" + contentType + ")")
	case want == "pdf" && !bytes.Contains(body[max(0, len(body)-4096):], []byte("%%EOF")):
		return e("El PDF recibido no está entero")
	}
	return nil
}

func looksHTML(b []byte) bool {
	head := strings.ToLower(string(b[:min(len(b), 512)]))
	return strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html") || strings.Contains(head, "<head>")
}

// closed says that a document ends with the end of its root element.
func closed(b []byte) bool {
	i := 0
	for i < len(b) { // to the root: past declarations and comments
		j := bytes.IndexByte(b[i:], '<')
		if j < 0 || i+j+1 >= len(b) {
			return false
		}
		i += j + 1
		if b[i] != '?' && b[i] != '!' {
			break
		}
	}
	end := i
	for end < len(b) && b[end] != ' ' && b[end] != '>' && b[end] != '/' && b[end] > ' ' {
		end++
	}
	name := string(b[i:end])
	return name != "" && (bytes.HasSuffix(b, []byte("</"+name+">")) || bytes.Count(b, []byte("<")) == 1+bytes.Count(b, []byte("<?")) && bytes.HasSuffix(b, []byte("/>")))
}
