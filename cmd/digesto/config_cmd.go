package main

import (
	"fmt"

	"digesto/app"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/ops"
)

// configCmd shows every setting with its value and origin.
type configCmd struct {
	All bool `name:"all" help:"También los valores de los modelos que nadie ha fijado."`
}

// Examples of the command.
func (configCmd) Examples() []string {
	return []string{"digesto config", "digesto config --all", "digesto config --json", "DIGESTO_DATA=/srv/digesto digesto config"}
}

type settingRow struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
	Env    string `json:"env"`
	Help   string `json:"help"`
}

// Run prints the settings.
func (c configCmd) Run(a *program) error {
	var rows []settingRow
	for _, s := range app.KnownSettings() {
		if origin := a.Settings.Origins[s.Key]; s.Quiet && !c.All && !a.json && (origin == "" || origin == "por defecto") {
			continue
		}
		r := settingRow{Key: s.Key, Value: a.Settings.Get(s.Key), Origin: a.Settings.Origins[s.Key], Env: s.Env, Help: s.Help}
		if s.Secret && r.Value != "" {
			r.Value = "(oculta)"
		}
		if s.Key == "data" && r.Value == "" {
			r.Value, r.Origin = a.Settings.Data, "carpeta del usuario"
		}
		if r.Value == "" {
			r.Origin = "sin valor"
		}
		rows = append(rows, r)
	}
	if a.json {
		return a.printJSON(map[string]any{"file": a.Settings.File, "settings": rows})
	}
	st := a.outStyle()
	for _, r := range rows {
		fmt.Fprintf(a.out, "%s = %s  %s\n", st.Bold(r.Key), terminal.Clean(r.Value), st.Dim("("+r.Origin+"; "+r.Env+"; "+r.Help+")"))
	}
	if a.Settings.File == "" {
		fmt.Fprintln(a.out, st.Dim("Ningún fichero de configuración leído."))
	}
	if !c.All {
		fmt.Fprintln(a.out, st.Dim("Modelos por función (redactor, lector, vectores, reordenador): docs/models.md y «digesto config --all»."))
	}
	return nil
}

// versionCmd prints what was built.
type versionCmd struct {
	SBOM bool `name:"sbom" help:"Lista de materiales del binario: módulos y ficheros de terceros con su suma, en CycloneDX."`
}

// Examples of the command.
func (versionCmd) Examples() []string {
	return []string{"digesto version", "digesto version --json", "digesto version --sbom > digesto.cdx.json"}
}

// Run prints the version.
func (c versionCmd) Run(a *program) error {
	if c.SBOM {
		return ops.SBOM(a.out)
	}
	v := app.BuildVersion()
	if a.json {
		return a.printJSON(v)
	}
	fmt.Fprintf(a.out, "digesto %s", v.Version)
	if v.Revision != "" {
		fmt.Fprintf(a.out, " (%.12s %s)", v.Revision, v.Time)
	}
	fmt.Fprintf(a.out, " · %s · %s\n", v.Go, v.Platform)
	return nil
}
