package ingest

import (
	"crypto/sha256"
	"path/filepath"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/line"
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
	stem := line.SafeID(strings.TrimSuffix(base, filepath.Ext(base)))
	for _, id := range append([]string{d.Norm.ID}, d.Norm.IDs...) {
		if line.OfficialID.MatchString(id) || slices.ContainsFunc(o.Known, func(k digesto.Norm) bool { return strings.EqualFold(k.ID, id) }) {
			return true
		}
	}
	return d.Norm.ID != stem
}
