package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/manual"
	"digesto/text/figure"
)

// requestFlags reads the NAME=VALUE pairs of one question.
func requestFlags(pairs []string) (digesto.Flags, error) {
	var f digesto.Flags
	for _, p := range pairs {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return f, &digesto.Error{Code: digesto.CodeUsage, Message: "«" + p + "» no es NOMBRE=VALOR", Hint: "Por ejemplo --flag RAG_ENABLED=false"}
		}
		if err := app.SetFlag(&f, strings.ToUpper(strings.TrimSpace(name)), value); err != nil {
			return f, err
		}
	}
	return f, nil
}

// emptyArgument refuses an argument that stands for something and is nothing, as an unset
// variable of a script leaves it.
func emptyArgument(k *kong.Context) error {
	if k.Selected() == nil {
		return nil
	}
	for _, p := range k.Selected().Positional {
		if !p.Required && !p.HasDefault {
			continue
		}
		given := []string{}
		switch v := p.Target.Interface().(type) {
		case string:
			given = append(given, v)
		case []string:
			given = v
		}
		if slices.Contains(given, "") {
			return &digesto.Error{Code: digesto.CodeUsage, Message: "el argumento " + strings.Trim(manual.Argument(p), "[]…") + " está vacío", Hint: "vea «" + k.Selected().FullPath() + " --help»"}
		}
	}
	return nil
}

// written lets days and amounts be written as people do, wherever an option takes one.
func written(k *kong.Context) {
	if k.Selected() == nil {
		return
	}
	read := func(what, s string) string {
		if strings.HasPrefix(what, "FECHA") {
			return figure.WrittenDay(s)
		}
		return figure.WrittenAmount(s)
	}
	values := slices.Clone(k.Selected().Positional)
	for _, f := range k.Flags() {
		values = append(values, f.Value)
	}
	for _, f := range values {
		what := placeholder(f)
		if !f.Target.CanSet() || !slices.ContainsFunc(peopleWrite, func(p string) bool { return what == p || what == p+",…" }) {
			continue
		}
		if s, ok := f.Target.Interface().(string); ok {
			parts := strings.Split(s, ",")
			if !strings.HasSuffix(what, "…") {
				parts = []string{s}
			}
			for i := range parts {
				parts[i] = read(what, parts[i])
			}
			f.Target.SetString(strings.Join(parts, ","))
		}
	}
}

// peopleWrite are the placeholders of days and amounts.
var peopleWrite = []string{"FECHA", "EUROS", "N"}

// placeholder is what an option or an argument stands for.
func placeholder(v *kong.Value) string {
	if v.Flag != nil {
		return v.Flag.FormatPlaceHolder()
	}
	return v.Tag.PlaceHolder
}
