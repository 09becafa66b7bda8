package gitlog

import (
	"strings"
	"testing"

	"digesto/corpus/ingest/line"
)

func FuzzGitLog(f *testing.F) {
	h := strings.Repeat("ab", 20)
	f.Add("\x01BOE-A-2001-77\x022001-02-03\n\x00\n:100644 100644 " + h + " " + h + " M\x00a.md\x00")
	f.Add("\x01\x02\x00:000000 100644 " + strings.Repeat("0", 40) + " " + h + " A\x00a.md")
	f.Fuzz(func(t *testing.T, s string) {
		for name, list := range parseGitLog(s, func(string) bool { return true }) {
			if len(list) > maxStates+1 {
				t.Errorf("%s: %d states", name, len(list))
			}
			for _, x := range list {
				if !isHash(x.Blob) || x.Before != "" && !isHash(x.Before) || x.By != "" && line.OfficialID.FindString(x.By) != x.By {
					t.Errorf("%+v", x)
				}
			}
		}
	})
}
