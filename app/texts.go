package app

import (
	"strings"

	"digesto"
	"digesto/corpus/sync"
	"digesto/packs"
)

// Texts gives what brings texts in, for what is open.
func (a *App) Texts(w *Workspace) sync.Options {
	return sync.Options{
		Data: a.Settings.Data, Base: a.Settings.Get("fetch.boe"), Packs: w.Packs, Terms: attributions,
		Allow: strings.FieldsFunc(a.Settings.Get("fetch.allow"), func(r rune) bool { return r == ',' || r == ' ' }),
		Agent: "digesto/" + BuildVersion().Version + " (+textos legales; 5 peticiones por segundo como mucho)",
		Clock: a.Now, Today: a.Today, Say: a.Say, Progress: a.Progress, Watch: a.watch, Quiet: a.Quiet,
		Permit: func() error {
			if _, err := a.NeedData(); err != nil {
				return err
			}
			return a.mayFetch()
		},
		Library: a.Library, BeforeSwap: a.BeforeSwap, Prune: Prune, Loopback: a.Loopback, Sleep: a.Sleep,
	}
}

// attributions are the lines that the services known ask for.
var attributions = []sync.Attribution{
	{Host: "boe.es", Line: "Fuente: Agencia Estatal Boletín Oficial del Estado; reutilización citando la fuente y la fecha"},
	{Host: "infoleg.gob.ar", Line: "Fuente: InfoLEG, Ministerio de Justicia de la Nación Argentina; CC BY 4.0"},
	{Host: "argentina.gob.ar", Line: "Fuente: InfoLEG, Ministerio de Justicia de la Nación Argentina; CC BY 4.0"},
}

// looked gives for each pack the last day on which its texts were looked up.
func (a *App) looked(w *Workspace) map[string]digesto.Date {
	return sync.LookedAt(a.Settings.Data, packs.Names(w.Packs))
}
