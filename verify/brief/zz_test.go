package brief

import (
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	o := port(t)
	for _, s := range strings.Split(os.Getenv("ZZ"), "@@") {
		for _, f := range check(t, o, s).Citations {
			t.Logf("%s %s/%s [%s]: %s", f.Verdict, f.Norm, f.Unit, f.Text, f.Reason)
		}
	}
}
