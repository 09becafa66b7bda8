package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
	"digesto/model/modeltest"
)

// TestCorpusAsks: the user's model writes the questions of an installed norm; what does
// not stand is told, what was done is not done again, and a story that shares hardly a
// word with the article leads there.
func TestCorpusAsks(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	law := filepath.Join(dir, "ley-9.md")
	if err := os.WriteFile(law, []byte("# Ley 9/2020, de 3 de mayo, de Colmenas\n\n## Artículo 1. Distancia\n\nLas colmenas se instalarán a una distancia mínima de doscientos metros de las viviendas.\n\n## Artículo 2. Vigencia\n\nEsta ley rige desde el 1 de enero de 2021.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(vars map[string]string, args ...string) (string, int) {
		t.Helper()
		vars["DIGESTO_DATA"] = data
		e, out, errs := testEnv(vars)
		code := run(context.Background(), args, e)
		return out.String() + errs.String(), code
	}
	if out, code := run(map[string]string{}, "corpus", "add", law, "--pack", "laboral"); code != 0 {
		t.Fatal(out)
	}
	id := "ley-9"
	if out, code := run(map[string]string{}, "corpus", "asks", id); code == 0 || !strings.Contains(out, "modelo") {
		t.Errorf("without a model: %d %s", code, out)
	}
	entry := func(words string) string {
		raw, _ := json.Marshal(map[string]any{"entries": []any{map[string]any{"text": "Hay que dejar doscientos metros hasta las casas.", "words": words, "short": "¿A cuánto de una casa se pueden poner abejas?",
			"street": []string{"el vecino me ha puesto bichos de miel al lado de la ventana", "puedo tener abejas en mi huerto pegado al pueblo?"},
			"told":   []string{"Mi cuñado quiere montar un colmenar detrás de mi terraza y tengo un crío alérgico.", "Compré seis cajas de abejas y el de enfrente dice que me las quite."}}}})
		return string(raw)
	}
	s := modeltest.NewServer(t, modeltest.Script{Pieces: []string{entry("una distancia mínima de doscientos metros")}}, modeltest.Script{Pieces: []string{entry("palabras que nadie escribió nunca")}})
	model := func() map[string]string {
		return map[string]string{"DIGESTO_MODEL_WRITER_PROVIDER": "openai", "DIGESTO_MODEL_WRITER_URL": s.URL + "/v1", "DIGESTO_MODEL_WRITER_NAME": "m", "DIGESTO_MODEL_WRITER_KEY": "k"}
	}
	out, code := run(model(), "corpus", "asks", id)
	if code != 0 || !strings.Contains(out, "2 unidades leídas, 1 entradas con 5 preguntas") || !strings.Contains(out, "no aceptada") {
		t.Fatalf("%d %s", code, out)
	}
	if out, code := run(model(), "corpus", "asks", id); code != 0 || !strings.Contains(out, "0 unidades leídas") {
		t.Errorf("again: %d %s", code, out)
	}
	if out, _ := run(map[string]string{}, "corpus", "asks"); !strings.Contains(out, id+": 1 entradas") {
		t.Errorf("what there is: %s", out)
	}
	e, answer, _ := testEnv(map[string]string{"DIGESTO_DATA": data})
	_ = runAsk(e, "Mi cuñado quiere poner un colmenar con abejas detrás de mi terraza y tengo un niño alérgico, ¿puede?")
	var a digesto.Answer
	if err := json.Unmarshal(answer.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	quoted := ""
	for _, c := range a.Citations {
		quoted += c.Quote
	}
	for _, r := range a.Meta.Readings {
		for _, c := range r.Citations {
			quoted += c.Quote
		}
	}
	if !strings.Contains(quoted, "doscientos metros") {
		t.Errorf("the story does not lead to the article: %s", answer)
	}
}

func runAsk(e env, question string) int {
	return run(context.Background(), []string{"ask", question, "--pack", "laboral", "--json"}, e)
}
