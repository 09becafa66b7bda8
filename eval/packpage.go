package eval

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
)

// Markdown gives the reports as a document.
func Markdown(list []PackReport) []byte {
	var b strings.Builder
	b.WriteString("# Evaluación de los paquetes\n")
	for _, p := range list {
		fmt.Fprintf(&b, "\n## %s\n\n| clase | categoría | casos | acierto | IC 95 %% | p50 ms | p95 ms | llamadas |\n|---|---|---|---|---|---|---|---|\n", p.Pack)
		for _, g := range p.Groups {
			fmt.Fprintf(&b, "| %s | %s | %d | %.3f | %.3f–%.3f | %.1f | %.1f | %d |\n", g.Kind, g.Category, g.N, g.Score, g.CI.Low, g.CI.High, g.P50, g.P95, g.Calls)
		}
		b.WriteString("\n" + p.Line() + "\n")
		for _, r := range p.Cases {
			if len(r.Faults) > 0 {
				fmt.Fprintf(&b, "- %s, %s: «%s» — %s\n", r.Kind, r.ID, r.Question, strings.Join(r.Faults, "; "))
			}
		}
	}
	return []byte(b.String())
}

// Line is the report in one line, in Spanish.
func (p PackReport) Line() string {
	s := p.Refusals
	return fmt.Sprintf("Citas %d, literales %d. Negativas: precisión %.3f, exhaustividad %.3f (%d de %d); falsas %.3f (%d de %d). Sin ejecutar %d.",
		p.Quotes, p.Verbatim, s.Precision, s.Recall, s.Rightly, s.ToRefuse, s.False, s.Wrongly, s.ToAnswer, p.Skipped)
}

// Page gives the reports as one static HTML page: a plot of each kind with its
// interval, tables, and each case with its whole trace to open. It loads nothing.
func Page(list []PackReport) []byte {
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"es\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Evaluación de los paquetes</title>\n" +
		"<style>body{font-family:sans-serif;max-width:70em;margin:1em auto;padding:0 1em}table{border-collapse:collapse}td,th{padding:.2em .6em;text-align:left;border-bottom:1px solid #ccc}pre{white-space:pre-wrap;background:#f4f4f4;padding:.5em}.no{color:#a11}</style>\n<h1>Evaluación de los paquetes</h1>\n")
	for _, p := range list {
		fmt.Fprintf(&b, "<h2>%s</h2>\n%s<p>%s</p>\n", html.EscapeString(p.Pack), p.plot(), html.EscapeString(p.Line()))
		b.WriteString("<table><tr><th>clase<th>categoría<th>casos<th>acierto<th>IC 95 %<th>p50 ms<th>p95 ms\n")
		for _, g := range p.Groups {
			fmt.Fprintf(&b, "<tr><td>%s<td>%s<td>%d<td>%.3f<td>%.3f–%.3f<td>%.1f<td>%.1f\n", g.Kind, html.EscapeString(g.Category), g.N, g.Score, g.CI.Low, g.CI.High, g.P50, g.P95)
		}
		b.WriteString("</table>\n<h3>Casos</h3>\n")
		for _, r := range p.Cases {
			b.WriteString(r.details())
		}
	}
	b.WriteString("</html>\n")
	return []byte(b.String())
}

// details is a case to open: faults, then every answer with its trace.
func (r CaseResult) details() string {
	class, mark := "", "sí"
	switch {
	case r.Skipped != "":
		mark = "sin ejecutar: " + r.Skipped
	case r.Score < 1:
		class, mark = ` class="no"`, "no"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary%s>%s · %s · %s · %s</summary>\n", class, html.EscapeString(r.ID), r.Kind, html.EscapeString(mark), html.EscapeString(r.Question))
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(f))
	}
	for _, a := range r.Answers {
		data, err := json.MarshalIndent(a, "", " ")
		if err == nil {
			fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(string(data)))
		}
	}
	return b.String() + "</details>\n"
}

// plot draws a bar for each kind with its interval as a line.
func (p PackReport) plot() string {
	var b strings.Builder
	row := 0
	for _, g := range p.Groups {
		if g.Category != "" {
			continue
		}
		y := 8 + 26*row
		row++
		fmt.Fprintf(&b, `<text x="0" y="%d">%s (%d)</text><rect x="170" y="%d" width="%.1f" height="14" fill="#0b57a4"/><path d="M%.1f %dH%.1f" stroke="#000" stroke-width="2"/><text x="580" y="%d">%.3f</text>`+"\n",
			y+12, g.Kind, g.N, y, 400*g.Score, 170+400*g.CI.Low, y+7, 170+400*g.CI.High, y+12, g.Score)
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="%d" role="img" aria-label="Acierto por clase de caso" font-size="12">`+"\n%s</svg>\n", 12+26*row, b.String())
}

// JSON gives the reports with every case and its answers.
func JSON(list []PackReport) []byte {
	data, err := json.MarshalIndent(list, "", " ")
	if err != nil { // only values that JSON has
		return nil
	}
	return append(data, '\n')
}

// Flat gives the scores of all kinds under one name each: "clara.answer".
func Flat(list []PackReport) Metrics {
	out := Metrics{}
	for _, p := range list {
		for _, g := range p.Groups {
			if g.Category == "" {
				out[p.Pack+"."+string(g.Kind)] = g.Score
			}
		}
		out[p.Pack+".refusal_precision"], out[p.Pack+".refusal_recall"], out[p.Pack+".false_refusals"] = p.Refusals.Precision, p.Refusals.Recall, p.Refusals.False
	}
	return out
}

// String gives the measures in the order of their names.
func (m Metrics) String() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s %.4f", k, m[k]))
	}
	return strings.Join(parts, " · ")
}
