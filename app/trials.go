package app

import (
	"strconv"
	"strings"

	"digesto"
	"digesto/pack"
	"digesto/packs"
)

// tryPrompts sets the trials of the configuration up.
func (a *App) tryPrompts(all []*pack.Pack) error {
	for part := range strings.SplitSeq(a.Settings.Get("trials"), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, prompt, trials, ok := parseTrial(part)
		if !ok {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "el ensayo «" + part + "» no es válido", Hint: "escríbalo como PAQUETE/PROMPT=VERSIÓN:PARTE/VERSIÓN:PARTE, por ejemplo argentina/initial=1:50/2:50"}
		}
		p, ok := packs.One(all, name)
		if !ok {
			return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ningún paquete «" + name + "» que ensayar", Hint: "Los que hay: " + strings.Join(packs.Names(all), ", ") + "."}
		}
		if err := p.Try(prompt, trials); err != nil {
			return err
		}
	}
	return nil
}

// parseTrial reads "PACK/PROMPT=VERSION:SHARE/VERSION:SHARE".
func parseTrial(s string) (name, prompt string, trials []pack.Trial, ok bool) {
	who, what, ok := strings.Cut(s, "=")
	name, prompt, named := strings.Cut(who, "/")
	if !ok || !named {
		return "", "", nil, false
	}
	for t := range strings.SplitSeq(what, "/") {
		version, share, _ := strings.Cut(t, ":")
		n, err := strconv.Atoi(share)
		if err != nil || version == "" {
			return "", "", nil, false
		}
		trials = append(trials, pack.Trial{Version: version, Share: n})
	}
	return name, prompt, trials, true
}
