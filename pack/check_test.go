package pack_test

import (
	"strings"
	"testing"

	"digesto/pack"
)

// TestCheckFinds: each kind of unsoundness is found, and only then.
func TestCheckFinds(t *testing.T) {
	fiche := text(t, "fiches.yaml")
	rules := text(t, "rules.yaml")
	man := text(t, "pack.yaml")
	head := "name\tnorm\tweak\tjurisdiction\n"
	src := "id\ttitle\tshort\trank\turl\tarticles\n"
	tests := []struct{ name, file, text, want string }{
		{"sound", "p/none", "", ""},
		{"dangling alias", "p/aliases.tsv", head + "Ley X\tREG-9\t\t\n", "p/aliases.tsv:2: el alias «Ley X» lleva a la norma «REG-9», que no está en las fuentes"},
		{"alias twice", "p/aliases.tsv", head + "RGB\tREG-1\t\t\nrgb\tREG-1\t\t\n", "«rgb» está dos veces"},
		{"alias of two norms", "p/aliases.tsv", head + "RGB\tREG-1\t\t\nRGB\tREG-2\t\t\n", "lleva a dos normas"},
		{"source twice", "p/sources.tsv", src + "REG-1\tA\t\t\t\t\nREG-1\tA\t\t\t\t\nREG-2\tB\t\t\t\t\n", "«REG-1» está dos veces"},
		{"unknown rank", "p/sources.tsv", src + "REG-1\tA\t\tbula\t\t\nREG-2\tB\t\t\t\t\n", "rango «bula»"},
		{"fact of an unknown norm", "p/sources.tsv", src + "REG-2\tB\t\t\t\t\n", "cita la norma «REG-1»"},
		{"no address", "p/fiches.yaml", strings.Replace(fiche, `url: "https://biblioteca.example/reg", anchor: true`, `url: ""`, 1), "sin dirección oficial"},
		{"no review date", "p/fiches.yaml", strings.Replace(fiche, "reviewed: 2026-11-21\n", "", 1), "sin fecha de revisión"},
		{"amount without year", "p/fiches.yaml", strings.Replace(fiche, "En 2026 la multa", "La multa", 1), "sin el año"},
		{"two sentences", "p/fiches.yaml", strings.Replace(fiche, "veintiún días.", "veintiún días. Se puede renovar.", 1), "más de una frase"},
		{"no full stop", "p/fiches.yaml", strings.Replace(fiche, "veintiún días.", "veintiún días", 1), "acabar en punto"},
		{"too long", "p/fiches.yaml", strings.Replace(fiche, "veintiún días.", strings.Repeat("muy ", 130)+"largo.", 1), "entre 20 y 500"},
		{"fact twice", "p/fiches.yaml", strings.Replace(fiche, "id: multa", "id: duracion", 1), "«sduracion» de la ficha «prestamo» está dos veces"},
		{"example not recognised", "p/rules.yaml", strings.Replace(rules, "examples: [hola,", "examples: [adiós,", 1), "no reconoce su ejemplo «adiós»"},
		{"near miss taken", "p/rules.yaml", strings.Replace(rules, `"amuseo"`, `"el museo"`, 1), "p/rules.yaml:11: detector «out_of_scope»: salta con el caso cercano «el museo»"},
		{"overlapping detectors", "p/rules.yaml", strings.Replace(rules, `when: ["museo|museos"]`, `when: ["museo|museos|hola"]`, 1), "también es de «out_of_scope»"},
		{"no near misses", "p/rules.yaml", strings.Replace(rules, `    near_misses: ["hola, ¿cuánto dura un préstamo?"]`+"\n", "", 1), "necesita ejemplos"},
		{"options not distinct", "p/rules.yaml", strings.Replace(rules, "match: [niño, menor]", "match: [niño, adulto]", 1), "p/rules.yaml:19: la opción"},
		{"option that is ambiguous itself", "p/rules.yaml", strings.Replace(rules, "query: requisitos del carné infantil", "query: el carné", 1), "ella misma ambigua"},
		{"collection without weight", "p/pack.yaml", strings.Replace(man, "title: Fichas, weight: 0.5", "title: Fichas, weight: 0", 1), "peso mayor que cero"},
		{"class over an unknown collection", "p/rules.yaml", strings.Replace(rules, "collection: fichas", "collection: mapas", 1), "colección «mapas»"},
		{"tool that is not there", "p/pack.yaml", man + "tools: [calculadora]\n", "herramienta «calculadora» no está"},
	}
	for _, x := range tests {
		p, err := pack.Load(files(t, map[string]string{x.file: x.text}), "p")
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		bad := pack.Check(p)
		var all []string
		for _, b := range bad {
			all = append(all, b.String())
		}
		if got := strings.Join(all, "\n"); x.want == "" && got != "" || !strings.Contains(got, x.want) {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}
