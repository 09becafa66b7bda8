package sync

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"digesto"
)

// LookedAt gives for each pack the last day on which its texts were looked up at
// their source: downloaded, or all of them asked for changes.
func LookedAt(data string, packs []string) map[string]digesto.Date {
	out := map[string]digesto.Date{}
	if data == "" {
		return out
	}
	dir := filepath.Join(data, "pulled")
	if list, err := os.ReadFile(filepath.Join(dir, "FUENTES.tsv")); err == nil {
		for line := range strings.SplitSeq(string(list), "\n") {
			f := strings.Split(line, "\t")
			if len(f) < 3 || len(f[2]) < len(time.DateOnly) {
				continue
			}
			pack, _, _ := strings.Cut(filepath.ToSlash(f[0]), "/")
			out[pack] = max(out[pack], digesto.Date(f[2][:len(time.DateOnly)]))
		}
	}
	var s updateState
	if state, err := os.ReadFile(filepath.Join(dir, "update.json")); err == nil && json.Unmarshal(state, &s) == nil {
		for _, p := range packs {
			out[p] = max(out[p], s.Day)
		}
	}
	return out
}
