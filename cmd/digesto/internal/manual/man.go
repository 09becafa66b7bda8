package manual

import (
	"fmt"
	"io"
	"strings"
	"time"

	"digesto/app"

	"github.com/alecthomas/kong"
)

// Page writes the manual page from the grammar of the program, in the language of man(7); now
// dates it where the program does not know of which day it is.
func Page(w io.Writer, root *kong.Node, now time.Time) {
	fmt.Fprintf(w, ".TH DIGESTO 1 \"%s\" \"Digesto %s\" \"Manual de Digesto\"\n", manDate(app.BuildVersion().Time, now), roff(app.BuildVersion().Version))
	fmt.Fprintf(w, ".SH NOMBRE\ndigesto \\- %s\n", roff(lowerFirstLetter(app.Sentence(root.Help))))
	fmt.Fprintf(w, ".SH SINOPSIS\n.B digesto\n.I ORDEN\n[opciones]\n")
	manFlags(w, ".SH OPCIONES DE TODAS LAS ÓRDENES", root.Flags)
	fmt.Fprintln(w, ".SH ÓRDENES")
	manNodes(w, root)
	fmt.Fprintln(w, ".SH ENTORNO")
	for _, s := range app.KnownSettings() {
		fmt.Fprintf(w, ".TP\n.B %s\n%s (clave %s)\n", roff(s.Env), roff(s.Help), roff(s.Key))
	}
	fmt.Fprintf(w, ".SH SALIDA\n%s\n.SH NOTAS\nDigesto informa con el texto de la ley a la vista; no sustituye a una persona profesional del derecho.\n", exitCodes)
}

// exitCodes say how the program ends: digesto.Codes has the table.
const exitCodes = `0 hecho, también si la respuesta es que no consta; 1 error interno; 2 uso incorrecto;
3 entrada o datos no válidos; 4 no encontrado; 5 no disponible (modelo, servidor); 6 límite alcanzado;
7 una comprobación no se cumple.`

// manDate is the day of the source that the program was built from, so that the same
// source gives the same page; of a program that does not know it, today.
func manDate(source string, now time.Time) string {
	if t, err := time.Parse(time.RFC3339, source); err == nil {
		now = t
	}
	return now.UTC().Format(time.DateOnly)
}

// manNodes writes each command with what it takes, groups before their own.
func manNodes(w io.Writer, n *kong.Node) {
	for _, c := range n.Children {
		if c.Hidden {
			continue
		}
		fmt.Fprintf(w, ".SS %s\n%s\n.PP\n.B %s\n", roff(c.FullPath()), roff(app.Sentence(c.Help)), roff(usageLine(c)))
		for _, p := range c.Positional {
			fmt.Fprintf(w, ".TP\n.I %s\n%s\n", roff(Argument(p)), roff(p.Help))
		}
		manFlags(w, "", c.Flags)
		if c.Target.IsValid() && c.Target.CanAddr() {
			if ex, ok := c.Target.Addr().Interface().(Exampler); ok {
				fmt.Fprintf(w, ".PP\nEjemplos:\n.PP\n.nf\n")
				for _, e := range ex.Examples() {
					fmt.Fprintf(w, "%s\n", roff(e))
				}
				fmt.Fprintln(w, ".fi")
			}
		}
		manNodes(w, c)
	}
}

func manFlags(w io.Writer, title string, flags []*kong.Flag) {
	rows := flagRows(flags)
	if len(rows) > 0 && title != "" {
		fmt.Fprintln(w, title)
	}
	for _, r := range rows {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(r[0])), roff(r[1]))
	}
}

// roff writes a text so that troff takes none of it for a request: no line of it
// begins with a point or an apostrophe, and dashes and backslashes are themselves.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

func lowerFirstLetter(s string) string {
	r := []rune(s)
	if len(r) > 0 {
		r[0] = []rune(strings.ToLower(string(r[0])))[0]
	}
	return string(r)
}
