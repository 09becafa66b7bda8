// Package pdfium holds the PDFium library compiled to WebAssembly, as a blob.
// README.md beside it says where it comes from and under which licences.
package pdfium

import _ "embed"

// SHA256 of Wasm, in hex.
const SHA256 = "5e4cd023c3dad4a895b3571ca573d3fc51bac6de48360d95283134385b954eaa"

// Wasm is the module: emscripten's calling convention, PDFium's public C API as
// exports. It is not run, nor even looked at, before a PDF is read.
//
//go:embed pdfium.wasm
var Wasm []byte
