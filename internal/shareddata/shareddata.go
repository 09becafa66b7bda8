// Package shareddata finds the third-party legal texts and evaluation sets that
// tests read but the project does not hold.
package shareddata

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir gives the absolute path of a folder or file below ../shared (beside the
// repository's root), and skips the test, saying so, when it is absent.
func Dir(tb testing.TB, path string) string {
	tb.Helper()
	root, ok := root()
	if !ok {
		tb.Skip("shared data not found: the test does not run inside the repository")
	}
	dir := filepath.Join(root, "..", "shared", filepath.FromSlash(path))
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("shared data absent (%s): this test needs it", path)
	}
	return dir
}

// root looks for go.mod upwards from where the test runs, which is its package's
// folder. Source paths would not do: a build with -trimpath has none.
func root() (string, bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}
