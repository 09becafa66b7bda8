package view

import (
	"net/url"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
)

// pageView is a page of the document in the margin.
type pageView struct {
	N              int
	URL, Alt, Open string // the picture, what it shows, a page of its own
}

// pageViews are the pages that the citations of one text stand on; the quotations
// are named by where they stand in the stored text, never sent by the browser.
func (s *Site) pageViews(n digesto.Norm, u digesto.Unit, cites []digesto.Citation) (out []pageView) {
	if s.Drawn == nil || n.Format != "pdf" || !s.Drawn(n.Source) {
		return nil
	}
	places := map[int][]string{}
	var pages []int
	for _, c := range cites {
		if c.Page == nil || c.Ref == nil {
			continue
		}
		if places[*c.Page] == nil {
			pages = append(pages, *c.Page)
		}
		places[*c.Page] = append(places[*c.Page], strconv.Itoa(c.Ref.Start)+"-"+strconv.Itoa(c.Ref.End))
	}
	for _, p := range pages {
		q := url.Values{"version": {cites[0].Ref.Version}, "at": {strings.Join(places[p], ",")}}
		number := strconv.Itoa(p)
		picture := UnitURL(n.ID, u.ID) + "/paginas/" + number + "?" + q.Encode()
		out = append(out, pageView{p, picture, "Página " + number + " de " + n.Source + ", con la cita resaltada", picture + "&" + sheetParam})
	}
	return out
}

// sheetParam asks for a page of a document as a page of ours.
const sheetParam = "hoja=1"

// Sheet is a page of a document to be read: larger, and with its neighbours.
type Sheet struct {
	Title, Norm, NormURL, Unit, UnitURL string
	Picture, Alt, Prev, Next            string
	N, Size                             int
	Sizes                               []sheetSize
}

type sheetSize struct {
	Name, URL string
	Shown     bool
}

// SheetOf is a page of the document of a unit, as the fields of an address ask for it.
func SheetOf(n digesto.Norm, u digesto.Unit, page int, field func(name string) string) Sheet {
	q := url.Values{}
	for _, k := range []string{"version", "at"} {
		if v := field(k); v != "" {
			q.Set(k, v)
		}
	}
	at := func(page int) string { return UnitURL(n.ID, u.ID) + "/paginas/" + strconv.Itoa(page) + "?" }
	p := Sheet{Norm: NormName(n), NormURL: normURL(n.ID), Unit: strings.TrimSuffix(u.Label+". "+corpus.HeadingOf(u.Rubric), ". "), UnitURL: UnitURL(n.ID, u.ID), N: page, Size: 1,
		Picture: at(page) + q.Encode(), Alt: "Página " + strconv.Itoa(page) + " de " + n.Source}
	if k, err := strconv.Atoi(field("hoja")); err == nil && k > 0 && k <= len(sheetSizes) {
		p.Size = k
	}
	p.Title = "Página " + strconv.Itoa(page) + " del documento"
	for i, name := range sheetSizes {
		q.Set("hoja", strconv.Itoa(i+1))
		p.Sizes = append(p.Sizes, sheetSize{name, at(page) + q.Encode(), i+1 == p.Size})
	}
	q.Set("hoja", strconv.Itoa(p.Size))
	if page > 1 {
		p.Prev = at(page-1) + q.Encode()
	}
	p.Next = at(page+1) + q.Encode()
	return p
}

// sheetSizes are how large a page may be shown.
var sheetSizes = []string{"Entera", "Grande", "Muy grande"}
