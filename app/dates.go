package app

import (
	"fmt"
	"time"

	"digesto"
	"digesto/text/figure"
)

// ParseDate checks a date written as AAAA-MM-DD or 31/12/2025; "" stays "".
func ParseDate(flag, s string) (digesto.Date, error) {
	if s = figure.WrittenDay(s); s == "" {
		return "", nil
	}
	if t, err := time.Parse(time.DateOnly, s); err != nil || t.Format(time.DateOnly) != s {
		return "", &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("la fecha de %s no es válida: «%s»", flag, s),
			Hint: "escríbala como 01/03/2026 o como AAAA-MM-DD"}
	}
	return digesto.Date(s), nil
}
