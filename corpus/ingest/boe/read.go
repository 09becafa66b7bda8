// Package boe reads the XML of an official journal: consolidated texts in blocks with
// all their versions, and texts as they were published.
package boe

import (
	"fmt"
	"sort"
	"strings"

	"digesto"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/xmltree"
)

// Text is a text of an official journal: a consolidated one, in blocks with all
// their versions, or one as it was published.
type Text struct {
	Norm digesto.Norm
	Cut  bool // the document ends too soon

	Consolidated bool
	Metadata     bool // the document has them
	Blocks       []line.Block
	Original     string       // norm that gave the first versions
	Latest       digesto.Date // of the versions' publication

	Lines   []line.Line // as published
	InForce digesto.Date
}

// Read reads the XML of an official journal; its metadata complete what is known of the norm.
func Read(data []byte, known digesto.Norm) (o Text, err error) {
	root, cut, err := xmltree.Parse(data)
	if err != nil {
		return o, line.Refuse(line.KindDamaged, "XML: "+err.Error()+": descárguelo de nuevo de su fuente")
	}
	o.Cut = cut
	switch {
	case root.Name == "response" && root.Child("data", "texto") != nil:
		o.consolidatedText(root.Child("data"), known)
	case root.Name == "texto" && root.Child("bloque") != nil:
		o.consolidatedText(&xmltree.Node{Kids: []*xmltree.Node{root}}, known)
	case root.Name == "documento" && root.Child("texto") != nil:
		o.Norm = xmlNorm(known, root.Child("metadatos"))
		o.Lines = xmlLines(root.Child("texto"))
		o.InForce = compactDate(root.Value("metadatos", "fecha_vigencia"))
	default:
		return o, line.Refuse(kindOfXML(root), detailOfXML(root))
	}
	return o, nil
}

// consolidatedText reads a consolidated text: blocks (article, disposition, heading,
// preamble…), each with all its versions and the days they were published and came
// into force.
func (o *Text) consolidatedText(data *xmltree.Node, known digesto.Norm) {
	meta := data.Child("metadatos")
	o.Norm, o.Metadata, o.Consolidated = xmlNorm(known, meta), meta != nil, true
	data.Child("texto").All("bloque", func(x *xmltree.Node) {
		if vs := o.versions(x); len(vs) > 0 {
			o.Blocks = append(o.Blocks, line.Block{Kind: x.Get("tipo"), Title: line.Tidy(x.Get("titulo")), Expired: compactDate(x.Get("fecha_caducidad")), Versions: vs})
		}
	})
}

// versions reads the versions of a block, in the order of their publication.
func (o *Text) versions(x *xmltree.Node) []line.BlockVersion {
	var vs []line.BlockVersion
	x.All("version", func(v *xmltree.Node) {
		b := line.BlockVersion{By: v.Get("id_norma"), Published: compactDate(v.Get("fecha_publicacion")), ValidFrom: compactDate(v.Get("fecha_vigencia")), Lines: xmlLines(v)}
		o.Latest = max(o.Latest, b.Published)
		if o.Original == "" {
			o.Original = b.By
		}
		vs = append(vs, b)
	})
	sort.SliceStable(vs, func(i, j int) bool {
		return vs[i].Published != "" && vs[j].Published != "" && vs[i].Published < vs[j].Published
	})
	return vs
}

// kindOfXML and detailOfXML say why a document without the text of a norm is not taken.
func kindOfXML(root *xmltree.Node) string {
	switch {
	case root.Name == "sumario", root.Child("data", "sumario") != nil, root.Child("data", "metadatos") != nil, root.Child("data", "item") != nil:
		return line.KindNotNorm
	case root.Child("status", "code") != nil, root.Name == "error", root.Name == "html":
		return line.KindErrorDoc
	}
	return line.KindDamaged
}

func detailOfXML(root *xmltree.Node) string {
	switch {
	case root.Name == "sumario", root.Child("data", "sumario") != nil:
		return "Es el sumario de un diario oficial, no una norma: las normas que enumera se añaden una a una"
	case root.Child("data", "metadatos") != nil:
		return "Son solo los metadatos de " + root.Value("data", "metadatos", "identificador") + ": añada el documento completo, con su texto"
	case root.Child("data", "item") != nil:
		return "Es una lista de normas, no el texto de ninguna"
	case root.Child("status", "code") != nil:
		return fmt.Sprintf("El servicio respondió con un error (%s %s) en lugar de la norma: descárguela de nuevo", root.Value("status", "code"), root.Value("status", "text"))
	case root.Name == "html" || root.Name == "error":
		return "Es una página de error, no la norma: descárguela de nuevo"
	}
	return fmt.Sprintf("XML sin texto legal (elemento «%s»): se esperan los de un diario oficial", line.Clip(root.Name, 40))
}

// xmlNorm completes what is known of a norm by the metadata of its XML, whose form
// both kinds of document share.
func xmlNorm(n digesto.Norm, meta *xmltree.Node) digesto.Norm {
	n.Format = "xml"
	if meta == nil {
		return n
	}
	if id := line.SafeID(meta.Value("identificador")); id != "" {
		n.ID = id
	}
	n.Title = strings.TrimSuffix(meta.Value("titulo"), ".")
	n.Rank = line.RankName(meta.Value("rango"))
	n.Published, n.TextAsOf = compactDate(meta.Value("fecha_publicacion")), compactDate(meta.Value("fecha_publicacion"))
	eli := meta.Value("url_eli")
	n.URL = line.FirstOf(meta.Value("url_html_consolidada"), eli, n.URL)
	if eli != "" {
		n.IDs = append(n.IDs, eli)
		n.Jurisdiction, n.Territory = eliTerritory(eli, n.Jurisdiction)
	}
	switch {
	case meta.Value("estatus_derogacion") == "S":
		n.Status, n.StatusNote = digesto.StatusRepealed, "Derogada, según los metadatos de la fuente"
		n.RepealedFrom = compactDate(meta.Value("fecha_derogacion"))
	case meta.Value("vigencia_agotada") == "S":
		n.Status, n.StatusNote = digesto.StatusRepealed, "Vigencia agotada, según los metadatos de la fuente"
	case line.FirstOf(meta.Value("estatus_anulacion"), meta.Value("judicialmente_anulada")) == "S":
		n.Status, n.StatusNote = digesto.StatusRepealed, "Anulada judicialmente, según los metadatos de la fuente"
		n.RepealedFrom = compactDate(meta.Value("fecha_anulacion"))
	case meta.Value("estatus_derogacion") == "N":
		n.Status = digesto.StatusInForce
	}
	return n
}

// eliTerritory reads jurisdiction and territory off a European Legislation
// Identifier: ".../eli/xx-yy/…".
func eliTerritory(eli, fallback string) (juris, terr string) {
	_, rest, ok := strings.Cut(eli, "/eli/")
	if !ok {
		return fallback, ""
	}
	place, _, _ := strings.Cut(rest, "/")
	return line.Territory("", line.FirstOf(place, fallback))
}

// compactDate reads "20240217" (and ISO dates); what is no day is unknown.
func compactDate(s string) digesto.Date {
	if len(s) == 8 && heading.IsDigits(s) {
		s = s[:4] + "-" + s[4:6] + "-" + s[6:]
	}
	if !line.IsoDate.MatchString(s) || s[5:7] == "00" || s[5:7] > "12" || s[8:] == "00" || s[8:] > "31" {
		return ""
	}
	return digesto.Date(s)
}
