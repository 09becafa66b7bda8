// Package pdftest makes small PDFs for tests.
package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// Small PDFs made here: two standard fonts, uncompressed streams, a cross-
// reference table. Coordinates are points from the lower left corner of A4.

// MakePDF gives a document whose pages have these content streams.
func MakePDF(pages ...string) []byte {
	var objs []string
	kids := make([]string, len(pages))
	for i := range pages {
		kids[i] = fmt.Sprintf("%d 0 R", 5+2*i)
	}
	objs = append(objs,
		"<< /Type /Catalog /Pages 2 0 R >>",
		fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(pages)),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
	)
	for i, p := range pages {
		objs = append(objs,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>", 6+2*i),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(p), p))
	}
	return AssemblePDF("", objs)
}

// AssemblePDF writes objects 1…n with their cross-reference table.
func AssemblePDF(trailer string, objs []string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	offsets := make([]int, len(objs))
	for i, o := range objs {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objs)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(objs)+1, trailer, start)
	return b.Bytes()
}

// At shows a line of text; a size below zero means bold.
func At(x, y, size float64, s string) string {
	font := "F1"
	if size < 0 {
		font, size = "F2", -size
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 128:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\%03o", r&0xff) // Latin-1 is enough here
		}
	}
	return fmt.Sprintf("BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, y, b.String())
}

// Lines sets lines of 10 points one below the other, 12 points apart.
func Lines(x, y float64, ls ...string) string {
	var b strings.Builder
	for i, l := range ls {
		if l != "" {
			b.WriteString(At(x, y-12*float64(i), 10, l))
		}
	}
	return b.String()
}

// Frame draws a box as word processors do: four thin rectangles and their corners.
func Frame(left, bottom, right, top float64) string {
	const w = 0.5
	return fmt.Sprintf("%g %g %g %g re f\n%g %g %g %g re f\n%g %g %g %g re f\n%g %g %g %g re f\n",
		left, bottom, right-left, w, left, top, right-left, w, left, bottom, w, top-bottom, right, bottom, w, top-bottom)
}

// Bar draws a vertical rule.
func Bar(x, bottom, top float64) string {
	return fmt.Sprintf("%g %g 0.5 %g re f\n", x, bottom, top-bottom)
}

// HugePDF declares n pages and has one.
func HugePDF(n int) []byte {
	return bytes.Replace(MakePDF(Lines(90, 700, "Una.")), []byte("/Count 1"), []byte(fmt.Sprintf("/Count %d", n)), 1)
}
