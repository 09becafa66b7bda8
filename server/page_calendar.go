package server

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digesto"
)

// lastDay is how a calculation says the last day of a term.
var lastDay = regexp.MustCompile(`^Último día: (\d{1,2}) de (\p{Ll}+) de (\d{4})$`)

// deadline is the last day that the steps of a calculation give; "" = none.
func deadline(steps []digesto.Step) digesto.Date {
	for _, s := range steps {
		m := lastDay.FindStringSubmatch(s.Text)
		if m == nil {
			continue
		}
		month := slices.Index(months[:], m[2]) + 1
		day, _ := strconv.Atoi(m[1])
		year, _ := strconv.Atoi(m[3])
		if month > 0 {
			return digesto.Date(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
		}
	}
	return ""
}

// CalendarURL is the address of a day as a file for calendars.
func CalendarURL(day digesto.Date, about string) string {
	return "/calendario?" + url.Values{"dia": {string(day)}, "asunto": {about}}.Encode()
}

// getCalendar gives a day as a file for calendars (RFC 5545), with a warning three days before.
func (s *Server) getCalendar(w http.ResponseWriter, r *http.Request) {
	day, err := time.Parse(time.DateOnly, r.FormValue("dia"))
	about := short(strings.TrimSpace(strings.ToValidUTF8(r.FormValue("asunto"), "")))
	if err != nil || about == "" {
		s.fail(w, r, invalid("No se entiende qué día es, o de qué", "Vuelva a la página de la que viene."))
		return
	}
	sum := sha256.Sum256([]byte(about))
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Digesto//ES", "BEGIN:VEVENT", "UID:" + day.Format("20060102") + "-" + hex.EncodeToString(sum[:6]) + "@digesto",
		"DTSTAMP:" + s.opt.Clock().UTC().Format("20060102T150405Z"), "DTSTART;VALUE=DATE:" + day.Format("20060102"), "DTEND;VALUE=DATE:" + day.AddDate(0, 0, 1).Format("20060102"),
		"SUMMARY:" + inCalendar("Último día: "+about), "DESCRIPTION:" + inCalendar("Calculado por Digesto con los datos que se le dieron. Compruébelo con un profesional antes de que venza."),
		"BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-P3D", "DESCRIPTION:" + inCalendar("Quedan tres días: "+about), "END:VALARM", "END:VEVENT", "END:VCALENDAR"}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="plazo-`+day.Format(time.DateOnly)+`.ics"`)
	for _, l := range lines {
		_, _ = w.Write([]byte(folded(l) + "\r\n"))
	}
}

// inCalendar writes a text as the value of a property.
func inCalendar(s string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r", "", "\n", `\n`).Replace(s)
}

// folded breaks a line longer than 75 octets, between characters.
func folded(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n += utf8.RuneLen(r); n > 73 {
			b.WriteString("\r\n ")
			n = 1 + utf8.RuneLen(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
