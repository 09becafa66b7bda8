package main

import (
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
)

// coverageCmd says what is installed and what is not.
type coverageCmd struct {
	Pack  string `name:"pack" placeholder:"PAQUETE" help:"Solo ese paquete."`
	Table bool   `name:"table" help:"Tabla de toda la biblioteca: normas, unidades, versiones, referencias y defectos."`
	Norms bool   `name:"norms" help:"Norma por norma, lo que cada paquete espera y lo que hay."`
}

// Examples of the command.
func (coverageCmd) Examples() []string {
	return []string{"digesto coverage", "digesto coverage --pack laboral", "digesto coverage --table", "digesto coverage --pack laboral --norms", "digesto coverage --json"}
}

// packCoverage is what is installed of one pack.
type packCoverage struct {
	Pack        string         `json:"pack"`
	Title       string         `json:"title"`
	Norms       int            `json:"norms"`
	Units       int            `json:"units"`
	Versions    int            `json:"versions"`
	Fiches      int            `json:"fiches"`
	Collections map[string]int `json:"collections"`
	Oldest      digesto.Date   `json:"oldest_text,omitempty"`
	Newest      digesto.Date   `json:"newest_text,omitempty"`
	Undated     int            `json:"undated"`
	Missing     []string       `json:"missing"`  // sources the pack expects that are not there
	Gaps        []string       `json:"gaps"`     // collections with nothing in them
	Damaged     []string       `json:"damaged"`  // installed norms whose stored text cannot be read
	Supplied    int            `json:"supplied"` // norms that somebody gave, of which nothing proves who published them
	Install     string         `json:"install,omitempty"`

	Sources []normCompleteness `json:"sources"` // norm by norm
}

// Run prints it.
func (c coverageCmd) Run(a *app) error {
	w, err := a.open(a.ctx)
	if err != nil {
		return err
	}
	defer w.close()
	if c.Table {
		return c.table(a, w)
	}
	out, err := c.measure(a, w)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(out)
	}
	for _, pc := range out.Packs {
		pc.print(a)
		if c.Norms {
			printNorms(a, pc.Sources)
		}
	}
	return nil
}

// table prints what the library holds by jurisdiction and format.
func (c coverageCmd) table(a *app, w *world) error {
	snap, err := a.snapshot(w)
	if err != nil {
		return err
	}
	defer snap.Close()
	t, err := tableOf(snap)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(t)
	}
	return t.print(a)
}

// coverage is what is installed of every pack.
type coverage struct {
	AsOf    digesto.Date   `json:"as_of"`
	Corpus  string         `json:"corpus"`
	Defects int            `json:"defects"`
	Packs   []packCoverage `json:"packs"`

	Effects []corpus.Effect `json:"effects"` // of norms on others, each with what became of it
}

func (c coverageCmd) measure(a *app, w *world) (coverage, error) {
	if _, err := w.pack(c.Pack); err != nil {
		return coverage{}, err
	}
	snap, err := a.snapshot(w)
	if err != nil {
		return coverage{}, err
	}
	defer snap.Close()
	out := coverage{AsOf: a.today(), Corpus: snap.Hash(), Defects: len(snap.Defects()), Packs: []packCoverage{}, Effects: effectsOf(snap)}
	for _, p := range w.packs {
		if c.Pack != "" && p.Name != c.Pack {
			continue
		}
		pc, err := coverageOf(snap, p)
		if err != nil {
			return coverage{}, err
		}
		out.Packs = append(out.Packs, pc)
	}
	return out, nil
}

func coverageOf(snap *corpus.Snapshot, p *pack.Pack) (packCoverage, error) {
	pc := packCoverage{Pack: p.Name, Title: p.Title, Fiches: len(p.Fiches), Collections: map[string]int{}, Missing: []string{}, Gaps: []string{}, Damaged: []string{}}
	for _, n := range snap.Norms() {
		if !p.Sees(n) {
			continue
		}
		pc.Norms++
		pc.Collections[n.Collection]++
		if n.Supplied {
			pc.Supplied++
		}
		if n.TextAsOf == "" {
			pc.Undated++
		} else {
			if pc.Oldest == "" || n.TextAsOf < pc.Oldest {
				pc.Oldest = n.TextAsOf
			}
			pc.Newest = max(pc.Newest, n.TextAsOf)
		}
		for u, err := range snap.All(n.ID) {
			if digesto.CodeOf(err) == digesto.CodeCheck {
				pc.Damaged = append(pc.Damaged, corpus.NameOf(n))
				break
			}
			if err != nil {
				return pc, err
			}
			pc.Units++
			pc.Versions += len(u.Versions)
		}
	}
	var err error
	if pc.Sources, err = completeness(snap, p.Sources); err != nil {
		return pc, err
	}
	for _, s := range pc.Sources {
		if !s.Installed {
			pc.Missing = append(pc.Missing, s.Title)
		}
	}
	for _, col := range p.Collections {
		if pc.Collections[col.Name] == 0 && col.Empty != "" {
			pc.Gaps = append(pc.Gaps, col.Empty)
		}
	}
	if pc.Norms == 0 {
		pc.Install = p.Install.Command()
	}
	return pc, nil
}

func (pc packCoverage) print(a *app) {
	st := a.outStyle()
	fmt.Fprintf(a.out, "%s  %s\n", st.bold(pc.Pack), pc.Title)
	if pc.Norms == 0 {
		fmt.Fprintf(a.out, "  sin ley instalada; %d fichas propias. Para instalar: %s\n", pc.Fiches, pc.Install)
	} else {
		fmt.Fprintf(a.out, "  %d normas, %d artículos y otras unidades, %d versiones; %d fichas propias\n", pc.Norms, pc.Units, pc.Versions, pc.Fiches)
		if pc.Supplied > 0 {
			fmt.Fprintf(a.out, "  %d aportadas: no consta que su texto venga de su publicador\n", pc.Supplied)
		}
		fmt.Fprintf(a.out, "  textos de %s a %s; %d sin fecha\n", orDash(pc.Oldest), orDash(pc.Newest), pc.Undated)
		var cols []string
		for k, n := range pc.Collections {
			cols = append(cols, fmt.Sprintf("%s %d", k, n))
		}
		slices.Sort(cols)
		fmt.Fprintln(a.out, "  colecciones: "+strings.Join(cols, ", "))
	}
	for _, d := range pc.Damaged {
		fmt.Fprintln(a.out, "  "+hang(st.bad("dañada")+": "+clean(d)+" no se puede leer; vea «digesto corpus check»", a.columns()-2, 4))
	}
	for _, g := range pc.Gaps {
		fmt.Fprintln(a.out, st.dim("  falta: "+g))
	}
	for i, m := range pc.Missing {
		if i == 5 && pc.Norms > 0 {
			fmt.Fprintf(a.out, st.dim("  y %d normas más que no están\n"), len(pc.Missing)-i)
			break
		}
		if pc.Norms > 0 {
			fmt.Fprintln(a.out, st.dim("  "+hang("no está: "+clean(m), a.columns()-2, 4)))
		}
	}
}

func orDash(d digesto.Date) string {
	if d == "" {
		return "—"
	}
	return string(d)
}
