package main

import (
	"fmt"
	"os"
	"time"

	"digesto"
	"digesto/app/law"
	"digesto/corpus"
	"digesto/disk"
	"digesto/model/vectorfile"
)

// corpusVectorsCmd makes the vectors of the articles installed.
type corpusVectorsCmd struct {
	For string `name:"for" placeholder:"TIEMPO" help:"Se para pasado ese tiempo (10m, 1h); lo hecho queda guardado."`
	New bool   `name:"new" help:"Tira los que haya y empieza de nuevo: de otro modelo, o dañados."`
}

// Examples of the command.
func (corpusVectorsCmd) Examples() []string {
	return []string{"digesto corpus vectors", "digesto corpus vectors --for 10m", "digesto corpus vectors --new"}
}

// Run makes those that are missing.
func (c corpusVectorsCmd) Run(a *program) error {
	limit := time.Duration(-1)
	if c.For != "" {
		var err error
		if limit, err = time.ParseDuration(c.For); err != nil || limit <= 0 {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "El tiempo «" + c.For + "» no vale", Hint: "Escríbalo como 30s, 10m o 1h."}
		}
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	defer w.Close()
	m := w.Law.Model
	if m == nil || m.Second == nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "No hay vectores que calcular aparte: este programa no lleva modelo, o la configuración nombra un servicio, que los da al indexar",
			Hint: "«digesto config» dice qué modelo de vectores se usa."}
	}
	snap, err := a.Snapshot(w)
	if err != nil {
		return err
	}
	defer snap.Close()
	if len(snap.Norms()) == 0 {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ninguna ley instalada", Hint: "Instale textos con: digesto corpus add CARPETA --pack PAQUETE"}
	}
	if err := a.EmbedOwnAsks(); err != nil {
		return err
	}
	if c.New {
		if err := os.Remove(law.KeptPath(a.Settings.Data, snap.Content())); err != nil && !os.IsNotExist(err) {
			return disk.Error(err, law.KeptPath(a.Settings.Data, snap.Content()), "revise los permisos de la carpeta de datos")
		}
	}
	kept, err := law.OpenKept(a.Settings.Data, snap.Content(), m.Space)
	if err != nil {
		return err
	}
	return c.fill(a, m, snap, kept, limit)
}

func (c corpusVectorsCmd) fill(a *program, m *law.Embedding, snap *corpus.Snapshot, kept *vectorfile.File, limit time.Duration) error {
	texts, total, err := law.Missing(snap, kept)
	if err != nil {
		return err
	}
	progress, done := a.Progress("Vectores")
	start := time.Now()
	made, err := law.FillKept(a.Context, m, kept, texts, limit, progress)
	if err != nil {
		return err
	}
	done()
	if err := kept.Save(); err != nil {
		return err
	}
	if a.Context.Err() != nil {
		return a.Context.Err()
	}
	if a.json {
		return a.printJSON(map[string]any{"articles": total, "made": made, "missing": len(texts) - made, "file": kept.Path()})
	}
	fmt.Fprintf(a.out, "%d artículos vigentes: %d vectores calculados ahora en %s, faltan %d.\n", total, made, time.Since(start).Round(time.Second), len(texts)-made)
	return nil
}
