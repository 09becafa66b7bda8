package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"digesto/ops"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// TestSBOM: the bill that a binary prints is valid CycloneDX, names each module
// of go.mod that it links, and the sums of the READMEs are those of the bytes inside.
func TestSBOM(t *testing.T) {
	var out bytes.Buffer
	if err := ops.SBOM(&out); err != nil {
		t.Fatal(err)
	}
	again := bytes.Clone(out.Bytes())
	bom := new(cdx.BOM)
	if err := cdx.NewBOMDecoder(&out, cdx.BOMFileFormatJSON).Decode(bom); err != nil {
		t.Fatal(err)
	}
	names := map[string]cdx.Component{}
	for _, c := range *bom.Components {
		names[c.Name] = c
	}
	for _, want := range []string{"std", "modernc.org/sqlite", "github.com/tetratelabs/wazero", "third_party/pdfium/pdfium.wasm"} {
		if _, ok := names[want]; !ok {
			t.Errorf("%s is not in the bill", want)
		}
	}
	for _, dir := range []string{"e5", "pdfium"} {
		readme, err := os.ReadFile("../../third_party/" + dir + "/README.md")
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range names {
			if !strings.HasPrefix(name, "third_party/"+dir+"/") {
				continue
			}
			if sum := (*c.Hashes)[0].Value; !regexp.MustCompile(sum).Match(readme) {
				t.Errorf("%s: the README does not give the sum %s of what is inside", name, sum)
			}
		}
	}
	out.Reset()
	if err := ops.SBOM(&out); err != nil || !bytes.Equal(out.Bytes(), again) {
		t.Errorf("two bills of one binary differ (%v)", err)
	}
}
