package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"digesto"
	"digesto/server"
)

// maxJobLines bounds what a page shows of a job; all of it is what the command prints.
const maxJobLines = 12

// textWork is `corpus pull` and `corpus update` as work of a server.
func (a *app) textWork(w *world) server.Work {
	return func(ctx context.Context, do, pack string, tell func(step string, done, total int)) ([]string, error) {
		b := *a
		b.ctx, b.watch, b.errTerm = ctx, tell, false
		if do == "install" {
			return b.installTexts(w, pack)
		}
		u, err := b.update(w, pack, "")
		if err != nil {
			return nil, err
		}
		lines := []string{fmt.Sprintf("Desde el %s: %s en el servicio, %s que mirar aquí, %s en la biblioteca.", u.Since, counted(u.Listed, "norma cambiada", "normas cambiadas"), counted(len(u.Pulled), "texto", "textos"), counted(len(u.Changes), "cambio", "cambios"))}
		for _, c := range u.Changes {
			lines = append(lines, strings.TrimSpace(c.Title+": "+changeWords[c.Kind]+" "+strings.TrimRight(c.Label, ". ")))
		}
		return bounded(append(lines, failures(u.Pulled)...), "update"), nil
	}
}

// installTexts brings the sources of a pack.
func (a *app) installTexts(w *world, pack string) ([]string, error) {
	targets, err := corpusPullCmd{Source: []string{pack}}.targets(w)
	if err != nil {
		return nil, err
	}
	p, err := a.puller(w)
	if err != nil {
		return nil, err
	}
	list, err := p.fetchAll(a.ctx, targets)
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	var last error
	for _, x := range list {
		count[x.State]++
		if x.err != nil {
			last = x.err
		}
	}
	if last != nil && count["failed"] == len(list) {
		return nil, last
	}
	added, err := p.add(w, list)
	if err != nil {
		return nil, err
	}
	lines := []string{fmt.Sprintf("%s: %d nuevas, %d cambiadas, %d sin cambios, %d no descargadas.", counted(len(list), "fuente", "fuentes"), count["new"], count["changed"], count["unchanged"], count["failed"]),
		fmt.Sprintf("%s, %s, %s.", counted(added.Norms, "norma leída", "normas leídas"), counted(added.Units, "artículo u otra unidad", "artículos y otras unidades"), counted(added.Versions, "versión", "versiones"))}
	for _, d := range added.Skipped {
		lines = append(lines, "No aceptado: "+defectLine(d))
	}
	return bounded(append(lines, failures(list)...), "pull "+pack), nil
}

// failures say which sources could not be had, and why.
func failures(list []pulled) (out []string) {
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

// updateEvery updates again and again until the program ends, as any other job of the
// server. Questions under way keep the law they began with; a failure is said and
// tried again next time.
func (a *app) updateEvery(ctx context.Context, jobs *server.Jobs, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		job, err := jobs.Run("update", "")
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			a.say("No se ha podido actualizar la ley instalada: %s", plainMessage(err))
		default:
			a.say("Ley mirada en la fuente: %s", strings.Join(job.Lines, " "))
		}
	}
}

// lookedAt gives for each pack the last day on which its texts were looked up at
// their source: downloaded, or all of them asked for changes.
func (a *app) lookedAt(packs []string) map[string]digesto.Date {
	out := map[string]digesto.Date{}
	if a.conf.data == "" {
		return out
	}
	dir := filepath.Join(a.conf.data, "pulled")
	if list, err := os.ReadFile(filepath.Join(dir, "FUENTES.tsv")); err == nil {
		for line := range strings.SplitSeq(string(list), "\n") {
			f := strings.Split(line, "\t")
			if len(f) < 3 || len(f[2]) < len(time.DateOnly) {
				continue
			}
			pack, _, _ := strings.Cut(filepath.ToSlash(f[0]), "/")
			out[pack] = max(out[pack], digesto.Date(f[2][:len(time.DateOnly)]))
		}
	}
	var s updateState
	if data, err := os.ReadFile(filepath.Join(dir, "update.json")); err == nil && json.Unmarshal(data, &s) == nil {
		for _, p := range packs {
			out[p] = max(out[p], s.Day)
		}
	}
	return out
}
