// Package shareddata finds the third-party legal texts and evaluation sets that
// tests read but the project does not hold.
package shareddata

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Dir gives the absolute path of a folder or file below ../shared (beside the
// repository's root), and skips the test, saying so, when it is absent.
func Dir(tb testing.TB, path string) string {
	tb.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		tb.Skip("shared data not found: the source path of the tests is unknown")
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	dir := filepath.Join(root, "..", "shared", filepath.FromSlash(path))
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("shared data absent (%s): this test needs it", path)
	}
	return dir
}
