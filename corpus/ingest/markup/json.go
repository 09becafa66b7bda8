package markup

import (
	"encoding/json"
	"fmt"
	"strings"

	"digesto"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// JSON reads one norm of a legal information system: metadata, which complete what is
// known of the norm, and its articles in a tree of divisions. Any list may be a single
// object instead. Summaries and lists of official services are refused for what they are.
func JSON(data []byte, known digesto.Norm) (n digesto.Norm, lines []line.Line, charset string, err error) {
	s, charset := line.Decode(data, "")
	if d := nesting(s); d > maxJSONDepth {
		return n, nil, "", line.Refuse(line.KindDamaged, "JSON: anida demasiados elementos")
	}
	var root any
	if err := json.Unmarshal([]byte(s), &root); err != nil {
		return n, nil, "", line.Refuse(line.KindDamaged, "JSON: no se puede interpretar: descárguelo de nuevo")
	}
	content := object(dig(root, "document", "content"))
	if content == nil {
		return n, nil, "", line.Refuse(kindOfJSON(root), detailOfJSON(root))
	}
	r := jsonReader{}
	r.part(content, 2, 0)
	return jsonNorm(known, object(dig(root, "document", "metadata")), content), r.out, charset, nil
}

// maxJSONDepth bounds nesting; the deepest norm seen has 14.
const maxJSONDepth = 200

// nesting gives the greatest depth of brackets outside strings.
func nesting(s string) (most int) {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			most = max(most, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return most
}

func kindOfJSON(root any) string {
	if isSummary(root) || dig(root, "data") != nil || dig(root, "mcp_response") != nil {
		return line.KindNotNorm
	}
	return line.KindUnread
}

// SummaryDetail says in Spanish why the summary of a journal is not taken.
const SummaryDetail = "Es el sumario de un diario oficial, no una norma: las normas que enumera se añaden una a una"

func detailOfJSON(root any) string {
	switch {
	case isSummary(root):
		return SummaryDetail
	case dig(root, "data") != nil || dig(root, "mcp_response") != nil:
		return "Es la respuesta de una búsqueda, no el texto de una norma"
	}
	return "JSON sin texto legal: para unidades sueltas use JSON Lines (.jsonl), una por línea"
}

func isSummary(root any) bool {
	return dig(root, "data", "sumario") != nil || dig(root, "estructura_recibida", "data", "sumario") != nil
}

// dig goes down a tree by keys.
func dig(x any, path ...string) any {
	for _, k := range path {
		m, ok := x.(map[string]any)
		if !ok {
			return nil
		}
		x = m[k]
	}
	return x
}

func object(x any) map[string]any {
	m, _ := x.(map[string]any)
	return m
}

// list gives the objects of a list, or the object that stands in its place.
func list(x any) (out []map[string]any) {
	switch x := x.(type) {
	case map[string]any:
		return []map[string]any{x}
	case []any:
		for _, e := range x {
			if m := object(e); m != nil {
				out = append(out, m)
			}
		}
	}
	return out
}

// word gives a string or a number as a string; of a list, its first.
func word(x any) string {
	switch x := x.(type) {
	case string:
		return line.Tidy(plainMarkup(x))
	case float64:
		return fmt.Sprintf("%.0f", x)
	case []any:
		if len(x) > 0 {
			return word(x[0])
		}
	}
	return ""
}

// jsonNorm makes the identity of a norm: rank and number name it as the other
// copies of it are named.
func jsonNorm(n digesto.Norm, meta, c map[string]any) digesto.Norm {
	n.Format, n.Title = "json", line.FirstOf(word(c["titulo-norma"]), word(c["nombre-coloquial"]))
	rank, number := word(dig(c["tipo-norma"], "texto")), strings.ReplaceAll(word(c["numero-norma"]), ".", "")
	n.Rank = line.RankName(rank)
	if strings.HasPrefix(n.Rank, "codigo") {
		n.Rank = "ley" // a code is one by its name, not by its rank
	}
	place := word(c["provincia"])
	if number != "" && number != "0" {
		n.ID = rankCode(n.Rank) + "-" + line.SafeID(number)
		if name := word(c["nombre-coloquial"]); n.Title != name && name != "" {
			n.Title += " (" + sentenceCase(name) + ")"
		}
	}
	if place != "" { // the same number is another law in each province
		n.ID += "-" + strings.ReplaceAll(strings.Join(strings.Fields(text.Fold(place)), "-"), "/", "-")
		n.Title += ", " + place
	}
	for _, id := range []string{word(c["mecanografico"]), word(meta["uuid"]), word(c["standard-normativo"])} {
		if id != "" {
			n.IDs = append(n.IDs, id)
		}
	}
	for _, p := range list(dig(c["publicacion-codificada"], "publicacion-decodificada")) {
		if d := digesto.Date(strings.ReplaceAll(word(p["fecha"]), " ", "-")); n.Published == "" {
			n.Published = validDate(d)
		}
	}
	switch state := text.Fold(word(c["estado"])); {
	case strings.HasPrefix(state, "vigente"):
		n.Status = digesto.StatusInForce
	case strings.HasPrefix(state, "derogad"), strings.HasPrefix(state, "abrogad"), strings.Contains(state, "caduc"):
		n.Status, n.StatusNote = digesto.StatusRepealed, "Estado según la fuente: "+word(c["estado"])
	}
	return n
}

// rankCode is how identifiers abbreviate a rank.
func rankCode(rank string) string {
	switch {
	case strings.HasPrefix(rank, "decreto"):
		return "DEC"
	case strings.HasPrefix(rank, "resolucion"):
		return "RES"
	}
	return "LEY"
}

// sentenceCase is "Ley 26.844" for "LEY 26.844".
func sentenceCase(s string) string {
	if !heading.IsUpper(s) || len(s) < 2 {
		return s
	}
	return s[:1] + strings.ToLower(s[1:])
}

type jsonReader struct{ out []line.Line }

// part reads a division: its heading, its articles, the divisions under it, and
// at the end the annexes.
func (r *jsonReader) part(x map[string]any, level, depth int) {
	if depth > maxJSONDepth {
		return
	}
	if t := word(x["titulo-particion"]); t != "" {
		r.put(line.Line{Text: t, Level: min(level, 4)})
		level++
	}
	if depth == 0 {
		r.paragraphs(word(x["sancion"]))
	}
	for _, a := range list(x["articulo"]) {
		r.article(a)
	}
	for _, s := range list(x["segmento"]) {
		r.part(s, level, depth+1)
	}
	for _, a := range list(x["anexo"]) {
		r.put(line.Line{Text: line.FirstOf(word(a["titulo-anexo"]), "ANEXO "+word(a["anexo"])), Level: 2})
		if t, ok := a["texto"].(string); ok {
			r.paragraphs(t)
		}
		r.part(map[string]any{"articulo": a["articulo"], "segmento": a["segmento"]}, 2, depth+1)
	}
}

func (r *jsonReader) put(l line.Line) {
	if l.Text != "" {
		l.Gap = true
		r.out = append(r.out, l)
	}
}

func (r *jsonReader) article(a map[string]any) {
	r.put(line.Line{Text: word(a["titulo-articulo"]), Bold: true})
	if t, ok := a["texto"].(string); ok {
		r.paragraphs(t)
	}
	for _, k := range []struct{ key, says string }{{"modificado-por", "Modificado por "}, {"sustituido-por", "Sustituido por "}, {"derogado-por", "Derogado por "}, {"incorporado-por", "Incorporado por "}, {"observado-por", "Observado por "}, {"antecedentes", "Antecedentes: "}} {
		for _, x := range list(a[k.key]) {
			for _, ref := range list(x["referencia-normativa"]) {
				if name := refName(word(ref["ref"])); name != "" {
					r.put(line.Line{Text: strings.TrimSpace(k.says + name + " " + word(ref["cr"])), Note: true})
				}
			}
		}
	}
}

var codedRef = lazyregexp.New(`^([A-Z]{3}) \S+ 0*(\d+) (\d{4})`)

// refName writes a coded reference ("LEY C 027802 2026 03 06 …") for people.
func refName(ref string) string {
	m := codedRef.FindStringSubmatch(ref)
	if m == nil {
		return ref
	}
	switch m[1] {
	case "LEY":
		return "Ley " + m[2]
	case "DEC":
		return "Decreto " + m[2] + "/" + m[3]
	}
	return m[1] + " " + m[2] + "/" + m[3]
}

var (
	paragraphMark = lazyregexp.New(`\[\[/?(?:p|br|li|ul|ol|tr|table)\b[^\]]{0,60}\]\]|\r?\n`)
	otherMark     = lazyregexp.New(`\[\[/?[a-z]{1,10}(?:[ :][^\]]{0,80})?\]\]`)
)

func plainMarkup(s string) string {
	return otherMark.ReplaceAllString(paragraphMark.ReplaceAllString(s, " "), "")
}

func (r *jsonReader) paragraphs(s string) {
	for _, p := range paragraphMark.Split(s, -1) {
		r.put(line.Line{Text: line.Tidy(otherMark.ReplaceAllString(p, ""))})
	}
}
