package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
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
func (c configCmd) Run(a *app) error {
	var rows []settingRow
	for _, s := range knownSettings() {
		if origin := a.conf.origins[s.key]; s.quiet && !c.All && !a.json && (origin == "" || origin == "por defecto") {
			continue
		}
		r := settingRow{Key: s.key, Value: a.conf.get(s.key), Origin: a.conf.origins[s.key], Env: s.env, Help: s.help}
		if s.secret && r.Value != "" {
			r.Value = "(oculta)"
		}
		if s.key == "data" && r.Value == "" {
			r.Value, r.Origin = a.conf.data, "carpeta del usuario"
		}
		if r.Value == "" {
			r.Origin = "sin valor"
		}
		rows = append(rows, r)
	}
	if a.json {
		return a.printJSON(map[string]any{"file": a.conf.file, "settings": rows})
	}
	st := a.outStyle()
	for _, r := range rows {
		fmt.Fprintf(a.out, "%s = %s  %s\n", st.bold(r.Key), clean(r.Value), st.dim("("+r.Origin+"; "+r.Env+"; "+r.Help+")"))
	}
	if a.conf.file == "" {
		fmt.Fprintln(a.out, st.dim("Ningún fichero de configuración leído."))
	}
	if !c.All {
		fmt.Fprintln(a.out, st.dim("Modelos por función (redactor, lector, vectores, reordenador): docs/models.md y «digesto config --all»."))
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

type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Run prints the version.
func (c versionCmd) Run(a *app) error {
	if c.SBOM {
		return a.printSBOM()
	}
	v := buildVersion()
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

// buildVersion reads what the Go tool wrote into the binary.
func buildVersion() versionInfo {
	v := versionInfo{Version: "en desarrollo", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	bi, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if bi.Main.Version != "" && bi.Main.Version != "(devel)" {
		v.Version = bi.Main.Version
	}
	for _, s := range bi.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
