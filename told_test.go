package digesto_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"testing"

	"digesto"
)

func TestTold(t *testing.T) {
	_, missing := os.Open("no-hay-tal-fichero")
	_, folder := os.ReadFile(".")
	var n int
	_, port := net.Listen("tcp", "nada")
	_, high := net.Listen("tcp", "127.0.0.1:99999")
	for want, err := range map[string]error{
		"x: no existe":                         missing,
		"x: es una carpeta":                    folder,
		"x: no es JSON (carácter 1)":           json.Unmarshal([]byte("x"), &n),
		"x: no es JSON (carácter 2)":           fmt.Errorf("wrapped: %w", json.Unmarshal([]byte("[x"), &n)),
		"x: falta el puerto":                   port,
		"x: no es una dirección con su puerto": high,
		"x: la ficha: no hay permiso":          fmt.Errorf("w: %w", &digesto.Error{Message: "la ficha", Err: fs.ErrPermission}),
		"x":                                    errors.New("something else"),
		"x: el valor de «n» no es del tipo que se espera": json.Unmarshal([]byte(`{"n":"a"}`), &struct {
			N int `json:"n"`
		}{}),
	} {
		if got := digesto.Told(&digesto.Error{Message: "x", Err: err}); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
	if got := digesto.Told(&digesto.Error{Message: "sola"}); got != "sola" {
		t.Error(got)
	}
}
