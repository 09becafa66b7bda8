package eval

import (
	"fmt"
	"strings"
)

// Size of the plot in pixels; the drawing area leaves room for the labels.
const (
	plotW, plotH = 560, 420
	plotX, plotY = 60, 30 // upper left corner of the drawing area
	plotArea     = 330
)

// Plot draws the curve of a drop-a-law test: how much is answered with the law
// present against how right what is answered is, and against how much is
// answered with the law taken out. As SVG, or as a page with a table.
func Plot(r RefusalReport, html bool) []byte {
	var b strings.Builder
	if html {
		b.WriteString("<!doctype html>\n<html lang=\"es\"><meta charset=\"utf-8\"><title>Cobertura y acierto</title>\n<body style=\"font-family:sans-serif\">\n<h1>Cobertura y acierto</h1>\n")
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img" aria-label="Cobertura frente a acierto" font-family="sans-serif" font-size="12">`+"\n", plotW, plotH)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", plotW, plotH)
	for k := range 6 {
		v := float64(k) / 5
		x, y := plotAt(v, v)
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.1f</text><text x="%.1f" y="%d" text-anchor="middle">%.1f</text>`+"\n",
			plotX, y, plotX+plotArea, plotX-6, y+4, v, x, plotY+plotArea+18, v)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">contestadas con la ley instalada</text>`+"\n", plotX+plotArea/2, plotY+plotArea+40)
	b.WriteString(plotLine(r.Curve, "#0b57a4", "acierto de lo contestado", 0, func(p CurvePoint) float64 { return p.Precision }))
	b.WriteString(plotLine(r.Curve, "#b3261e", "contestadas sin la ley", 1, func(p CurvePoint) float64 { return p.Anyway }))
	b.WriteString("</svg>\n")
	if html {
		b.WriteString("<table><caption>Umbral de confianza</caption><tr><th>desde<th>contestadas<th>acierto<th>sin la ley\n")
		for _, p := range r.Curve {
			fmt.Fprintf(&b, "<tr><td>%.2f<td>%.3f<td>%.3f<td>%.3f\n", p.Least, p.Coverage, p.Precision, p.Anyway)
		}
		b.WriteString("</table></body></html>\n")
	}
	return []byte(b.String())
}

func plotAt(x, y float64) (px, py float64) {
	return plotX + x*plotArea, plotY + (1-y)*plotArea
}

func plotLine(curve []CurvePoint, colour, name string, row int, value func(CurvePoint) float64) string {
	var points []string
	for _, p := range curve {
		x, y := plotAt(p.Coverage, value(p))
		points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
	}
	ly := plotY + 14 + 18*row
	return fmt.Sprintf(`<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/><path d="M%d %dh18" stroke="%s" stroke-width="2"/><text x="%d" y="%d">%s</text>`+"\n",
		strings.Join(points, " "), colour, plotX+plotArea+8, ly-4, colour, plotX+plotArea+30, ly, name)
}
