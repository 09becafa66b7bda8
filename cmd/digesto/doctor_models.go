package main

import (
	"fmt"

	"digesto/model"
	"digesto/model/roles"
)

// doctorModels tries every model that is configured. One that does not work is a
// failure of the configuration, although the program answers without it.
func (a *app) doctorModels(add func(what, state, format string, args ...any)) {
	set, err := a.models()
	if err != nil {
		add("modelos", "fail", "%s", advised(err))
		return
	}
	defer func() { _ = set.Close() }()
	tried := set.Try(a.ctx)
	for _, t := range tried {
		if t.OK {
			add(sectionTitles[t.Section], "ok", "%s", t.Detail)
			continue
		}
		add(sectionTitles[t.Section], "fail", "%s. %s", t.Detail, t.Hint)
	}
	for _, role := range roles.Sections() {
		if _, bound := set.Describe(role); !bound && role != roles.Backup {
			add(sectionTitles[role], "ok", "%s", withoutModel[role])
		}
	}
	if today := set.Spend.Today(); today > 0 {
		add("gasto en modelos", "ok", "%s hoy (UTC)", fmt.Sprintf("%.4f", today))
	}
}

// withoutModel says what does the work of a role that has no model.
var withoutModel = map[string]string{
	model.Writer:    "sin modelo: se responde por extracción",
	model.Reader:    "sin modelo: la pregunta se lee por reglas",
	model.Embedding: "sin modelo externo: por palabras, o con el modelo que trae el programa",
	model.Ranking:   "sin modelo: se ordena por los rasgos de cada artículo",
}
