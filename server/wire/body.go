package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Decode reads the JSON body of a request into v: valid UTF-8, one value, no
// field that v does not have, every field that v cannot be without. Handlers of routes
// use it; their bodies are bounded by the server.
func Decode(r *http.Request, v any) error {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return Invalid("el cuerpo de la petición no se anuncia como JSON", "envíe la cabecera «Content-Type: application/json»")
	}
	data, err := readAll(r)
	if err != nil {
		return BodyError(err)
	}
	if err := DecodeBytes(data, v); err != nil {
		return err
	}
	return complete(data, v)
}

// DecodeLoosely is [Decode] but for fields that are not known: clients send
// many that steer a language model.
func DecodeLoosely(r *http.Request, v any) error {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return Invalid("el cuerpo de la petición no se anuncia como JSON", "envíe la cabecera «Content-Type: application/json»")
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return BodyError(err)
	}
	if !utf8.Valid(data) {
		return Invalid("el cuerpo de la petición no es UTF-8 válido", "envíe el texto codificado en UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(v); err != nil {
		return jsonError(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Invalid("el cuerpo de la petición trae más de un valor JSON", "envíe un solo objeto")
	}
	return nil
}

// complete says which field of v a body does not have though it must, or has by a name
// that differs in its capitals: the decoder lets both pass.
func complete(data []byte, v any) error {
	t := reflect.TypeOf(v).Elem()
	if t.Kind() != reflect.Struct {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return jsonError(err)
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" {
			continue
		}
		value, there := given[cmp.Or(name, f.Name)]
		if name != "" && (!there || string(value) == "null") && !strings.Contains(options, "omit") {
			return Invalid("falta el campo «"+name+"»", formOfFields)
		}
		delete(given, cmp.Or(name, f.Name))
	}
	for name := range given {
		return unknownField(name)
	}
	return nil
}

const formOfFields = "los campos y sus tipos están en la documentación de la API"

func unknownField(name string) error { return Invalid("no existe el campo «"+name+"»", formOfFields) }

// announcedMost bounds what is made ready for a body on its sender's word, in bytes.
const announcedMost = 4 << 20

// readAll reads a body into room of the length that its sender announces.
func readAll(r *http.Request) ([]byte, error) {
	var b bytes.Buffer
	if n := r.ContentLength; n > 0 && n <= announcedMost {
		b.Grow(int(n) + bytes.MinRead) // ReadFrom wants that much free at the end
	}
	_, err := b.ReadFrom(r.Body)
	return b.Bytes(), err
}

// DecodeBytes reads one JSON value into v by the rules of [Decode].
func DecodeBytes(data []byte, v any) error {
	if !utf8.Valid(data) {
		return Invalid("el cuerpo de la petición no es UTF-8 válido", "envíe el texto codificado en UTF-8")
	}
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) { // would leave v as it is
		return Invalid("el cuerpo de la petición es null", "envíe un objeto JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return jsonError(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Invalid("el cuerpo de la petición trae más de un valor JSON", "envíe un solo objeto")
	}
	return nil
}

// Form reads the form that a request brings.
func Form(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return BodyError(err)
	}
	return nil
}

// jsonError says in Spanish what is wrong with a JSON body.
func jsonError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return Invalid("no es un objeto JSON", formOfFields)
	case errors.As(err, &kind):
		return Invalid(fmt.Sprintf("el campo «%s» no es del tipo que se espera", wireName(kind.Field)), formOfFields)
	case errors.As(err, &syntax):
		return Invalid(fmt.Sprintf("el JSON no es válido cerca del byte %d", syntax.Offset), "revise comillas, comas y llaves")
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return unknownField(strings.Trim(strings.TrimPrefix(err.Error(), "json: unknown field "), `"`))
	}
	return Invalid("el JSON está vacío o incompleto", "envíe un objeto JSON")
}

// wireName is the name of a field as it is on the wire: the decoder puts those of
// embedded structs before it, and only they have capitals.
func wireName(field string) string {
	parts := strings.Split(field, ".")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return strings.ToLower(p) != p }), ".")
}
