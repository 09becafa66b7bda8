package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"digesto"
	"digesto/text/figure"

	"github.com/alecthomas/kong"
)

// usageMessages turns what the argument parser says into Spanish. The last
// pattern takes whatever a newer parser may say, so nothing is lost.
var usageMessages = []struct{ pattern, spanish string }{
	{`^unknown flag (\S+), did you mean one of (.+)\?$`, "no existe la opción $1; ¿quiso decir una de $2?"},
	{`^unknown flag (\S+), did you mean (.+)\?$`, "no existe la opción $1; ¿quiso decir $2?"},
	{`^unknown flag (\S+)$`, "no existe la opción $1"},
	{`^unexpected argument (.+), did you mean one of (.+)\?$`, "no existe la orden «$1»; ¿quiso decir una de $2?"},
	{`^unexpected argument (.+), did you mean (.+)\?$`, "no existe la orden «$1»; ¿quiso decir $2?"},
	{`^unexpected argument (.+)$`, "sobra el argumento «$1»"},
	{`^expected one of (.+)$`, "falta la orden: una de $1"},
	{`^expected "<(.+)>.*"$`, "falta el argumento $1"},
	{`^missing positional arguments (.+)$`, "falta el argumento $1"},
	{`^missing flags: (.+)$`, "falta la opción $1"},
	{`^(\S+) must be one of (.+) but got "(.*)"$`, "el valor «$3» de $1 no vale: use uno de $2"},
	{`^(\S+): expected a valid \d+ bit u?int but got "(.*)"$`, "$1 pide un número entero, no «$2»"},
	{`^(\S+): expected a float but got "([^"]*)".*$`, "$1 pide un número, no «$2»"},
	{`^(\S+): expected duration but got "([^"]*)".*$`, "$1 pide una duración como 30s o 2m, no «$2»"},
	{`^(\S+): expected \S+ value but got "EOL".*$`, "falta el valor de $1"},
	{`^(\S+): expected \S+ value but got "([^"]*)".*$`, "falta el valor de $1: lo que sigue, «$2», parece otra opción"},
	{`^(\S+): missing value, expecting .*$`, "falta el valor de $1"},
	{`^(\S+): expected "<key>=<value>" but got "(.*)"$`, "$1 se escribe CLAVE=VALOR, no «$2»"},
	{`^--(\S+) and --(\S+) can't be used together$`, "--$1 y --$2 no se pueden usar a la vez"},
	{`^(\S+): bool value must be .* but got "(.*)"$`, "$1 no lleva valor (se dio «$2»)"},
	{`^no command selected$`, "falta la orden"},
	{`^(.+)$`, "no se entiende la orden ($1)"},
}

// usageError is a parse failure as people should read it, with where to look.
func usageError(err error, args []string) error {
	var own *digesto.Error
	if errors.As(err, &own) {
		return own
	}
	path, message := "digesto", translate(err.Error())
	var pe *kong.ParseError
	if errors.As(err, &pe) && pe.Context != nil {
		if node := pe.Context.Selected(); node != nil {
			path = node.FullPath()
			message = argumentsIn(message, node)
		} else {
			message = strings.Replace(message, "sobra el argumento", "no existe la orden", 1)
		}
	}
	hint := fmt.Sprintf("vea «%s --help»", path)
	if strings.HasPrefix(err.Error(), "unknown flag -") && len(args) > 0 {
		hint += "; si es texto y no una opción, póngalo detrás de «--»"
	}
	return &digesto.Error{Code: digesto.CodeUsage, Message: message, Hint: hint}
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
			return &digesto.Error{Code: digesto.CodeUsage, Message: "el argumento " + strings.Trim(argName(p), "[]…") + " está vacío", Hint: "vea «" + k.Selected().FullPath() + " --help»"}
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

// argumentsIn names the arguments of a command as its help does.
func argumentsIn(message string, n *kong.Node) string {
	for _, p := range n.Positional {
		name := strings.Trim(argName(p), "[]…")
		message = strings.ReplaceAll(message, "<"+p.Name+">", name)
		if message == "falta el argumento "+p.Name {
			message = "falta el argumento " + name
		}
	}
	return message
}

// translate gives the Spanish form of a parser message.
func translate(msg string) string {
	for _, m := range usageMessages {
		re := regexp.MustCompile(m.pattern)
		if re.MatchString(msg) {
			return quotes(re.ReplaceAllString(msg, m.spanish))
		}
	}
	return msg
}

// quotes writes "x" as «x».
func quotes(s string) string { return regexp.MustCompile(`"([^"]*)"`).ReplaceAllString(s, "«$1»") }
