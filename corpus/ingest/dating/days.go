package dating

import (
	"fmt"
	"strconv"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
)

var (
	dateWords  = lazyregexp.New(`(\d{1,2})(?:\.?[º°])? (?:de )?(enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre) (?:de |del )?(?:ano )?(\d{4})`)
	dateDigits = lazyregexp.New(`\b(\d{1,2})[/-](\d{1,2})[/-](\d{4})\b`)
)

// DateIn reads the first date of a folded text.
func DateIn(f string) digesto.Date {
	w, d := dateWords.FindStringSubmatchIndex(f), dateDigits.FindStringSubmatchIndex(f)
	if w != nil && (d == nil || w[0] <= d[0]) {
		m := dateWords.FindStringSubmatch(f)
		return isoOf(m[3], text.Months[m[2]], m[1])
	}
	if d != nil {
		m := dateDigits.FindStringSubmatch(f)
		month, _ := strconv.Atoi(m[2])
		return isoOf(m[3], month, m[1])
	}
	return ""
}

func isoOf(year string, month int, day string) digesto.Date {
	d, _ := strconv.Atoi(day)
	y, _ := strconv.Atoi(year)
	if month < 1 || month > 12 || d < 1 || d > 31 || y < 1800 || y > 2100 {
		return ""
	}
	return digesto.Date(fmt.Sprintf("%04d-%02d-%02d", y, month, d))
}
