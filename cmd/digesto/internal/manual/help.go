package manual

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"digesto/app"
	"digesto/cmd/digesto/internal/terminal"

	"github.com/alecthomas/kong"
)

// Exampler is a command with examples; every command has them.
type Exampler interface{ Examples() []string }

// Help prints what a command does, how it is called, and examples.
func Help(w terminal.Screen, n *kong.Node) {
	width := w.Columns()
	fmt.Fprintf(w, "%s\n\n", strings.Join(terminal.Wrap(app.Sentence(n.Help), width), "\n"))
	if n.Detail != "" {
		fmt.Fprintf(w, "%s\n\n", strings.Join(terminal.Wrap(n.Detail, width), "\n"))
	}
	fmt.Fprintf(w, "%s\n  %s\n", w.Bold("Uso"), usageLine(n))
	var rows [][2]string
	for _, c := range n.Children {
		if !c.Hidden {
			rows = append(rows, [2]string{c.Name, c.Help})
		}
	}
	section(w, "Órdenes", rows)
	rows = nil
	for _, p := range n.Positional {
		rows = append(rows, [2]string{Argument(p), p.Help})
	}
	section(w, "Argumentos", rows)
	section(w, "Opciones", flagRows(n.Flags))
	for p := n.Parent; p != nil; p = p.Parent {
		section(w, "Opciones de "+p.FullPath(), flagRows(p.Flags))
	}
	if n.Target.IsValid() && n.Target.CanAddr() {
		if ex, ok := n.Target.Addr().Interface().(Exampler); ok {
			examples(w, ex.Examples())
		}
	}
	if n.Parent == nil {
		fmt.Fprintf(w, "\n%s\n%s\n", w.Bold("Códigos de salida"), terminal.Indent(strings.ReplaceAll(exitCodes, "\n", " "), width, 2))
		fmt.Fprintf(w, "\n«digesto ORDEN --help» explica cada orden con ejemplos.\n")
	}
}

func examples(w terminal.Screen, ex []string) {
	if len(ex) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", w.Bold("Ejemplos"))
	for _, e := range ex {
		fmt.Fprintf(w, "  %s\n", e)
	}
}

// usageLine is the synopsis of a command.
func usageLine(n *kong.Node) string {
	s := n.FullPath()
	if n.Parent == nil {
		s = n.Name
	}
	if len(n.Children) > 0 {
		s += " ORDEN"
	}
	if len(n.Flags) > 0 || n.Parent != nil {
		s += " [opciones]"
	}
	for _, p := range n.Positional {
		s += " " + Argument(p)
	}
	return s
}

// Argument writes an argument as the manuals do: [NOMBRE…].
func Argument(p *kong.Positional) string {
	name := p.Name
	if p.Tag != nil && p.Tag.PlaceHolder != "" {
		name = p.Tag.PlaceHolder
	}
	name = strings.ToUpper(name)
	if p.IsSlice() {
		name += "…"
	}
	if !p.Required {
		name = "[" + name + "]"
	}
	return name
}

func flagRows(flags []*kong.Flag) [][2]string {
	var rows [][2]string
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		left := "    --" + f.Name
		if f.Short != 0 {
			left = "-" + string(f.Short) + ", --" + f.Name
		}
		if !f.IsBool() {
			left += " " + strings.ToUpper(f.FormatPlaceHolder())
		}
		help := f.Help
		if f.Default != "" && !f.IsBool() {
			help = strings.TrimSuffix(help, ".") + " (si no se dice: " + f.Default + ")."
		}
		rows = append(rows, [2]string{left, help})
	}
	return rows
}

// section prints a two-column table under a heading; an empty one is left out.
func section(w terminal.Screen, title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	left, width := 0, w.Columns()
	for _, r := range rows {
		left = max(left, utf8.RuneCountInString(r[0]))
	}
	left = min(left, 34, width/2)
	fmt.Fprintf(w, "\n%s\n", w.Bold(title))
	for _, r := range rows {
		if n := utf8.RuneCountInString(r[0]); n > left { // the words beside it begin below
			fmt.Fprintf(w, "  %s\n%s%s\n", r[0], strings.Repeat(" ", left+4), terminal.Hang(r[1], width-left-4, left+4))
		} else {
			fmt.Fprintf(w, "  %s%s  %s\n", r[0], strings.Repeat(" ", left-n), terminal.Hang(r[1], width-left-4, left+4))
		}
	}
}
