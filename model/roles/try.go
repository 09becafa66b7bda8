package roles

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"digesto"
	"digesto/model"
)

// Trial is what came of trying one section.
type Trial struct {
	Section string
	OK      bool
	Detail  string // Spanish: what it is and what it did, or what is wrong
	Hint    string // Spanish: what to do; "" when it works
	Kind    model.Kind
	Dims    int // of an embedder that works
}

// tryTime bounds the trial of one section: a model that loads first may take a while.
const tryTime = 30 * time.Second

// Try calls the model of every section once, without retry, cache or fallback,
// and says what came of it, in the order of [Sections].
func (s *Set) Try(ctx context.Context) []Trial {
	var out []Trial
	for _, name := range Sections() {
		a, ok := s.bare[name]
		if !ok {
			continue
		}
		out = append(out, s.try(ctx, name, a))
	}
	return out
}

func (s *Set) try(ctx context.Context, name string, a adapter) Trial {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	sec := s.conf.Sections[name]
	t := Trial{Section: name, Detail: fmt.Sprintf("%s, modelo «%s» en %s", sec.Provider.Title, sec.Name, hostOf(sec.URL))}
	began := time.Now()
	did, err := s.once(ctx, sec, a, &t)
	if err == nil {
		t.OK = true
		t.Detail += fmt.Sprintf(": %s en %d ms", did, time.Since(began).Milliseconds())
		return t
	}
	t.explain(err, name, sec)
	return t
}

// once makes the smallest call that proves a role.
func (s *Set) once(ctx context.Context, sec Section, a adapter, t *Trial) (string, error) {
	switch {
	case a.embed != nil:
		v, err := a.embed.Embed(ctx, []string{"¿Qué plazo hay para recurrir?"}, model.Query)
		if err != nil {
			return "", err
		}
		t.Dims = len(v[0])
		return fmt.Sprintf("da vectores de %d dimensiones", t.Dims), nil
	case a.rank != nil:
		_, err := a.rank.Rerank(ctx, "plazo para recurrir", []string{"El plazo para recurrir es de un mes.", "La tasa se paga en abril."}, 0)
		return "ordena textos", err
	}
	out, err := (&parameters{a.gen, sec.Temperature, 0}).Generate(ctx, model.Request{Messages: []model.Message{{Role: model.User, Text: "Responde solo: listo"}}}, nil)
	if err == nil && out.Finish == model.FinishFilter {
		return "responde (aunque su filtro retuvo la prueba)", nil
	}
	return "responde", err
}

// explain says in plain words what is wrong with a section and what to do.
func (t *Trial) explain(err error, name string, sec Section) {
	var e *digesto.Error
	if !errors.As(err, &e) {
		t.Detail += ": " + err.Error()
		t.Hint = "Repita la prueba; si persiste, avise con este mensaje."
		return
	}
	t.Detail += ": " + lower(e.Message)
	t.Hint = e.Hint
	f := model.FaultOf(err)
	if f == nil {
		return
	}
	t.Kind = f.Kind
	if f.Status != 0 {
		t.Detail += fmt.Sprintf(" (HTTP %d)", f.Status)
	}
	if f.Detail != "" && f.Kind != model.KindTimeout && f.Reason == "" {
		t.Detail += " — " + f.Detail
	}
	if f.Reason != "" {
		return
	}
	switch f.Kind {
	case model.KindKey:
		t.Hint = "Revise la clave: en el entorno (" + EnvOf(name, "key") + "), en el fichero de «key_file» o en «model." + name + ".key»."
		if sec.Key == "" {
			t.Hint = "No hay clave configurada y el servicio la pide: désela en " + EnvOf(name, "key") + "."
		}
	case model.KindUnknown:
		t.Hint = "Revise «model." + name + ".name» y «model." + name + ".url»; la dirección suele acabar en /v1."
		if sec.Provider.ID == "ollama" {
			t.Hint = "Descargue el modelo con «ollama pull " + sec.Name + "» o corrija «model." + name + ".name»."
		}
	case model.KindTimeout:
		t.Hint = "El servidor escucha, pero no responde a tiempo: espere a que cargue el modelo o amplíe «model." + name + ".first_byte»."
	case model.KindGarbled, model.KindCut, model.KindEmpty:
		t.Hint = "Lo que responde esa dirección no es esta API: revise «model." + name + ".url» y el proveedor (docs/models.md)."
	}
}

// lower makes a sentence the continuation of another.
func lower(s string) string {
	if s == "" || s[0] < 'A' || s[0] > 'Z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// Describe says what a section is bound to, without trying it.
func (s *Set) Describe(name string) (string, bool) {
	sec, ok := s.conf.Sections[name]
	if !ok {
		return "", false
	}
	return sec.Provider.Title + ", modelo «" + sec.Name + "»", true
}
