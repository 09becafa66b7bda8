package store

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digesto"
	"digesto/text"
)

// TypeKey is the key of the type of a message in its metadata.
const TypeKey = "message_type"

// NewID makes an id that cannot be guessed: 128 bits, base 32.
func NewID() string { return strings.ToLower(rand.Text()) }

// OrderedID is an id that cannot be guessed either, after the minute in which it was made:
// what is stored together stands together, and a write touches few pages.
func OrderedID(now time.Time) string {
	var minute [5]byte
	v := uint64(max(now.Unix(), 0)) / 60
	for i := range minute {
		minute[len(minute)-1-i] = byte(v >> (8 * i))
	}
	return strings.ToLower(base32.HexEncoding.EncodeToString(minute[:]))[2:] + NewID()
}

// HashKey is how an API key is stored.
func HashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// NoKey says that there is no such API key.
func NoKey() error {
	return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ninguna clave con ese identificador", Hint: "Las que hay: «digesto keys list»."}
}

// apart is a copy that shares nothing.
func (k Key) apart() Key {
	k.Scopes = append([]string{}, k.Scopes...)
	if k.Expires != nil {
		t := k.Expires.UTC().Truncate(time.Millisecond)
		k.Expires = &t
	}
	return k
}

// Type is the type of the message: "" for the user's.
func (m Metadata) Type() string { return m.Text(TypeKey) }

// Text gives a value that is a string, "" otherwise.
func (m Metadata) Text(key string) string {
	var s string
	if json.Unmarshal(m[key], &s) != nil {
		return ""
	}
	return s
}

// Set puts a value under a key.
func (m Metadata) Set(key string, v any) error {
	raw, err := json.Marshal(v)
	if err == nil {
		m[key] = raw
	}
	return err
}

// titleMax bounds a title, in code points.
const titleMax = 80

// Title makes the title of a conversation from its first question: its first
// line, cut at a word.
func Title(question string) string {
	s := strings.Join(strings.Fields(question), " ")
	if utf8.RuneCountInString(s) <= titleMax {
		return s
	}
	r := []rune(s)[:titleMax]
	cut := strings.LastIndexByte(string(r), ' ')
	if cut < len(string(r))/2 {
		return string(r) + "…"
	}
	return strings.TrimRight(string(r)[:cut], " ,;:.¿¡") + "…"
}

// CheckTitle refuses a title that would not do and trims the one that does.
func CheckTitle(title string) (string, error) {
	title = strings.Join(strings.Fields(strings.ToValidUTF8(title, " ")), " ")
	if title == "" || utf8.RuneCountInString(title) > 200 {
		return "", &digesto.Error{Code: digesto.CodeInvalid, Message: "El título está vacío o pasa de 200 caracteres", Hint: "Escriba un título de 1 a 200 caracteres."}
	}
	return title, nil
}

// SearchWords are the words of a search, folded: each must stand in the title or in a message.
func SearchWords(search string) []string {
	var out []string
	for _, w := range strings.Fields(search) {
		if f := text.Fold(w); f != "" {
			out = append(out, f)
		}
	}
	return out
}

// LimitOf is the size of a page.
func (q ListQuery) LimitOf() int {
	if q.Limit <= 0 {
		return 20
	}
	return min(q.Limit, 100)
}

// CursorOf and At write and read the cursor of a list: the place of its last row.
func CursorOf(at int64) string {
	return base64.RawURLEncoding.EncodeToString([]byte("v1:" + strconv.FormatInt(at, 36)))
}

// At reads a cursor; 0 for none. A cursor that this program did not write is CodeInvalid.
func (q ListQuery) At() (int64, error) {
	if q.Cursor == "" {
		return 0, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	s, ok := strings.CutPrefix(string(raw), "v1:")
	n, nerr := strconv.ParseInt(s, 36, 64)
	if err != nil || !ok || nerr != nil || n <= 0 {
		return 0, &digesto.Error{Code: digesto.CodeInvalid, Message: "El cursor de la lista no es válido", Hint: "Use el «next_cursor» de la página anterior, o ninguno."}
	}
	return n, nil
}

// NotFound is the error for a conversation that is not there, or not this user's.
func NotFound(id string) error {
	if r := []rune(id); len(r) > 40 {
		id = string(r[:40]) + "…"
	}
	return &digesto.Error{Code: digesto.CodeNotFound, Message: "No existe la conversación «" + id + "»", Hint: "Haga la pregunta completa, sin «session_id»."}
}

// NoMessage is the error for a message that is not there.
func NoMessage(seq int64) error {
	return &digesto.Error{Code: digesto.CodeNotFound, Message: "No existe el mensaje " + strconv.FormatInt(seq, 10), Hint: "Mire los mensajes de la conversación y use su «seq»."}
}

// OtherText is the error for a key that came before with another question.
func OtherText() error {
	return &digesto.Error{Code: digesto.CodeConflict, Message: "La clave de idempotencia ya se usó con otra pregunta", Hint: "Use una clave nueva para cada pregunta."}
}

// CheckFeedback refuses a rating other than -1, 0 or 1 and a long comment.
func CheckFeedback(f Feedback) error {
	if f.Rating < -1 || f.Rating > 1 || utf8.RuneCountInString(f.Comment) > 2000 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "La valoración no es válida", Hint: "«rating» es 1, 0 o -1; «comment», de hasta 2000 caracteres."}
	}
	return nil
}
