package pdfium

// A page has some three thousand characters and PDFium answers one question
// about one character a call. Crossing the sandbox for each costs more than the
// answer, so the loops run inside: a module of two functions, assembled here,
// that shares PDFium's memory.

// The records that the scanner writes, in bytes.
const (
	charRecord   = 60 // see scanChars
	objectRecord = 24 // see scanObjects
)

// WebAssembly opcodes used below (WebAssembly Core Specification 2.0, § 5.4).
const (
	opBlock, opLoop, opEnd     = 0x02, 0x03, 0x0b
	opBr, opBrIf, opCall       = 0x0c, 0x0d, 0x10
	opGet, opSet               = 0x20, 0x21
	opLoad, opStore, opStore64 = 0x28, 0x36, 0x39 // i32.load, i32.store, f64.store
	opConst, opGeU, opAdd      = 0x41, 0x4f, 0x6a
	typeI32, typeF32, typeF64  = 0x7f, 0x7d, 0x7c
	typeVoid                   = 0x40
)

// Indexes of the imported functions, in the order of scanModule.
const (
	fnUnicode = iota
	fnTextObject
	fnLooseBox
	fnOrigin
	fnGenerated
	fnHyphen
	fnFontSize
	fnFont
	fnAngle
	fnObject
	fnObjectType
	fnBounds
)

// scanModule gives the binary of the scanner:
//
//	digesto_scan_chars(textPage, n, out)  n records of charRecord bytes
//	digesto_scan_objects(page, n, out)    n records of objectRecord bytes
func scanModule() []byte {
	types := wasmVec(
		wasmFuncType(2, typeI32), // 0: (page, i) → i32
		wasmFuncType(3, typeI32), // 1
		wasmFuncType(4, typeI32), // 2
		wasmFuncType(1, typeI32), // 3
		wasmFuncType(5, typeI32), // 4
		wasmFuncType(2, typeF64), // 5: (page, i) → f64
		wasmFuncType(3, 0),       // 6: (page, n, out)
		wasmFuncType(2, typeF32), // 7: (page, i) → f32
	)
	imp := func(name string, typ byte) []byte {
		return wasmCat(wasmStr("pdfium"), wasmStr(name), []byte{0x00, typ})
	}
	imports := wasmVec(
		imp("FPDFText_GetUnicode", 0), imp("FPDFText_GetTextObject", 0), imp("FPDFText_GetLooseCharBox", 1),
		imp("FPDFText_GetCharOrigin", 2), imp("FPDFText_IsGenerated", 0), imp("FPDFText_IsHyphen", 0),
		imp("FPDFText_GetFontSize", 5), imp("FPDFTextObj_GetFont", 3),
		imp("FPDFText_GetCharAngle", 7),
		imp("FPDFPage_GetObject", 0), imp("FPDFPageObj_GetType", 3), imp("FPDFPageObj_GetBounds", 4),
		wasmCat(wasmStr("pdfium"), wasmStr("memory"), []byte{0x02, 0x00, 0x00}),
	)
	exports := wasmVec(
		wasmCat(wasmStr("digesto_scan_chars"), []byte{0x00, fnBounds + 1}),
		wasmCat(wasmStr("digesto_scan_objects"), []byte{0x00, fnBounds + 2}),
	)
	return wasmCat([]byte("\x00asm\x01\x00\x00\x00"),
		wasmSection(1, types), wasmSection(2, imports), wasmSection(3, wasmVec([]byte{6}, []byte{6})),
		wasmSection(7, exports), wasmSection(10, wasmVec(wasmBody(scanChars()), wasmBody(scanObjects()))))
}

// Locals of both functions: page, n, out are parameters, i counts, obj is the object.
const locPage, locN, locOut, locI, locObj = 0, 1, 2, 3, 4

// scanChars writes for each character: 0 code point, 4 text object, 8 loose box
// (left, top, right, bottom; f32), 24 origin (x, y; f64), 40 font size (f64),
// 48 font (0 = none), 52 generated, 53 hyphen (bytes), 56 angle in radians (f32).
func scanChars() []byte {
	at := func(fn byte) []byte { return wasmCat(wasmGet(locPage), wasmGet(locI), []byte{opCall, fn}) }
	return wasmLoop(charRecord, wasmCat(
		wasmGet(locOut), at(fnUnicode), wasmStore(0),
		wasmGet(locOut), at(fnTextObject), wasmStore(4),
		wasmGet(locPage), wasmGet(locI), wasmOutPlus(8), []byte{opCall, fnLooseBox, 0x1a},
		wasmGet(locPage), wasmGet(locI), wasmOutPlus(24), wasmOutPlus(32), []byte{opCall, fnOrigin, 0x1a},
		wasmGet(locOut), at(fnFontSize), []byte{opStore64, 0, 40},
		wasmGet(locOut), wasmGet(locOut), []byte{opLoad, 0, 4, opCall, fnFont}, wasmStore(48),
		wasmGet(locOut), at(fnAngle), []byte{0x38, 0, 56}, // f32.store
		wasmGet(locOut), at(fnGenerated), []byte{0x3a, 0, 52}, // i32.store8
		wasmGet(locOut), at(fnHyphen), []byte{0x3a, 0, 53},
	))
}

// scanObjects writes for each page object: 0 object, 4 type, 8 bounds (left, bottom, right, top; f32).
func scanObjects() []byte {
	return wasmLoop(objectRecord, wasmCat(
		wasmGet(locPage), wasmGet(locI), []byte{opCall, fnObject, opSet, locObj},
		wasmGet(locOut), wasmGet(locObj), wasmStore(0),
		wasmGet(locOut), wasmGet(locObj), []byte{opCall, fnObjectType}, wasmStore(4),
		wasmGet(locObj), wasmOutPlus(8), wasmOutPlus(12), wasmOutPlus(16), wasmOutPlus(20), []byte{opCall, fnBounds, 0x1a},
	))
}

// loop runs inner for i in 0…n−1 and moves out on by size each time.
func wasmLoop(size byte, inner []byte) []byte {
	return wasmCat(
		[]byte{opBlock, typeVoid, opLoop, typeVoid},
		wasmGet(locI), wasmGet(locN), []byte{opGeU, opBrIf, 1},
		inner,
		wasmGet(locI), []byte{opConst, 1, opAdd, opSet, locI},
		wasmOutPlus(size), []byte{opSet, locOut, opBr, 0, opEnd, opEnd},
	)
}

func wasmGet(local byte) []byte { return []byte{opGet, local} }

func wasmStore(offset byte) []byte { return []byte{opStore, 0, offset} }

func wasmOutPlus(n byte) []byte { return []byte{opGet, locOut, opConst, n, opAdd} }

// body wraps code as a function with two further i32 locals (i, obj).
func wasmBody(code []byte) []byte {
	b := wasmCat([]byte{1, 2, typeI32}, code, []byte{opEnd})
	return wasmCat(wasmLeb(len(b)), b)
}

// funcType takes n i32 and gives result (0 = nothing).
func wasmFuncType(n int, result byte) []byte {
	b := append([]byte{0x60}, wasmLeb(n)...)
	for range n {
		b = append(b, typeI32)
	}
	if result == 0 {
		return append(b, 0)
	}
	return append(b, 1, result)
}

func wasmSection(id byte, content []byte) []byte {
	return wasmCat([]byte{id}, wasmLeb(len(content)), content)
}

func wasmStr(s string) []byte { return append(wasmLeb(len(s)), s...) }

// vec is a vector of encoded elements.
func wasmVec(items ...[]byte) []byte { return append(wasmLeb(len(items)), wasmCat(items...)...) }

func wasmCat(parts ...[]byte) []byte { return wasmCatTo(nil, parts...) }

func wasmCatTo(out []byte, parts ...[]byte) []byte {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// leb is the unsigned LEB128 of n.
func wasmLeb(n int) []byte {
	var b []byte
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}
