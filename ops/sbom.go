package ops

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"runtime/debug"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"digesto"
	"digesto/third_party/e5"
	"digesto/third_party/pdfium"
)

// SBOM writes what this binary is made of, as CycloneDX 1.6 JSON (ECMA-424):
// the modules that the Go tool linked, with their sums, and the embedded
// third-party files, with the SHA-256 of the bytes that are really inside.
func SBOM(w io.Writer) error {
	bi, ok := debug.ReadBuildInfo()
	if !ok {
		return &digesto.Error{Code: digesto.CodeInternal, Message: "Este binario no dice de qué está hecho", Hint: "Compílelo con «go build»."}
	}
	enc := cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON).SetPretty(true)
	return enc.EncodeVersion(billOfMaterials(bi, embedded()), cdx.SpecVersion1_6)
}

// asset is a third-party file inside the binary.
type asset struct{ name, origin, licence, content string }

// embedded are the third-party files of this build; what a build tag left out is not there.
func embedded() []asset {
	all := []asset{
		{"third_party/e5/model.safetensors", "intfloat/multilingual-e5-small", "MIT", e5.Model},
		{"third_party/e5/static.safetensors", "intfloat/multilingual-e5-small", "MIT", e5.Static},
		{"third_party/pdfium/pdfium.wasm", "PDFium", "BSD-3-Clause", string(pdfium.Wasm)},
	}
	kept := all[:0]
	for _, f := range all {
		if f.content != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

// billOfMaterials turns build information and embedded files into a bill. It has
// no time and no random serial number, so that equal binaries print equal bills.
func billOfMaterials(bi *debug.BuildInfo, files []asset) *cdx.BOM {
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{
		Type: cdx.ComponentTypeApplication, BOMRef: bi.Main.Path, Name: bi.Main.Path, Version: bi.Main.Version,
	}}
	components := []cdx.Component{{
		Type: cdx.ComponentTypeLibrary, BOMRef: "go", Name: "std", Version: bi.GoVersion, PackageURL: "pkg:golang/std@" + bi.GoVersion,
	}}
	for _, m := range bi.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		components = append(components, cdx.Component{
			Type: cdx.ComponentTypeLibrary, BOMRef: purl, Name: m.Path, Version: m.Version, PackageURL: purl,
			Properties: &[]cdx.Property{{Name: "go:sum", Value: m.Sum}},
		})
	}
	for _, f := range files {
		sum := sha256.Sum256([]byte(f.content))
		components = append(components, cdx.Component{
			Type: cdx.ComponentTypeFile, BOMRef: f.name, Name: f.name, Description: f.origin,
			Hashes:   &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
			Licenses: &cdx.Licenses{{License: &cdx.License{ID: f.licence}}},
		})
	}
	bom.Components = &components
	return bom
}
