package ops

import (
	"digesto"
	"digesto/app"
	jury "digesto/judge"
)

// MayDecide says for people what a judge may decide.
var MayDecide = map[jury.Power]string{
	jury.Nothing: "nada: no acierta más que el programa solo; no se le pregunta",
	jury.Ties:    "los casos en que el programa duda",
	jury.All:     "todo: también lo que el programa daba por seguro",
}

var noLaw = &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ley instalada con la que probar", Hint: "Instale la ley con «digesto corpus add»."}

// TryJudge tries the configured model as a judge of candidates and keeps what it may decide.
func TryJudge(a *app.App, questions int) (p jury.Probe, err error) {
	if questions < 1 || questions > 400 {
		return p, &digesto.Error{Code: digesto.CodeUsage, Message: "--questions pide un número de 1 a 400", Hint: "Por ejemplo: digesto doctor --judge --questions 40"}
	}
	c, err := a.ModelConfig()
	if err != nil {
		return p, err
	}
	if app.Judging(c) == "" {
		return p, jury.Unavailable
	}
	if a.Settings.Data == "" {
		return p, &digesto.Error{Code: digesto.CodeInvalid, Message: "No hay carpeta de datos donde guardar lo que resulte", Hint: "Nombre una con --data o DIGESTO_DATA."}
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return p, err
	}
	defer w.Close()
	v, release, err := w.Law.View()
	if err != nil {
		return p, err
	}
	release()
	if v.Snapshot == nil {
		return p, noLaw
	}
	opt, err := a.AskOptions(w, w.Law, w.Embedded)
	if err != nil {
		return p, err
	}
	show, done := a.Progress("preguntas al modelo")
	defer done()
	cases, err := a.ProbeCases(w, opt, 1, questions)
	if err != nil {
		return p, err
	}
	if len(cases) == 0 {
		return p, noLaw
	}
	if p, err = a.Probed(opt, cases, func(n int) { show(n, len(cases)) }); err != nil {
		return p, err
	}
	if p.Failed == p.Questions {
		return p, &digesto.Error{Code: digesto.CodeUnavailable, Message: "El modelo no ha contestado a ninguna pregunta de la prueba", Hint: "«digesto doctor» dice qué le pasa."}
	}
	return p, a.KeepProbe(&p)
}
