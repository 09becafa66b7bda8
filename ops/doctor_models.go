package ops

import (
	"fmt"

	"digesto/app"
	jury "digesto/judge"
	"digesto/model"
	"digesto/model/roles"
)

// doctorModels tries every model that is configured. One that does not work is a
// failure of the configuration, although the program answers without it.
func doctorModels(a *app.App, add func(what, state, format string, args ...any)) {
	set, err := a.Models()
	if err != nil {
		add("modelos", "fail", "%s", app.Advised(err))
		return
	}
	defer func() { _ = set.Close() }()
	tried := set.Try(a.Context)
	for _, t := range tried {
		if t.OK {
			add(app.SectionTitles[t.Section], "ok", "%s", t.Detail)
			continue
		}
		add(app.SectionTitles[t.Section], "fail", "%s. %s", t.Detail, t.Hint)
	}
	for _, role := range roles.Sections() {
		if _, bound := set.Describe(role); !bound && role != roles.Backup {
			add(app.SectionTitles[role], "ok", "%s", withoutModel[role])
		}
	}
	doctorProbe(a, add)
	if today := set.Spend.Today(); today > 0 {
		add("gasto en modelos", "ok", "%s hoy (UTC)", fmt.Sprintf("%.4f", today))
	}
}

// doctorProbe says what the model that judges may decide.
func doctorProbe(a *app.App, add func(what, state, format string, args ...any)) {
	c, err := a.ModelConfig()
	if err != nil || app.Judging(c) == "" {
		return
	}
	p, err := a.Probe()
	switch {
	case err != nil:
		add("juez de candidatos", "fail", "%s", app.Advised(err))
	case p.May == jury.Untried:
		add("juez de candidatos", "warn", "el modelo no se ha probado y no decide nada: «digesto doctor --judge» le hace 40 preguntas")
	default:
		add("juez de candidatos", "ok", "probado el %s: puede decidir %s", p.At, MayDecide[p.May])
	}
}

// withoutModel says what does the work of a role that has no model.
var withoutModel = map[string]string{
	model.Writer:    "sin modelo: se responde por extracción",
	model.Reader:    "sin modelo: la pregunta se lee por reglas",
	model.Embedding: "sin modelo externo: por palabras, o con el modelo que trae el programa",
	model.Ranking:   "sin modelo: se ordena por los rasgos de cada artículo",
}
