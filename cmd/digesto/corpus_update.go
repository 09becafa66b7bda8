package main

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/corpus/sync"
	"digesto/text/diff"
)

// corpusUpdateCmd brings what changed since the last time.
type corpusUpdateCmd struct {
	Pack  string `name:"pack" placeholder:"PAQUETE" help:"Solo las normas de ese paquete; la próxima vez, sin él, se mira desde el mismo día que ahora."`
	Since string `name:"since" placeholder:"FECHA" help:"Desde qué día se miran los cambios; sin él, desde la última actualización."`
}

// Examples of the command.
func (corpusUpdateCmd) Examples() []string {
	return []string{"digesto corpus update", "digesto corpus update --pack laboral", "digesto corpus update --since 2026-11-01 --json"}
}

// Run looks for changes, brings them and prints them word by word.
func (c corpusUpdateCmd) Run(a *program) error {
	since, err := app.ParseDate("--since", c.Since)
	if err != nil {
		return err
	}
	w, err := a.OpenPack(c.Pack)
	if err != nil {
		return err
	}
	defer w.Close()
	u, err := sync.Update(a.Context, a.Texts(w), c.Pack, since)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(u)
	} else {
		print(u, a)
	}
	if err != nil {
		return err
	}
	for _, x := range u.Pulled {
		if x.Err != nil {
			return &quietError{&digesto.Error{Code: digesto.CodeOf(x.Err), Message: "hay fuentes que no se han podido mirar"}}
		}
	}
	return nil
}

func print(u sync.Updated, a *program) {
	st := a.outStyle()
	for _, x := range u.Pulled {
		if x.State == "failed" {
			fmt.Fprintf(a.out, "%s %s: %s\n", st.bad("no se ha podido mirar:"), clean(x.ID), clean(x.Error+". "+x.Hint))
		}
	}
	norm := ""
	for _, c := range u.Changes {
		if c.Norm != norm {
			norm = c.Norm
			fmt.Fprintf(a.out, "%s  %s\n", st.bold(clean(c.Norm)), clean(c.Title))
		}
		fmt.Fprintf(a.out, "  %s %s %s\n", sync.ChangeWords[c.Kind], clean(c.Label), clean(strings.Join(c.Fields, ", ")))
		if len(c.Pieces) > 0 {
			fmt.Fprintln(a.out, indentAll(diffText(a, c.Pieces), a.columns(), 4))
		}
	}
	printReforms(a, u.Reforms)
	fmt.Fprintf(a.out, "Desde el %s: %d normas cambiadas en el servicio, %d de ellas instaladas o fuentes propias; %d cambios en la biblioteca\n", u.Since, u.Listed, len(u.Pulled), len(u.Changes))
	blocks := 0
	for _, x := range u.Pulled {
		blocks += x.Blocks
	}
	if blocks > 0 {
		fmt.Fprintf(a.out, "Por bloques: %d bloques descargados en vez de las normas enteras\n", blocks)
	}
	if u.Corpus != u.Previous {
		fmt.Fprintf(a.out, "Instantánea %.12s (antes %.12s; se vuelve a ella con «digesto corpus rollback»)\n", u.Corpus, u.Previous)
	}
}

// diffText marks what goes and what comes, and shortens what stays.
func diffText(a *program, pieces []diff.Piece) string {
	return strings.TrimSpace(markedPieces(a, pieces, shortened))
}

// markedPieces writes pieces with marks; same is what is shown of those that stay.
func markedPieces(a *program, pieces []diff.Piece, same func(string) string) string {
	st := a.outStyle()
	var b strings.Builder
	for _, p := range pieces {
		text := clean(p.Text)
		switch p.Op {
		case diff.Insert:
			b.WriteString(st.good("{+" + strings.TrimRight(text, " \n") + "+}"))
		case diff.Delete:
			b.WriteString(st.bad("[-" + strings.TrimRight(text, " \n") + "-]"))
		default:
			b.WriteString(same(text))
			continue
		}
		b.WriteString(text[len(strings.TrimRight(text, " \n")):])
	}
	return b.String()
}

// shortened keeps the ends of a long stretch that did not change.
func shortened(s string) string {
	const end = 120
	r := []rune(s)
	if len(r) <= 3*end {
		return s
	}
	return string(r[:end]) + " […] " + string(r[len(r)-end:])
}

func printReforms(a *program, list []sync.Reform) {
	st := a.outStyle()
	for _, r := range list {
		state := "recogida en el texto instalado"
		if !r.Consolidated {
			state = st.bad("todavía no está en el texto consolidado: lo instalado puede no valer")
		}
		fmt.Fprintf(a.out, "%s, %s: %s (%s)\n  %s\n  %s\n", st.bold(clean(r.Norm)), r.Day, clean(r.Title), clean(r.By), clean(r.Words), state)
	}
}
