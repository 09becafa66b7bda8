package server

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"digesto/server/wire"
)

// getCalendar gives a day as a file for calendars (RFC 5545), with a warning three days before.
func (s *Server) getCalendar(w http.ResponseWriter, r *http.Request) {
	day, err := time.Parse(time.DateOnly, r.FormValue("dia"))
	about := wire.Short(strings.TrimSpace(strings.ToValidUTF8(r.FormValue("asunto"), "")))
	if err != nil || about == "" {
		s.fail(w, r, wire.Invalid("No se entiende qué día es, o de qué", "Vuelva a la página de la que viene."))
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
