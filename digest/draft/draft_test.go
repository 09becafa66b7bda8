package draft

import (
	"encoding/json"
	"strings"
	"testing"

	"digesto/digest"
	"digesto/model"
	"digesto/model/modeltest"
)

const unitText = "El farero tendrá derecho a un descanso anual de treinta días naturales. El descanso no podrá sustituirse por dinero, salvo que el contrato termine antes."

func answer(entries ...map[string]any) string {
	raw, _ := json.Marshal(map[string]any{"entries": entries})
	return string(raw)
}

func entry(text, words string) map[string]any {
	return map[string]any{"text": text, "words": words, "short": "¿Cuánto descansa un farero al año?",
		"street": []string{"cuantas vacaciones tengo en el faro", "me tocan vacaciones cuidando el faro?"},
		"told":   []string{"Llevo dos inviernos solo en la isla y nadie me releva. ¿Puedo parar?", "Mi padre cuida la linterna del puerto y este agosto no le dan fiesta."}}
}

// TestWrite keeps what stands beside the text and refuses the rest with its reason: words
// that are not there, a figure that is not there, an answer that is no JSON.
func TestWrite(t *testing.T) {
	good := entry("Cada año corresponden treinta días de descanso a quien cuida el faro.", "un descanso anual de treinta días naturales")
	for _, x := range []struct {
		name, said    string
		kept, refused int
	}{
		{"good", answer(good), 1, 0},
		{"in prose", "Aquí está:\n```json\n" + answer(good) + "\n```", 1, 0},
		{"other words", answer(entry("Hay descanso cada año.", "un descanso de cuarenta días")), 0, 1},
		{"a figure of its own", answer(entry("Cada año corresponden 45 días.", "un descanso anual de treinta días naturales")), 0, 1},
		{"one of two", answer(good, map[string]any{"text": "No se paga.", "words": "no podrá sustituirse por dinero", "short": "¿Se paga?", "street": []string{}, "told": []string{}}), 1, 2},
		{"nothing asked", answer(), 0, 0},
		{"no JSON", "No puedo hacerlo.", 0, 1},
	} {
		g := modeltest.New(modeltest.Script{Pieces: []string{x.said}, Usage: &model.Usage{Prompt: 7, Completion: 3}})
		w, err := Write(t.Context(), g, Unit{Norm: "LEY-3", ID: "a4", Title: "Ley de faros", Label: "Artículo 4", Text: unitText, Where: "la costa"})
		if err != nil || len(w.Entries) != x.kept || len(w.Refused) != x.refused || w.Usage.Prompt != 7 {
			t.Errorf("%s: %v: %d kept, refused %v", x.name, err, len(w.Entries), w.Refused)
		}
		if asked := g.Requests()[0].Messages[0].Text; !strings.Contains(asked, unitText) || !strings.Contains(asked, "la costa") {
			t.Errorf("%s: the model was not shown the unit: %s", x.name, asked)
		}
		for _, e := range w.Entries { // what is written is read again
			f, bad := digest.Parse("x", "norm: LEY-3\n\n"+e.Format())
			if len(bad) > 0 || len(f.Entries) != 1 || f.Entries[0].Text != e.Text || len(f.Entries[0].Asks) != len(e.Asks) {
				t.Errorf("%s: %v %+v", x.name, bad, f)
			}
		}
	}
	if _, err := Write(t.Context(), modeltest.New(modeltest.Script{Fault: modeltest.FaultStatus, Status: 500}), Unit{Text: unitText}); err == nil {
		t.Error("a model that fails is no error")
	}
}
