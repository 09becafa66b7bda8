package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
)

var examText = ExamUnit{ID: "PUERTO:a7", Headings: "Ordenanza de puertos. Artículo 7. Permisos del muelle", Score: 1, Body: `1. La tasa de amarre se paga cada tres meses al encargado del muelle.
2. El permiso de faro lo concede el consejo de puertos y dura cuatro años.
3. El patrón mayor firma las guías de pesca, lleva el libro de barcas y cierra el puerto con temporal.`}

var examOther = ExamUnit{ID: "PUERTO:a8", Headings: "Ordenanza de puertos. Artículo 8. Lonja", Score: .4, Body: "La lonja abre a las cinco y cierra a las nueve. Los peces se pesan dos veces."}

func examOf(t *testing.T, q ExamQuestion) ExamLine {
	t.Helper()
	var out bytes.Buffer
	opt := ExamOptions{Out: &out, Find: func(context.Context, string, string, int) ([]ExamUnit, error) {
		return []ExamUnit{examText, examOther}, nil
	}}
	if _, err := Exam(t.Context(), []ExamQuestion{q}, opt); err != nil {
		t.Fatal(err)
	}
	var l ExamLine
	if err := json.Unmarshal(out.Bytes(), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestExamChoices(t *testing.T) {
	for _, c := range []struct {
		name, question string
		options        []string
		correct        int
	}{
		{"one figure", "Según la ordenanza, el permiso de faro dura:", []string{"Dos años.", "Tres años.", "Cuatro años.", "Cuatro meses."}, 2},
		{"one body", "El permiso de faro lo concede:", []string{"El patrón mayor.", "El consejo de puertos.", "El encargado del muelle.", "La lonja."}, 1},
		{"one negation", "Sobre la tasa de amarre, señale la correcta:", []string{"No se paga cada tres meses.", "Se paga cada tres meses al encargado del muelle.", "Se paga cada tres años.", "No se paga al encargado."}, 1},
		{"incorrect one", "Señale la incorrecta sobre el patrón mayor:", []string{"Firma las guías de pesca.", "Lleva el libro de barcas.", "Concede el permiso de faro de la capital.", "Cierra el puerto con temporal."}, 2},
		{"all of them", "El patrón mayor:", []string{"Firma las guías de pesca.", "Lleva el libro de barcas.", "Cierra el puerto con temporal.", "Todas son correctas."}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := examOf(t, ExamQuestion{ID: "1", Question: c.question, Options: c.options, Correct: c.correct})
			if l.Chosen != c.correct {
				t.Errorf("chose %d (%s), want %d: %+v", l.Chosen, l.Quote, c.correct, l.Options)
			}
			if l.Quote == "" || !strings.Contains(examText.Body+examOther.Body, l.Quote) {
				t.Errorf("the words that decide are not from the text: %q", l.Quote)
			}
		})
	}
}

func TestExamAbstains(t *testing.T) {
	l := examOf(t, ExamQuestion{ID: "1", Question: "¿Qué órbita tiene el cometa?", Options: []string{"Elíptica.", "Parabólica.", "Hiperbólica.", "Circular."}, Correct: 0})
	if l.Chosen != -1 {
		t.Errorf("chose %d without any evidence", l.Chosen)
	}
}

func TestExamScore(t *testing.T) {
	tally := &examTally{}
	tally.add(ExamLine{Chosen: 1, Right: true}, 4)
	tally.add(ExamLine{Chosen: 2}, 4)
	tally.add(ExamLine{Chosen: -1}, 4)
	m := tally.metrics()
	if math.Abs(m.Score-(1-1./3)/3) > 1e-4 || m.Accuracy != .3333 || m.Answered != .6667 || m.Precision != .5 {
		t.Errorf("%+v", m)
	}
}

func TestExamBadFiles(t *testing.T) {
	for name, data := range map[string]string{
		"not JSON": "{", "no options": `{"id":"1","question":"¿?","options":["a"],"correct":0}`, "correct out of range": `{"id":"1","question":"¿?","options":["a","b"],"correct":2}`, "empty": "\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "q.jsonl")
			if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			var e *digesto.Error
			if _, err := ReadExam(path); !errors.As(err, &e) || e.Code != digesto.CodeInvalid || e.Hint == "" {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := ReadExam(filepath.Join(t.TempDir(), "no")); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("%v", err)
	}
}

func TestInverted(t *testing.T) {
	for q, want := range map[string]bool{
		"Señale la respuesta incorrecta:": true, "¿Cuál de las siguientes NO es una tasa?": true, "¿Cuál de los siguientes no requiere permiso?": true, "señale la FALSA": true,
		"El que no pague la tasa:": false, "Señale la correcta:": false, "Son tasas todas las siguientes, excepto:": true,
	} {
		if inverted(q) != want {
			t.Errorf("%q", q)
		}
	}
}
