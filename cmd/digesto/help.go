package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"digesto/app"

	"github.com/alecthomas/kong"
)

// errHelpShown ends parsing after the help has been printed.
var errHelpShown = errors.New("help shown")

// helpFlag prints the help of the command before it and stops.
type helpFlag bool

// BeforeReset runs as soon as the flag is seen, before missing arguments are complained of.
func (h helpFlag) BeforeReset(ctx *kong.Context, a *program) error {
	node := ctx.Selected()
	if node == nil {
		node = ctx.Model.Node
	}
	writeHelp(a.out, node, a.outStyle(), a.columns())
	return errHelpShown
}

// printHelp serves callers inside the parser; the flag above is the usual way.
func printHelp(_ kong.HelpOptions, ctx *kong.Context) error { return nil }

// exampler is a command with examples; every command has them.
type exampler interface{ Examples() []string }

// writeHelp prints what a command does, how it is called, and examples.
func writeHelp(w io.Writer, n *kong.Node, st style, width int) {
	fmt.Fprintf(w, "%s\n\n", strings.Join(wrap(app.Sentence(n.Help), width), "\n"))
	if n.Detail != "" {
		fmt.Fprintf(w, "%s\n\n", strings.Join(wrap(n.Detail, width), "\n"))
	}
	fmt.Fprintf(w, "%s\n  %s\n", st.bold("Uso"), usageLine(n))
	var rows [][2]string
	for _, c := range n.Children {
		if !c.Hidden {
			rows = append(rows, [2]string{c.Name, c.Help})
		}
	}
	section(w, st, width, "Órdenes", rows)
	rows = nil
	for _, p := range n.Positional {
		rows = append(rows, [2]string{argName(p), p.Help})
	}
	section(w, st, width, "Argumentos", rows)
	section(w, st, width, "Opciones", flagRows(n.Flags))
	for p := n.Parent; p != nil; p = p.Parent {
		section(w, st, width, "Opciones de "+p.FullPath(), flagRows(p.Flags))
	}
	if n.Target.IsValid() && n.Target.CanAddr() {
		if ex, ok := n.Target.Addr().Interface().(exampler); ok {
			examples(w, st, ex.Examples())
		}
	}
	if n.Parent == nil {
		fmt.Fprintf(w, "\n%s\n%s\n", st.bold("Códigos de salida"), indentAll(strings.ReplaceAll(exitCodes, "\n", " "), width, 2))
		fmt.Fprintf(w, "\n«digesto ORDEN --help» explica cada orden con ejemplos.\n")
	}
}

func examples(w io.Writer, st style, ex []string) {
	if len(ex) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", st.bold("Ejemplos"))
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
		s += " " + argName(p)
	}
	return s
}

// argName writes an argument as the manuals do: [NOMBRE…].
func argName(p *kong.Positional) string {
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
func section(w io.Writer, st style, width int, title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	left := 0
	for _, r := range rows {
		left = max(left, utf8.RuneCountInString(r[0]))
	}
	left = min(left, 34, width/2)
	fmt.Fprintf(w, "\n%s\n", st.bold(title))
	for _, r := range rows {
		if n := utf8.RuneCountInString(r[0]); n > left { // the words beside it begin below
			fmt.Fprintf(w, "  %s\n%s%s\n", r[0], strings.Repeat(" ", left+4), hang(r[1], width-left-4, left+4))
		} else {
			fmt.Fprintf(w, "  %s%s  %s\n", r[0], strings.Repeat(" ", left-n), hang(r[1], width-left-4, left+4))
		}
	}
}
