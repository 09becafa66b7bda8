package write

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digesto/ground"
	"digesto/query"
	"digesto/text/lazyregexp"
	"digesto/verify"
)

// classicPrompt is for packs that bring no classic prompt of their own.
const classicPrompt = `Respondes preguntas en español con la información que se te da, en frases claras y breves. Si no basta, dilo. Di al final de qué norma sale cada dato.`

// chunksContext numbers the passages by the marks that the answer must end its
// paragraphs with.
var chunksContext = query.MustPrompt("chunks", `CHUNKS RECUPERADOS
{{range $k, $s := .sources}}
[C{{inc $k}}]
{{with $s.procedure}}Trámite: {{.}}
{{end}}Documento: {{$s.document}}
Ley: {{$s.short}}
Sección: {{$s.part}}
Relevancia: {{$s.score}}
Contenido: {{$s.text}}
Fuente: {{$s.url}}
{{end}}`)

// marksAreNumbers says that the writer gets passages by their marks: the pack's prompt
// speaks of [C1], and the flag has not put the classic prompt in its place.
func marksAreNumbers(g ground.Grounds) bool {
	p, ok := g.Pack.Prompt("answer")
	return ok && g.GroundedPrompt() && strings.Contains(p.Text, "[C1]")
}

func procedure(g ground.Grounds) string {
	if g.Guide == nil {
		return ""
	}
	return g.Guide.Title
}

// partOf is the section of the guide that a passage stands for, else its label.
func partOf(g ground.Grounds, s verify.Ground) string {
	if g.Guide != nil {
		for _, x := range g.Guide.Items {
			if x.Own.Unit.ID == s.Unit.ID && x.Own.Norm.ID == s.Norm.ID || x.Has && x.Law.Unit.ID == s.Unit.ID && x.Law.Norm.ID == s.Norm.ID {
				return x.Section
			}
		}
	}
	return strings.TrimSuffix(s.Unit.Label+". "+s.Unit.Rubric, ". ")
}

func scoreOf(g ground.Grounds, s verify.Ground) float64 {
	if g.Guide != nil {
		for _, x := range g.Guide.Items {
			if x.Own.Norm.ID == s.Norm.ID && x.Own.Unit.ID == s.Unit.ID || x.Has && x.Law.Norm.ID == s.Norm.ID && x.Law.Unit.ID == s.Unit.ID {
				return x.Score
			}
		}
	}
	for _, x := range g.List {
		if x.Norm.ID == s.Norm.ID && x.Unit.ID == s.Unit.ID {
			return x.Score
		}
	}
	return 0
}

// relabel holds what a model wrote to the marks of its passages: [Ck] stands for
// the citations from passage k, and becomes theirs. A paragraph whose mark has no
// verified citation, or that has none while there are several to choose from, is
// left out and that is said. why is not empty when nothing is left.
func (d *Draft) relabel(sources []verify.Ground) (why string) {
	of := map[int][]string{} // passage → marks of its citations
	for _, c := range d.Citations {
		k := slices.IndexFunc(sources, func(s verify.Ground) bool { return s.Norm.ID == c.Ref.Document && s.Unit.ID == c.Ref.Unit })
		of[k+1] = append(of[k+1], "["+c.Ref.Label+"]")
	}
	var kept []string
	dropped := 0
	for p := range strings.SplitSeq(d.Answer, "\n\n") {
		p = strings.TrimSpace(p)
		if p == "" {
			continue
		}
		marks, ok := marksOf(p, of)
		if !ok {
			dropped++
			continue
		}
		body := strings.TrimSpace(Labelled.ReplaceAllString(p, ""))
		kept = append(kept, strings.TrimSpace(spaces.Replace(body))+" "+strings.Join(marks, " "))
	}
	if len(kept) == 0 {
		return "writer_unlabelled"
	}
	if dropped > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("Se han quitado %d párrafos sin una fuente comprobada.", dropped))
	}
	d.Answer = strings.Join(kept, "\n\n")
	return ""
}

// spaces closes the gaps that marks leave before a stop.
var spaces = strings.NewReplacer(" .", ".", " ,", ",", " ;", ";", "  ", " ")

// marksOf gives the marks of the citations behind a paragraph's passages.
func marksOf(p string, of map[int][]string) ([]string, bool) {
	said := Labelled.FindAllStringSubmatch(p, -1)
	if len(said) == 0 {
		if len(of) != 1 { // whose it is cannot be told
			return nil, false
		}
		for _, m := range of {
			return m, true
		}
	}
	var out []string
	for _, s := range said {
		k, err := strconv.Atoi(s[1])
		if err != nil || len(of[k]) == 0 {
			return nil, false
		}
		for _, m := range of[k] {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out, true
}

var Labelled = lazyregexp.New(`\[C(\d+)\]`)
