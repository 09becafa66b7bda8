package server_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/decide"
	"digesto/digest"
	"digesto/pack"
	"digesto/server"
)

// TestCorpusPage says how old the law of each pack is, and offers to do something
// about it to whoever runs the server alone.
func TestCorpusPage(t *testing.T) {
	boss := true
	jobs := server.NewJobs(t.Context(), time.Now, func(context.Context, server.Order, func(string, int, int)) ([]string, error) { return nil, nil })
	w := newWorld(t, func(o *server.Options) {
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Mar", Sources: []pack.Source{{ID: "FARO-1"}}}, {Name: "tierra", Title: "Tierra", Jurisdictions: []string{"zz"}, Sources: []pack.Source{{ID: "T-1"}, {ID: "T-2"}}, Install: pack.Install{Pull: "digesto corpus pull tierra"}}}
		o.Jobs = jobs
		o.Looked = func() map[string]digesto.Date { return map[string]digesto.Date{"mar": "2026-09-01"} }
		o.Admin = func(*http.Request) error {
			if boss {
				return nil
			}
			return &digesto.Error{Code: digesto.CodeForbidden, Message: "no es quien lleva esto"}
		}
	})
	want(t, w.page("/corpus").Body.String(), "1 de sus 1 fuentes", "hace 81 días", "Atrasado", `value="update">Buscar cambios<`, "Buscar cambios en todo")
	boss = false
	if page := w.page("/corpus").Body.String(); strings.Contains(page, "Buscar cambios") || !strings.Contains(page, "hace 81 días") {
		t.Error("who does not run the server is offered to")
	}
	for _, r := range [][2]string{{"POST", "/corpus"}, {"POST", "/v1/corpus/job"}, {"GET", "/v1/corpus/job"}, {"DELETE", "/v1/corpus/job"}} {
		if rec := w.do(r[0], r[1], `{"do":"update"}`, "Content-Type", "application/json"); rec.Code != http.StatusForbidden {
			t.Errorf("%v: %d", r, rec.Code)
		}
	}
}

// TestJobs: one at a time, an end by hand, an end with the program, and one that
// breaks takes nothing with it.
func TestJobs(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	free := make(chan error)
	jobs := server.NewJobs(ctx, time.Now, func(ctx context.Context, o server.Order, tell func(string, int, int)) ([]string, error) {
		tell("paso", 1, 2)
		if o.Pack == "roto" {
			panic("roto")
		}
		select {
		case err := <-free:
			return []string{o.Do + " " + o.Pack}, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	end := func() server.Job {
		t.Helper()
		for {
			j, more := jobs.State()
			if !j.Under() {
				return j
			}
			<-more
		}
	}
	begin := func(pack string) {
		t.Helper()
		if _, err := jobs.Start(server.Order{Do: "update", Pack: pack}); err != nil {
			t.Fatal(err)
		}
	}
	begin("a")
	if _, err := jobs.Start(server.Order{Do: "update"}); digesto.CodeOf(err) != digesto.CodeConflict {
		t.Errorf("a second one: %v", err)
	}
	if _, err := jobs.Run(server.Order{Do: "update"}); digesto.CodeOf(err) != digesto.CodeConflict {
		t.Errorf("a second one, waited for: %v", err)
	}
	free <- nil
	if j := end(); j.State != "done" || len(j.Lines) != 1 || j.Step != "paso" || j.Total != 2 || j.Ended == nil {
		t.Errorf("%+v", j)
	}
	begin("b")
	free <- errors.New("se cayó el cielo")
	if j := end(); j.State != "failed" || j.Error == "" || strings.Contains(j.Error, "cielo") {
		t.Errorf("a fault of the inside: %+v", j)
	}
	begin("roto")
	if j := end(); j.State != "failed" || strings.Contains(j.Error, "roto") {
		t.Errorf("one that breaks: %+v", j)
	}
	begin("c")
	jobs.Stop()
	if j := end(); j.State != "cancelled" {
		t.Errorf("stopped: %+v", j)
	}
	begin("d")
	stop()
	jobs.Wait()
	if j, _ := jobs.State(); j.State != "cancelled" {
		t.Errorf("the program ended: %+v", j)
	}
}

// TestCoveragePage says to how many units of each norm questions lead, and which are
// withdrawn and why.
func TestCoveragePage(t *testing.T) {
	entry := func(unit, words string) digest.Entry {
		return digest.Entry{Norm: "FARO-1", Unit: unit, Words: words, Asks: []digest.Ask{{Kind: digest.Short, Text: "¿Cuánto descansa un farero?"}}}
	}
	w := newWorld(t, func(o *server.Options) {
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Mar"}}
		o.Find = decide.NewFinder(decide.Options{Files: func(pack string) ([]digest.File, error) {
			return []digest.File{{Norm: "FARO-1", Entries: []digest.Entry{entry("a1", "faro"), entry("a99", "faro"), entry("a1", "palabras que no están ahí")}}}, nil
		}})
	})
	page := w.page("/corpus/mar").Body.String()
	want(t, page, "1 de ", "Retiradas", "la unidad no está en vigor", "palabras que no están ahí", `href="/leyes/FARO-1"`)
	if rec := w.do("GET", "/corpus/nada", ""); rec.Code != http.StatusNotFound {
		t.Errorf("a pack that does not exist: %d", rec.Code)
	}
}
