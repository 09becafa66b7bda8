package ask

import (
	"unicode/utf8"

	"digesto"
	"digesto/verify"
	"digesto/write"
)

// tones are the ways to word an answer beside the pack's own, each with what
// stands before it.
var tones = map[string]string{
	"":              "",
	"formal":        "En respuesta a su consulta, el texto aplicable dispone lo siguiente.\n\n",
	"academico":     "Sobre la cuestión planteada, la fuente normativa que se cita establece lo que sigue.\n\n",
	"conciso":       "",
	write.PlainTone: "",
}

// checkTone refuses a tone that there is not.
func checkTone(tone string) error {
	if _, ok := tones[toneKey(tone)]; ok {
		return nil
	}
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "No existe el tono «" + tone + "»", Hint: "Use «sencillo», «formal», «academico», «conciso» o ninguno."}
}

func toneKey(tone string) string {
	if tone == "académico" || tone == "default" {
		return map[string]string{"académico": "academico", "default": ""}[tone]
	}
	return tone
}

// toned words an extracted answer in the tone asked for. Quotations and
// citations stay as they are: a tone frames them, or leaves out the line of the
// source, which the citations carry.
func toned(d write.Draft) write.Draft {
	if d.End != nil || d.Mode == write.ModeModel || len(d.Citations) == 0 {
		return d
	}
	switch tone := toneKey(d.Q.Tone); tone {
	case write.PlainTone:
		return d.Plainly()
	case "conciso":
		if kept := write.WithoutSources(d.Answer); kept != "" {
			d.Answer = kept
		}
	default:
		if lead := tones[tone]; utf8.RuneCountInString(lead+d.Answer) <= verify.MaxAnswer {
			d.Answer = lead + d.Answer
		}
	}
	return d
}
