package app

import (
	"errors"

	"digesto"
)

// Advised is an error with what to do next, in one line.
func Advised(err error) string {
	var e *digesto.Error
	if errors.As(err, &e) {
		return digesto.Told(e) + ". " + Capital(e.Next())
	}
	return digesto.Told(err)
}
