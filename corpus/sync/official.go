package sync

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// fetched tells which files are official: those whose bytes the program itself brought
// from a publisher of the packs, as the list beside them (see puller.attribute) says by
// their SHA-256. A file that merely says so of itself is none.
func (o Options) fetched() func(sum [32]byte) string {
	if o.Data == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(o.Data, "pulled", "FUENTES.tsv"))
	if err != nil {
		return nil // nothing was fetched, or nothing proves it
	}
	publishers := o.publishers()
	from := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(f) >= 4 && publishers[HostOf(f[1])] {
			from[strings.ToLower(f[3])] = f[1]
		}
	}
	return func(sum [32]byte) string { return from[hex.EncodeToString(sum[:])] }
}

// publishers are the hosts of official texts: of the services that the program knows, or
// of the mirror that stands in for one, and of the norms that the packs expect. What an
// operator allows besides is fetched, and is no more official for that.
func (o Options) publishers() map[string]bool {
	out := map[string]bool{HostOf(o.base()): true, HostOf(infolegDir): true}
	for _, p := range o.Packs {
		for _, s := range p.Sources {
			out[HostOf(s.URL)] = true
		}
	}
	delete(out, "")
	return out
}
