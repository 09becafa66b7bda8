// Package ingest turns files into norms, units, versions and references.
//
// It is the way from a path to a norm: walk lists the files and their histories, read
// chooses the reader of a file by its name and first bytes, formats makes a norm of what
// the reader gives, inspect looks at the norm with suspicion, add puts it into the
// library with its references. The readers stand below, a package a format (pdf, office,
// markup, boe; gitlog for texts kept in git), and give lines; structure makes units of
// lines, dating reads from notes since when each wording holds. Nothing is cut inside a
// paragraph, and what is not law (menus, reform notes, former wordings, contents tables)
// is kept apart or dropped, never quoted.
//
// A new format is a package with a function from bytes to lines, a function in
// formats.go that names the norm, and a case in sniff.
package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/xmltree"
)

// ReadFile makes documents of the bytes of one file, whose path tells the
// format with the help of its contents. A file that is not taken gives no
// document and the reason as a skipped defect; err is only that of ctx.
func ReadFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	f := sniff(path, data)
	if f.reason.Kind != "" {
		f.reason.File, f.reason.Skipped = path, true
		return nil, []corpus.Defect{f.reason}, nil
	}
	hash := contentHash(data, opt) // before: a reader that needs the bytes no more lets them go
	docs, defects, err := f.read(ctx, path, data, opt)
	if ctx.Err() != nil { // what a reader left is not the text
		err = ctx.Err()
	}
	if err != nil {
		return nil, nil, err
	}
	for i := range docs {
		docs[i].File, docs[i].ContentHash = path, hash
		dating.Date(&docs[i], opt.log)
		tellDefects(&docs[i])
	}
	return docs, defects, nil
}

// tellDefects names, in the report of a norm, the units whose text has a defect.
func tellDefects(d *corpus.Document) {
	what := []struct {
		kind digesto.DefectKind
		told string
	}{
		{digesto.DefectTwoWordings, "Dos redacciones que no se pueden separar"},
		{digesto.DefectUnseenReform, "Una reforma que la fuente anuncia y no imprime"},
		{digesto.DefectConditional, "Entrada en vigor sujeta a condición"},
		{digesto.DefectCutText, "Texto cortado a mitad de una frase"},
	}
	for _, w := range what {
		var labels []string
		for _, u := range d.Units {
			if slices.ContainsFunc(u.Versions[len(u.Versions)-1].Defects, func(x digesto.TextDefect) bool { return x.Kind == w.kind }) {
				labels = append(labels, u.Label)
			}
		}
		if len(labels) > 0 {
			d.Defects = append(d.Defects, corpus.Defect{File: d.File, Norm: d.Norm.ID, Kind: string(w.kind), Detail: w.told + ": " + line.Shorten(labels, 20)})
		}
	}
}

func contentHash(data []byte, opt Options) string {
	h := sha256.New()
	h.Write([]byte(opt.key()))
	h.Write([]byte{0})
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

type reader func(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error)

type format struct {
	read   reader
	reason corpus.Defect // why there is no reader
}

func noReader(kind, detail string) format {
	return format{reason: corpus.Defect{Kind: kind, Detail: detail}}
}

// byMark chooses the reader of a format that says its name in its first bytes, whatever
// the file is called; nil = none.
func byMark(data []byte) reader {
	switch {
	case bytes.HasPrefix(data, []byte("%PDF")) && len(data) > 4:
		return readPDFFile
	case bytes.HasPrefix(data, []byte("PK\x03\x04")) && len(data) > 4:
		return readArchiveFile
	case bytes.HasPrefix(data, []byte("{\\rtf")):
		return readRTFFile
	}
	return nil
}

// sniff chooses the reader by extension, and checks that the contents agree.
func sniff(path string, data []byte) format {
	ext := strings.ToLower(filepath.Ext(path))
	if len(strings.TrimSpace(string(data[:min(len(data), 4096)]))) == 0 && len(data) < 4096 {
		return noReader(line.KindEmpty, "El archivo está vacío")
	}
	if r := byMark(data); r != nil {
		return format{read: r}
	}
	switch ext {
	case ".docx", ".odt":
		return noReader(line.KindDamaged, fmt.Sprintf("Se llama %s pero no lo es: ábralo con su programa y guárdelo de nuevo", ext))
	case ".doc":
		return noReader(line.KindUnread, "El formato antiguo de Word (.doc) no se lee: guárdelo como .docx, .odt o PDF")
	case ".md", ".markdown", ".txt", ".text", ".jsonl", ".ndjson", ".html", ".htm", ".xhtml", ".xml":
		if line.NotText(data) {
			return noReader(line.KindBinary, fmt.Sprintf("Se llama %s pero no es texto: son datos binarios", ext))
		}
	}
	switch ext {
	case ".md", ".markdown":
		if strings.HasPrefix(strings.ToLower(filepath.Base(path)), "readme") {
			return noReader(line.KindDocs, "Documentación de la carpeta, no un texto legal")
		}
		return format{read: readMarkdownFile}
	case ".txt", ".text":
		return format{read: readTextFile}
	case ".jsonl", ".ndjson":
		return format{read: readJSONLFile}
	case ".pdf":
		return noReader(line.KindDamaged, "Se llama .pdf pero no empieza como un PDF: descárguelo de nuevo")
	case ".xml":
		return format{read: readXMLFile}
	case ".json":
		return format{read: readJSONFile}
	case ".html", ".htm", ".xhtml":
		return format{read: readHTMLFile}
	}
	if xmltree.Looks(data) {
		return format{read: readXMLFile}
	}
	if ext == ".patch" || ext == ".diff" {
		return noReader(line.KindNotNorm, "Es la diferencia entre dos textos, no un texto: añada la carpeta del repositorio git, cuya historia se lee entera")
	}
	return noReader(line.KindUnread, fmt.Sprintf("El formato %q aún no se lee: conviértalo a PDF, Markdown, texto o JSON Lines", line.FirstOf(ext, filepath.Base(path))))
}
