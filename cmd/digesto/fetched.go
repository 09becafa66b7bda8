package main

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// fetched tells which files are official: those whose bytes the program itself brought
// from a publisher of the packs, as the list beside them (see puller.attribute) says by
// their SHA-256. A file that merely says so of itself is none.
func (a *app) fetched(w *world) func(sum [32]byte) string {
	if a.conf.data == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(a.conf.data, "pulled", "FUENTES.tsv"))
	if err != nil {
		return nil // nothing was fetched, or nothing proves it
	}
	publishers := a.publishers(w)
	from := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(f) >= 4 && publishers[hostOf(f[1])] {
			from[strings.ToLower(f[3])] = f[1]
		}
	}
	return func(sum [32]byte) string { return from[hex.EncodeToString(sum[:])] }
}

// publishers are the hosts of official texts: of the services that the program knows, or
// of the mirror that stands in for one, and of the norms that the packs expect. What an
// operator allows besides is fetched, and is no more official for that.
func (a *app) publishers(w *world) map[string]bool {
	out := map[string]bool{hostOf(a.boeBase()): true, hostOf(infolegDir): true}
	for _, p := range w.packs {
		for _, s := range p.Sources {
			out[hostOf(s.URL)] = true
		}
	}
	delete(out, "")
	return out
}
