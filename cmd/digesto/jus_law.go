package main

import (
	"digesto/app"
	"digesto/packs/jus"
)

// withLaw quotes the law in the sources of a result, if it is installed.
func withLaw(a *app.App, r *jus.Result) {
	l, err := a.OpenLaws()
	if err != nil || l.Library == nil {
		return
	}
	defer l.Close()
	r.Sources = app.FeeLaw(a, &app.Workspace{Law: l}, a.Today).Quoted(r.Sources)
}
