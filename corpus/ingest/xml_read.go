package ingest

import (
	"context"
	"fmt"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text"
)

const (
	kindNotNorm  = "not_a_norm"    // metadata, a summary, a list: official, but not the text of a norm
	kindErrorDoc = "error_page"    // a service's error in place of the document
	kindCut      = "cut_off"       // the document ends before its end
	kindNoMeta   = "metadata_gone" // the identity had to be taken from the file's name
)

// readXMLFile reads the XML of an official journal: consolidated texts with all
// versions of each block, or texts as published. Its root element tells which.
func readXMLFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	root, cut, err := parseXML(data)
	if err != nil {
		return refuse(path, kindDamaged, "XML: "+err.Error()+": descárguelo de nuevo de su fuente")
	}
	var docs []corpus.Document
	var defects []corpus.Defect
	switch {
	case root.name == "response" && root.child("data", "texto") != nil:
		docs, defects, err = readConsolidated(ctx, path, root.child("data"), opt)
	case root.name == "texto" && root.child("bloque") != nil:
		docs, defects, err = readConsolidated(ctx, path, &xnode{kids: []*xnode{root}}, opt)
	case root.name == "documento" && root.child("texto") != nil:
		docs, defects, err = readDayXML(ctx, path, root, opt)
	default:
		return refuse(path, kindOfXML(root), detailOfXML(root))
	}
	for i := range docs {
		if cut {
			docs[i].Defects = append(docs[i].Defects, corpus.Defect{File: path, Norm: docs[i].Norm.ID, Kind: kindCut, Detail: "El XML se corta antes de su final: se guarda lo leído; descárguelo de nuevo"})
		}
	}
	return docs, defects, err
}

func refuse(path, kind, detail string) ([]corpus.Document, []corpus.Defect, error) {
	return nil, []corpus.Defect{{File: path, Kind: kind, Detail: detail, Skipped: true}}, nil
}

// kindOfXML and detailOfXML say why a document without the text of a norm is not taken.
func kindOfXML(root *xnode) string {
	switch {
	case root.name == "sumario", root.child("data", "sumario") != nil, root.child("data", "metadatos") != nil, root.child("data", "item") != nil:
		return kindNotNorm
	case root.child("status", "code") != nil, root.name == "error", root.name == "html":
		return kindErrorDoc
	}
	return kindDamaged
}

func detailOfXML(root *xnode) string {
	switch {
	case root.name == "sumario", root.child("data", "sumario") != nil:
		return "Es el sumario de un diario oficial, no una norma: las normas que enumera se añaden una a una"
	case root.child("data", "metadatos") != nil:
		return "Son solo los metadatos de " + root.value("data", "metadatos", "identificador") + ": añada el documento completo, con su texto"
	case root.child("data", "item") != nil:
		return "Es una lista de normas, no el texto de ninguna"
	case root.child("status", "code") != nil:
		return fmt.Sprintf("El servicio respondió con un error (%s %s) en lugar de la norma: descárguela de nuevo", root.value("status", "code"), root.value("status", "text"))
	case root.name == "html" || root.name == "error":
		return "Es una página de error, no la norma: descárguela de nuevo"
	}
	return fmt.Sprintf("XML sin texto legal (elemento «%s»): se esperan los de un diario oficial", clip(root.name, 40))
}

// xmlNorm makes the identity of a norm from the metadata of its XML, whose form
// both kinds of document share.
func xmlNorm(path string, meta *xnode, opt Options) digesto.Norm {
	n := front{}.norm(path, opt)
	n.Format = "xml"
	if meta == nil {
		return n
	}
	if id := safeID(meta.value("identificador")); id != "" {
		n.ID = id
	}
	n.Title = strings.TrimSuffix(meta.value("titulo"), ".")
	n.Rank = rankName(meta.value("rango"))
	n.Published, n.TextAsOf = compactDate(meta.value("fecha_publicacion")), compactDate(meta.value("fecha_publicacion"))
	eli := meta.value("url_eli")
	n.URL = firstOf(meta.value("url_html_consolidada"), eli, n.URL)
	if eli != "" {
		n.IDs = append(n.IDs, eli)
		n.Jurisdiction, n.Territory = eliTerritory(eli, n.Jurisdiction)
	}
	switch {
	case meta.value("estatus_derogacion") == "S":
		n.Status, n.StatusNote = digesto.StatusRepealed, "Derogada, según los metadatos de la fuente"
		n.RepealedFrom = compactDate(meta.value("fecha_derogacion"))
	case meta.value("vigencia_agotada") == "S":
		n.Status, n.StatusNote = digesto.StatusRepealed, "Vigencia agotada, según los metadatos de la fuente"
	case firstOf(meta.value("estatus_anulacion"), meta.value("judicialmente_anulada")) == "S":
		n.Status, n.StatusNote = digesto.StatusRepealed, "Anulada judicialmente, según los metadatos de la fuente"
		n.RepealedFrom = compactDate(meta.value("fecha_anulacion"))
	case meta.value("estatus_derogacion") == "N":
		n.Status = digesto.StatusInForce
	}
	return n
}

func rankName(s string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(text.Fold(s))
}

// eliTerritory reads jurisdiction and territory off a European Legislation
// Identifier: ".../eli/xx-yy/…".
func eliTerritory(eli, fallback string) (juris, terr string) {
	_, rest, ok := strings.Cut(eli, "/eli/")
	if !ok {
		return fallback, ""
	}
	place, _, _ := strings.Cut(rest, "/")
	return territory("", firstOf(place, fallback))
}

// compactDate reads "20240217" (and ISO dates); what is no day is unknown.
func compactDate(s string) digesto.Date {
	if len(s) == 8 && allDigits(s) {
		s = s[:4] + "-" + s[4:6] + "-" + s[6:]
	}
	if !isoDate.MatchString(s) || s[5:7] == "00" || s[5:7] > "12" || s[8:] == "00" || s[8:] > "31" {
		return ""
	}
	return digesto.Date(s)
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
