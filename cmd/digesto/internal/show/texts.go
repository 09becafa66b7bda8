package show

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"digesto/app"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/corpus/sync"
	"digesto/text/diff"
)

// Added says what was added and everything that was found wrong.
func Added(w terminal.Screen, r ingest.Report) {
	fmt.Fprintf(w, "%d ficheros: %d leídos, %d sin cambios, %d no aceptados · %s\n", r.Files, r.Changed, r.Unchanged, len(r.Skipped), r.Elapsed.Round(10*time.Millisecond))
	if r.Norms > 0 {
		fmt.Fprintf(w, "%d normas, %d artículos y otras unidades, %d versiones, %d referencias (%d resueltas)\n", r.Norms, r.Units, r.Versions, r.References, r.Resolved)
	}
	Skipped(w, r.Skipped)
	if len(r.Defects) > 0 {
		fmt.Fprintln(w, w.Bold(fmt.Sprintf("Defectos de los textos aceptados: %d", len(r.Defects))))
		for _, d := range r.Defects {
			fmt.Fprintln(w, "  "+app.DefectLine(d))
		}
	}
	if len(r.Kinds) > 0 {
		var kinds []string
		for k, n := range r.Kinds {
			kinds = append(kinds, fmt.Sprintf("%s %d", k, n))
		}
		sort.Strings(kinds)
		fmt.Fprintln(w, w.Dim("por clase: "+strings.Join(kinds, ", ")))
	}
	if r.Snapshot != "" {
		fmt.Fprintln(w, w.Dim("instantánea "+r.Snapshot))
	}
}

// Skipped names files not taken.
func Skipped(w terminal.Screen, skipped []corpus.Defect) {
	for _, d := range skipped {
		fmt.Fprintln(w, w.Bad("no aceptado:"), app.DefectLine(d))
	}
}

// Updated says what changed in the law installed, word by word.
func Updated(w terminal.Screen, u sync.Updated) {
	for _, x := range u.Pulled {
		if x.State == "failed" {
			fmt.Fprintf(w, "%s %s: %s\n", w.Bad("no se ha podido mirar:"), terminal.Clean(x.ID), terminal.Clean(x.Error+". "+x.Hint))
		}
	}
	norm := ""
	for _, c := range u.Changes {
		if c.Norm != norm {
			norm = c.Norm
			fmt.Fprintf(w, "%s  %s\n", w.Bold(terminal.Clean(c.Norm)), terminal.Clean(c.Title))
		}
		fmt.Fprintf(w, "  %s %s %s\n", sync.ChangeWords[c.Kind], terminal.Clean(c.Label), terminal.Clean(strings.Join(c.Fields, ", ")))
		if len(c.Pieces) > 0 {
			fmt.Fprintln(w, terminal.Indent(strings.TrimSpace(markedPieces(w, c.Pieces, shortened)), w.Columns(), 4))
		}
	}
	reforms(w, u.Reforms)
	fmt.Fprintf(w, "Desde el %s: %d normas cambiadas en el servicio, %d de ellas instaladas o fuentes propias; %d cambios en la biblioteca\n", u.Since, u.Listed, len(u.Pulled), len(u.Changes))
	blocks := 0
	for _, x := range u.Pulled {
		blocks += x.Blocks
	}
	if blocks > 0 {
		fmt.Fprintf(w, "Por bloques: %d bloques descargados en vez de las normas enteras\n", blocks)
	}
	if u.Corpus != u.Previous {
		fmt.Fprintf(w, "Instantánea %.12s (antes %.12s; se vuelve a ella con «digesto corpus rollback»)\n", u.Corpus, u.Previous)
	}
}

// markedPieces writes pieces with marks; same is what is shown of those that stay.
func markedPieces(w terminal.Screen, pieces []diff.Piece, same func(string) string) string {
	var b strings.Builder
	for _, p := range pieces {
		text := terminal.Clean(p.Text)
		switch p.Op {
		case diff.Insert:
			b.WriteString(w.Good("{+" + strings.TrimRight(text, " \n") + "+}"))
		case diff.Delete:
			b.WriteString(w.Bad("[-" + strings.TrimRight(text, " \n") + "-]"))
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

func reforms(w terminal.Screen, list []sync.Reform) {
	for _, r := range list {
		state := "recogida en el texto instalado"
		if !r.Consolidated {
			state = w.Bad("todavía no está en el texto consolidado: lo instalado puede no valer")
		}
		fmt.Fprintf(w, "%s, %s: %s (%s)\n  %s\n  %s\n", w.Bold(terminal.Clean(r.Norm)), r.Day, terminal.Clean(r.Title), terminal.Clean(r.By), terminal.Clean(r.Words), state)
	}
}
