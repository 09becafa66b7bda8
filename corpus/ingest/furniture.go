package ingest

import (
	"regexp"
	"strings"

	"digesto/text"
)

// furniture recognises what a publisher puts around a law.
func furniture(l Line) bool {
	s := strings.TrimLeft(l.Text, "*_->•[ ")
	if s == "" {
		return true
	}
	f := text.Fold(clip(s, 200))
	for _, p := range []string{"compartimos con ustedes", "compartimos contigo", "descargue ", "descarga ", "descargar ", "clic aqui", "click aqui", "haga clic", "lea tambien", "lee tambien", "mira tambien", "vea tambien",
		"suscribete", "siguenos", "inscribete", "para ubicar de manera rapida", "presione control", "mas informacion", "comparte", "comentarios", "por lp", "buscar", "iniciar sesion", "ingresar", "menu", "whatsapp", "facebook", "twitter", "telegram", "publicidad", "volver al", "imprimir",
		"la ultima modificacion se produjo", "la penultima modificacion", "ultima actualizacion"} {
		if strings.HasPrefix(f, p) {
			return true
		}
	}
	return strings.Contains(f, "control+f")
}

var closingStart = regexp.MustCompile(`^(Dad[oa] en |DAD[OA] EN |Por tanto[,:.]|POR TANTO|Por lo tanto mando|Mando a todos |Comuníquese al señor|COMUN[IÍ]QUESE AL |Regístrese, |REG[IÍ]STRESE|—? ?REGISTRADA? BAJO|En Lima, a los|Lima, \d|Madrid, (a )?\d{1,2} de|[A-ZÁÉÍÓÚ][a-záéíóúñ ]{2,30}, (a )?\d{1,2} de [a-z]+ de \d{4}\.?$)`)

// closing says whether a line belongs to the closing formula of a norm (date,
// signatures), which begins with a fixed form and runs to the next heading.
func (b *builder) closing(d *draft, l Line) bool {
	if d.closed {
		return true
	}
	k := d.unit.Kind
	if k == "pr" || k == "an" || k == "s" || !closingStart.MatchString(l.Text) {
		return false
	}
	d.closed = true
	return true
}

var noteMarks = regexp.MustCompile(`\s*\((?:\*{1,4}|\d{1,3})\)`)

// cutNoteMarks drops footnote calls: "(*)" anywhere, "(12)" only where it
// cannot be a figure: at the end, or glued to a word or full stop.
func cutNoteMarks(s string) (string, bool) {
	if strings.IndexByte(s, '(') < 0 {
		return s, false
	}
	out := noteMarks.ReplaceAllStringFunc(s, func(m string) string {
		if strings.Contains(m, "*") {
			return ""
		}
		return m
	})
	return out, out != s
}

// repealedText says whether a unit's text only tells that it no longer holds.
func repealedText(body, rubric string, notes []string) bool {
	if repealMark.MatchString(body) && len(body) < 400 && !strings.Contains(body, "\n") {
		return true
	}
	if body != "" && body == rubric || len(body) < 30 {
		for _, n := range notes {
			if repealNote.MatchString(text.Fold(clip(n, 200))) {
				return true
			}
		}
	}
	if len(body) < 600 && !strings.Contains(body, "\n") && isNote(Line{Text: body}) && repealNote.MatchString(text.Fold(clip(body, 300))) {
		return true
	}
	return false
}

var repealNote = regexp.MustCompile(`^[\s(*_"]*(?:se )?(?:(?:el |los )?(?:articulo|art\.?|articulos|disposicion|norma)\s*[^,.;]{0,40}\s)?(?:derogad|derog|suprimid|suprime|abrogad|se deja sin contenido|queda derogad|dejad[oa] sin efecto)`)
