package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/corpus/ingest"
	"digesto/corpus/sync"
	"digesto/disk"
	"digesto/server"
)

// maxJobLines bounds what a page shows of a job; all of it is what the command prints.
const maxJobLines = 12

// TextWork is `corpus pull` and `corpus update` as work of a server.
func (a *App) TextWork(w *Workspace) server.Work {
	return func(ctx context.Context, o server.Order, tell func(step string, done, total int)) ([]string, error) {
		b := *a
		b.Context, b.watch, b.Quiet = ctx, tell, true
		switch o.Do {
		case "install":
			return b.installTexts(w, o.Pack)
		case "add":
			defer Discard(o.Folder)
			return b.addTexts(w, o)
		}
		u, err := sync.Update(ctx, b.Texts(w), o.Pack, "")
		if err != nil {
			return nil, err
		}
		lines := []string{fmt.Sprintf("Desde el %s: %s en el servicio, %s que mirar aquí, %s en la biblioteca.", u.Since, Counted(u.Listed, "norma cambiada", "normas cambiadas"), Counted(len(u.Pulled), "texto", "textos"), Counted(len(u.Changes), "cambio", "cambios"))}
		for _, c := range u.Changes {
			lines = append(lines, strings.TrimSpace(c.Title+": "+sync.ChangeWords[c.Kind]+" "+strings.TrimRight(c.Label, ". ")))
		}
		return bounded(append(lines, failures(u.Pulled)...), "update"), nil
	}
}

// installTexts brings the sources of a pack.
func (a *App) installTexts(w *Workspace, pack string) ([]string, error) {
	targets, err := sync.Targets(w.Packs, []string{pack}, "")
	if err != nil {
		return nil, err
	}
	p, err := sync.Open(a.Texts(w))
	if err != nil {
		return nil, err
	}
	list, err := p.FetchAll(a.Context, targets)
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	var last error
	for _, x := range list {
		count[x.State]++
		if x.Err != nil {
			last = x.Err
		}
	}
	if last != nil && count["failed"] == len(list) {
		return nil, last
	}
	added, err := p.Add(a.Context, list)
	if err != nil {
		return nil, err
	}
	lines := []string{fmt.Sprintf("%s: %d nuevas, %d cambiadas, %d sin cambios, %d no descargadas.", Counted(len(list), "fuente", "fuentes"), count["new"], count["changed"], count["unchanged"], count["failed"]),
		fmt.Sprintf("%s, %s, %s.", Counted(added.Norms, "norma leída", "normas leídas"), Counted(added.Units, "artículo u otra unidad", "artículos y otras unidades"), Counted(added.Versions, "versión", "versiones"))}
	for _, d := range added.Skipped {
		lines = append(lines, "No aceptado: "+DefectLine(d))
	}
	return bounded(append(lines, failures(list)...), "pull "+pack), nil
}

// addTexts is `corpus add` of files that were brought to a page.
func (a *App) addTexts(w *Workspace, o server.Order) ([]string, error) {
	lib, data, err := a.Library()
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	rep, err := a.Texts(w).Ingest(a.Context, lib, data, []string{o.Folder}, ingest.Options{Pack: o.Pack})
	if err != nil {
		return nil, err
	}
	Prune(lib, data)
	lines := []string{fmt.Sprintf("%s. Leídos: %d; sin cambios: %d; no aceptados: %d.", Counted(rep.Files, "archivo", "archivos"), rep.Changed, rep.Unchanged, len(rep.Skipped)),
		fmt.Sprintf("%s, %s.", Counted(rep.Norms, "norma leída", "normas leídas"), Counted(rep.Units, "artículo u otra unidad", "artículos y otras unidades"))}
	for _, d := range rep.Skipped {
		lines = append(lines, "No aceptado: "+DefectLine(d))
	}
	if rep.Norms == 0 && rep.Unchanged == 0 {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: strings.Join(append([]string{"No se ha añadido ningún texto"}, lines[2:]...), ". "), Hint: "Elija archivos PDF, Word, HTML, Markdown o de texto con el texto de una norma."}
	}
	return bounded(lines, "add"), nil
}

// Keep puts files in a folder of their own, each by its name; what is hidden is left out.
func Keep(files iter.Seq2[string, io.Reader]) (folder string, n int, err error) {
	if folder, err = os.MkdirTemp("", "digesto-textos-"); err != nil {
		return "", 0, disk.Error(err, "la carpeta temporal", "")
	}
	for name, r := range files {
		if name = filepath.Base(name); strings.HasPrefix(name, ".") {
			continue
		}
		dir := folder
		if _, there := os.Lstat(filepath.Join(dir, name)); there == nil { // of another folder
			dir = filepath.Join(folder, strconv.Itoa(n))
			if err = os.Mkdir(dir, 0o700); err != nil {
				return folder, n, disk.Error(err, dir, "")
			}
		}
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = io.Copy(f, r)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return folder, n, err
		}
		n++
	}
	return folder, n, nil
}

// Discard removes what Keep made.
func Discard(folder string) { _ = os.RemoveAll(folder) }

// failures say which sources could not be had, and why.
func failures(list []sync.Source) (out []string) {
	for _, x := range list {
		if x.State == "failed" {
			out = append(out, "No descargada, "+x.ID+": "+x.Error+". "+x.Hint)
		}
	}
	return out
}

// bounded keeps the first lines; command, of `corpus`, prints them all.
func bounded(lines []string, command string) []string {
	if len(lines) <= maxJobLines {
		return lines
	}
	return append(lines[:maxJobLines:maxJobLines], fmt.Sprintf("Y %d líneas más: las da «digesto corpus %s».", len(lines)-maxJobLines, command))
}

// UpdateEvery updates again and again until the program ends, as any other job of the
// server. Questions under way keep the law they began with; a failure is said and
// tried again next time.
func (a *App) UpdateEvery(ctx context.Context, jobs *server.Jobs, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		job, err := jobs.Run(server.Order{Do: "update"})
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			a.Say("No se ha podido actualizar la ley instalada: %s", sync.Message(err))
		default:
			a.Say("Ley mirada en la fuente: %s", strings.Join(job.Lines, " "))
		}
	}
}
