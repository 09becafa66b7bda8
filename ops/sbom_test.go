package ops

import (
	"runtime/debug"
	"testing"
)

// TestSBOMReplaced: what was linked counts, not what go.mod asked for.
func TestSBOMReplaced(t *testing.T) {
	bom := billOfMaterials(&debug.BuildInfo{Deps: []*debug.Module{
		{Path: "example.org/a", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/b", Version: "v2.0.0", Sum: "h1:x"}},
	}}, nil)
	if c := (*bom.Components)[1]; c.PackageURL != "pkg:golang/example.org/b@v2.0.0" {
		t.Error(c.PackageURL)
	}
}
