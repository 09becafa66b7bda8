// Package long tells tests apart that take long: they run whole only where
// DIGESTO_LONG is set. Continuous integration sets it to "ci": everything runs, but what
// is repeated for minutes is repeated less.
package long

import (
	"flag"
	"os"
	"testing"
)

// Env is the variable of the environment: any value runs everything, "ci" with fewer repetitions.
const Env = "DIGESTO_LONG"

// Wanted says whether everything runs.
func Wanted() bool { return os.Getenv(Env) != "" }

// Only skips a test that runs only where time does not matter, and says how to run it.
func Only(t testing.TB, why string) {
	t.Helper()
	if !Wanted() {
		t.Skipf("%s: %s=1 go test -run '%s'", why, Env, t.Name())
	}
}

// Whole says whether what takes minutes by itself runs whole too.
func Whole() bool { return Wanted() && os.Getenv(Env) != "ci" }

// Of gives how many times something is tried: whole where time does not matter, few otherwise.
func Of(whole, few int) int {
	if Wanted() {
		return whole
	}
	return few
}

// Some gives all the cases of a test where time does not matter, those named otherwise.
func Some[V any](all map[string]V, few ...string) map[string]V {
	if Wanted() {
		return all
	}
	out := map[string]V{}
	for _, name := range few {
		if v, ok := all[name]; ok {
			out[name] = v
		}
	}
	return out
}

// Rapid lets package rapid make a tenth of its checks where not everything is
// wanted; test packages call it from init, so that -rapid.checks still decides.
func Rapid() {
	if f := flag.Lookup("rapid.checks"); f != nil && !Wanted() {
		_ = f.Value.Set("10") // of 100: a number is taken
	}
}
