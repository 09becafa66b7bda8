package text

import (
	"strconv"
	"time"
)

// MonthNames are the months in order.
var MonthNames = [...]string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"}

// Months gives the number of a month by its folded name.
var Months = map[string]int{"enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7, "agosto": 8,
	"septiembre": 9, "setiembre": 9, "octubre": 10, "noviembre": 11, "diciembre": 12}

// LongDay writes a day: "1 de diciembre de 2026".
func LongDay(t time.Time) string {
	return strconv.Itoa(t.Day()) + " de " + MonthNames[t.Month()-1] + " de " + strconv.Itoa(t.Year())
}
