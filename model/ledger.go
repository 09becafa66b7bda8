package model

import (
	"context"
	"encoding/json"

	"digesto"
)

// Ledger keeps allowances for several processes. Exchange changes the value of that
// name alone: do gets what stands there ("" = nothing yet) and gives what shall. do
// may run more than once; an error of it changes nothing.
type Ledger interface {
	Exchange(ctx context.Context, name string, do func(old string) (string, error)) error
}

// exchange changes what a ledger has under a name; fresh makes it where there is nothing.
func exchange[T any](ctx context.Context, l Ledger, name string, fresh func() T, do func(*T)) error {
	return l.Exchange(ctx, name, func(old string) (string, error) {
		v := fresh()
		if old != "" {
			if err := json.Unmarshal([]byte(old), &v); err != nil {
				return "", &digesto.Error{Code: digesto.CodeInternal, Message: "Lo gastado en modelos que hay en la base no se entiende",
					Hint: "Lo escribió otra versión, o alguien lo cambió: borre la fila «" + name + "» de la tabla «registers».", Err: err}
			}
		}
		do(&v)
		raw, err := json.Marshal(v)
		return string(raw), err
	})
}
