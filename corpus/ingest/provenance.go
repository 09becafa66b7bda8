package ingest

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
)

// fetched gives the address of the publisher that these bytes came from; "" = nothing
// proves that they did.
func (o Options) fetched(data []byte) string {
	if o.Fetched == nil {
		return ""
	}
	return o.Fetched(sha256.Sum256(data))
}

// provenance settles what a text may be called: official if it was fetched from its
// publisher, supplied otherwise. What a file says of itself counts only against it; the
// address that it gives is kept as its claim and is nobody's link.
func (o Options) provenance(d *corpus.Document, from string) {
	n := &d.Norm
	n.Secondary = !n.Official
	n.Official, n.Supplied, n.Proof = from != "" && !n.Secondary, from == "" || n.Secondary, from
	d.Named, d.Chosen = o.named(d), o.Replace
	switch {
	case n.Supplied:
		n.Proof, n.URL, n.Claim = "", "", n.URL
	case n.URL == "" || domain(n.URL) != domain(from):
		n.URL = from
	}
}

// named says that a document has the identifier of a norm: one of an official journal,
// one that is expected, or one that is not merely the name of its file.
func (o Options) named(d *corpus.Document) bool {
	base := filepath.Base(d.File)
	stem := safeID(strings.TrimSuffix(base, filepath.Ext(base)))
	for _, id := range append([]string{d.Norm.ID}, d.Norm.IDs...) {
		if officialID.MatchString(id) || slices.ContainsFunc(o.Known, func(k digesto.Norm) bool { return strings.EqualFold(k.ID, id) }) {
			return true
		}
	}
	return d.Norm.ID != stem
}

// consented leaves out the supplied texts that would take the place of an installed copy
// of their norm when nobody asked for that, for then another of the files may be the one;
// and it tells of those that take it.
func (r *ingestion) consented(tx *corpus.Tx) {
	for {
		displaced, refused := tx.Displaced(r.docs), map[int]bool{}
		for i, old := range displaced {
			if d := &r.docs[i]; d.Norm.Supplied && !d.Chosen {
				refused[i] = true
				r.skip(tx, d.File, d.ContentHash, corpus.Defect{File: d.File, Norm: d.Norm.ID, Kind: kindReplaces, Skipped: true,
					Detail: fmt.Sprintf("Ya está instalada esa norma: %s (%s%s). El texto de este fichero%s ocuparía su lugar, y no se ha tocado nada: si es lo que quiere, repita la orden con --replace",
						old.ID, old.Source, ofDay(old), ofDay(d.Norm))})
			}
		}
		if len(refused) == 0 {
			for i, old := range displaced {
				d := &r.docs[i]
				d.Defects = append(d.Defects, corpus.Defect{File: d.File, Norm: d.Norm.ID, Kind: kindReplaced,
					Detail: fmt.Sprintf("Ocupa el lugar de %s (%s%s)", old.ID, old.Source, ofDay(old))})
			}
			return
		}
		at := -1
		r.docs = slices.DeleteFunc(r.docs, func(corpus.Document) bool { at++; return refused[at] })
	}
}

// behind tells of the files read now that stand behind another copy of their norm, which
// answers in their place.
func (r *ingestion) behind(lib *corpus.Library) {
	s, err := lib.Current()
	if err != nil {
		return // whoever reads it next is told
	}
	defer s.Close()
	for _, d := range s.Defects() {
		if d.Kind == corpus.DefectSuperseded && r.read[d.File] {
			d.Skipped = false // it is kept, and may lead when the other is gone
			r.count(d)
		}
	}
}

func ofDay(n digesto.Norm) string {
	if n.TextAsOf == "" {
		return ", sin fecha de su texto"
	}
	return ", texto hasta el " + string(n.TextAsOf)
}
