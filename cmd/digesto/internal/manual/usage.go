package manual

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"digesto"

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

// UsageError is a parse failure as people should read it, with where to look.
func UsageError(err error, args []string) error {
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

// argumentsIn names the arguments of a command as its help does.
func argumentsIn(message string, n *kong.Node) string {
	for _, p := range n.Positional {
		name := strings.Trim(Argument(p), "[]…")
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
