package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"digesto"
	"digesto/text"

	"golang.org/x/net/html/charset"
)

// Summary gives the dispositions of the issue of a day; none for a day without one.
func (o OpenData) Summary(ctx context.Context, day digesto.Date) ([]Entry, error) {
	r, err := o.Client.Get(ctx, Request{URL: o.Base + "/boe/sumario/" + compact(day), Want: "data"})
	if digesto.CodeOf(err) == digesto.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(r.Path)
	if err != nil {
		return nil, errDisk(r.Path, err)
	}
	return ParseSummary(data)
}

// ParseSummary reads the table of contents of one day, in the JSON of today's
// service or in XML: that of the service, or the older one whose items carry
// their id as an attribute. Announcements, whose ids are of another series, are
// given too; an item that repeats is given once.
func ParseSummary(data []byte) ([]Entry, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if bytes.HasPrefix(data, []byte("<")) {
		return parseSummaryXML(data)
	}
	var body struct {
		Data struct {
			Sumario *struct {
				Diario json.RawMessage `json:"diario"`
			} `json:"sumario"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &body); err != nil || body.Data.Sumario == nil || body.Data.Sumario.Diario == nil {
		return nil, badList(err)
	}
	l := summaryList{seen: map[string]bool{}}
	l.items(body.Data.Sumario.Diario, "", 0)
	return l.out, nil
}

// summaryList gathers the items of a summary.
type summaryList struct {
	out  []Entry
	seen map[string]bool
}

func (l *summaryList) add(e Entry) {
	if e.Title = strings.Join(strings.Fields(e.Title), " "); !idForm.MatchString(e.ID) || e.Title == "" || l.seen[e.ID] {
		return
	}
	l.seen[e.ID] = true
	l.out = append(l.out, e)
}

// items goes down the JSON tree. Departments, headings and items are an object
// or a list, wherever there may be one or several.
func (l *summaryList) items(raw json.RawMessage, section string, depth int) {
	if depth > 12 {
		return
	}
	for _, x := range each(raw) {
		var m map[string]json.RawMessage
		if json.Unmarshal(x, &m) != nil {
			continue
		}
		e := Entry{Section: section}
		if json.Unmarshal(m["identificador"], &e.ID) == nil && json.Unmarshal(m["titulo"], &e.Title) == nil {
			l.add(e)
			continue
		}
		for _, s := range each(m["seccion"]) {
			var head struct {
				Code string `json:"codigo"`
			}
			_ = json.Unmarshal(s, &head) // a section without a code is read all the same
			l.items(s, head.Code, depth+1)
		}
		for _, key := range []string{"departamento", "epigrafe", "texto", "item"} {
			l.items(m[key], section, depth+1)
		}
	}
}

// maxTokens bounds the reading of a document of the service.
const maxTokens = 5_000_000

// tokens gives the elements of an XML document in order, in whatever charset it
// declares; see returns false to stop. A document that is cut is an error.
func tokens(data []byte, see func(xml.Token) bool) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = charset.NewReaderLabel
	for range maxTokens {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return badList(err)
		}
		if !see(t) {
			return nil
		}
	}
	return badList(nil)
}

func parseSummaryXML(data []byte) ([]Entry, error) {
	l := summaryList{seen: map[string]bool{}}
	var e Entry
	var words *string // where the characters that come belong
	found, section, depth, item := false, "", 0, 0
	err := tokens(data, func(t xml.Token) bool {
		switch t := t.(type) {
		case xml.StartElement:
			depth++
			words = nil
			switch name := t.Name.Local; {
			case name == "diario":
				found = true
			case name == "seccion":
				section = attribute(t, "num") + attribute(t, "codigo")
			case name == "item":
				e, item = Entry{ID: attribute(t, "id"), Section: section}, depth
			case item > 0 && depth == item+1 && name == "identificador":
				words = &e.ID
			case item > 0 && depth == item+1 && name == "titulo":
				words = &e.Title
			}
		case xml.CharData:
			if words != nil {
				*words += string(t)
			}
		case xml.EndElement:
			if depth == item {
				l.add(e)
				item = 0
			}
			depth--
			words = nil
		}
		return true
	})
	if err == nil && !found {
		err = badList(nil)
	}
	return l.out, err
}

// Touch is what a published norm does to another, as the journal's own analysis
// of it says.
type Touch struct {
	Norm string      // id of the norm touched
	Act  digesto.Act // cites, when it does nothing to its text or its days
	Word string      // "MODIFICA", "DEROGA", "CORRIGE errores en"…
	Text string      // which articles, and the name of the norm
}

// Touches gets a norm as the journal published it and gives what it does to others.
func (o OpenData) Touches(ctx context.Context, id string) ([]Touch, error) {
	if !idForm.MatchString(id) || o.Daily == "" {
		return nil, badID(id)
	}
	r, err := o.Client.Get(ctx, Request{URL: fmt.Sprintf(o.Daily, id), Want: "xml"})
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(r.Path)
	if err != nil {
		return nil, errDisk(r.Path, err)
	}
	return ParseTouches(data)
}

// ParseTouches reads the earlier norms that the analysis of a daily document names.
func ParseTouches(data []byte) (out []Touch, err error) {
	var x Touch
	var words *string
	inside, found := false, false
	err = tokens(data, func(t xml.Token) bool {
		switch t := t.(type) {
		case xml.StartElement:
			words = nil
			switch t.Name.Local {
			case "documento":
				found = true
			case "anterior":
				x, inside = Touch{Norm: attribute(t, "referencia")}, true
			case "palabra":
				words = &x.Word
			case "texto":
				if !inside { // the text itself: the analysis stands before it
					return false
				}
				words = &x.Text
			}
		case xml.CharData:
			if words != nil && inside {
				*words += string(t)
			}
		case xml.EndElement:
			words = nil
			if t.Name.Local == "anterior" && inside {
				inside = false
				x.Word, x.Text = strings.Join(strings.Fields(x.Word), " "), strings.Join(strings.Fields(x.Text), " ")
				if x.Act = actOf(x.Word); idForm.MatchString(x.Norm) {
					out = append(out, x)
				}
			}
		}
		return true
	})
	if err == nil && !found {
		err = &digesto.Error{Code: digesto.CodeInvalid, Message: "La norma publicada no viene en la forma conocida", Hint: "Compruebe si hay una versión nueva de Digesto."}
	}
	return out, err
}

// actWords are the beginnings of the words by which the analysis says that a text
// or its days change; all others only name it.
var actWords = []struct {
	begins string
	act    digesto.Act
}{
	{"anade", digesto.ActAdds}, {"deroga", digesto.ActRepeals}, {"suprime", digesto.ActRepeals}, {"deja sin efecto", digesto.ActRepeals},
	{"modifica", digesto.ActAmends}, {"sustituye", digesto.ActAmends}, {"actualiza", digesto.ActAmends}, {"corrige", digesto.ActAmends}, {"correccion", digesto.ActAmends},
	{"prorroga", digesto.ActAmends}, {"amplia", digesto.ActAmends}, {"suspende", digesto.ActAmends}, {"declara", digesto.ActAmends}, {"renumera", digesto.ActAmends},
	{"redacta", digesto.ActAmends}, {"reordena", digesto.ActAmends}, {"restablece", digesto.ActAmends},
}

func actOf(word string) digesto.Act {
	w := text.Fold(word)
	for _, a := range actWords {
		if strings.HasPrefix(w, a.begins) {
			return a.act
		}
	}
	return digesto.ActCites
}

// Days gives the days from one to another, both included, at most 400.
func Days(from, to digesto.Date) (out []digesto.Date) {
	t, err := time.Parse(time.DateOnly, string(from))
	if err != nil {
		return nil
	}
	for d := from; d <= to && len(out) < 400; {
		out = append(out, d)
		t = t.AddDate(0, 0, 1)
		d = digesto.Date(t.Format(time.DateOnly))
	}
	return out
}
