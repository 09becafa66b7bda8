package ingest

import (
	"path/filepath"
	"strings"

	"digesto"
	"digesto/corpus/ingest/line"
)

// norm makes the identity of a norm from front matter, file name and options.
func (opt Options) norm(f line.Metadata, file string) digesto.Norm {
	base := filepath.Base(file)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	n := digesto.Norm{
		ID: f["identifier"], Title: f["title"], Short: f["short_title"],
		Rank: f["rank"], Published: f.Date("publication_date"), TextAsOf: f.Date("last_updated"),
		URL: line.FirstOf(f["url_html_consolidada"], f["source"], f["url_eli"]), Source: base,
		Collection: line.FirstOf(opt.Collection, f["collection"], "normativa"), Official: true,
	}
	if k, ok := opt.known(stem); ok && n.ID == "" {
		n.ID, n.Title, n.Short, n.Rank, n.URL = k.ID, line.FirstOf(n.Title, k.Title), line.FirstOf(n.Short, k.Short), line.FirstOf(n.Rank, k.Rank), line.FirstOf(n.URL, k.URL)
		opt.Jurisdiction = line.FirstOf(k.Territory, k.Jurisdiction, opt.Jurisdiction)
	}
	if n.ID == "" {
		n.ID = stem
		if id := line.OfficialID.FindString(stem); id != "" {
			n.ID = id
		}
	}
	n.ID = line.FirstOf(line.SafeID(n.ID), line.SafeID(stem), "norma")
	if opt.Pack != "" {
		n.Packs = []string{opt.Pack}
	}
	for _, k := range []string{"url_eli", "infoleg_id"} {
		if v := f[k]; v != "" {
			n.IDs = append(n.IDs, v)
		}
	}
	n.Jurisdiction, n.Territory = line.Territory(line.FirstOf(f["country"], opt.Jurisdiction), f["jurisdiction"])
	switch f["status"] {
	case "in_force", "vigente":
		n.Status = digesto.StatusInForce
	case "repealed", "derogada", "annulled", "expired":
		n.Status, n.RepealedFrom = digesto.StatusRepealed, f.Date("repeal_date")
	case "partially_repealed":
		n.Status = digesto.StatusPartial
	}
	if opt.on != nil && n.TextAsOf == "" {
		n.TextAsOf = opt.on.Day
	}
	if n.TextAsOf < n.Published {
		n.TextAsOf = "" // a text cannot be older than its norm: the datum is bad
	}
	return n
}
