package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text/lazyregexp"
)

// detectors find candidates by shape; valid decides by check digits. A
// detector without one asks for words before the number that say what it is.
var detectors = []detector{
	{"CORREO", lazyregexp.New(`[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}`), nil, false},
	{"IBAN", lazyregexp.New(`[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?`), validIBAN, false},
	{"DNI", lazyregexp.New(`\d{1,2}\.?\d{3}\.?\d{3}[ -]?[A-Za-z]`), validDNI, false},
	{"NIE", lazyregexp.New(`[XYZxyz][ -]?\d{7}[ -]?[A-Za-z]`), validNIE, false},
	{"DNI", lazyregexp.New(`(?i)(?:\bdni\b|documento nacional de identidad|\bcédula\b|\bc\.i\.)[ :nº°.o]{0,6}(\d{1,2}\.?\d{3}\.?\d{3})`), nil, false},
	{"CUIT", lazyregexp.New(`\d{2}[ -]?\d{8}[ -]?\d`), validCUIT, false},
	{"RUC", lazyregexp.New(`\d{11}`), validRUC, false},
	{"TARJETA", lazyregexp.New(`\d(?:[ -]?\d){12,18}`), validCard, false},
	{"TELEFONO", lazyregexp.New(`\+[1-9]\d{0,2}[ .-]?\d(?:[ .-]?\d){6,11}`), nil, false},
	{"TELEFONO", lazyregexp.New(`(?i)(?:tel[ée]fono|tel\.?|tfno\.?|m[óo]vil|celular|cel\.|whatsapp)[ :.nº°]{0,6}(\d(?:[ .-]?\d){6,11})`), validPhone, false},
	{"TELEFONO", lazyregexp.New(`[67]\d{2}[ -]?(?:\d{3}[ -]?\d{3}|\d{2}[ -]?\d{2}[ -]?\d{2})`), validMobile, true},
}

type detector struct {
	kind  string
	re    *lazyregexp.Regexp
	valid func(compacted string) bool
	shape bool // only its shape makes it personal: the words around may say otherwise
}

// trim gives where the datum that begins at start ends: a pattern may have
// taken a following word for one more group. -1 = there is none.
func (d detector) trim(text string, start, end int) int {
	for d.valid != nil && !d.valid(compact(text[start:end])) {
		cut := strings.LastIndexAny(text[start:end], " -")
		if cut <= 0 {
			return -1
		}
		end = start + cut
	}
	if d.shape && counted(text, start, end) {
		return -1
	}
	return end
}

// compact takes out what people put between digits, and folds case.
func compact(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '.' && !strings.Contains(s, "@") {
			return -1
		}
		return r
	}, s))
}

// wordAround says whether the match is part of a longer word or number.
func wordAround(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, n := utf8.DecodeRuneInString(text[end:])
	if joins(before) || joins(after) || before == '/' || after == '/' {
		return true
	}
	// "1.234.567,89" and "12345678-2020" go on behind the sign
	if strings.ContainsRune(".,-", after) {
		next, _ := utf8.DecodeRuneInString(text[end+n:])
		return unicode.IsDigit(next)
	}
	if strings.ContainsRune(".,-", before) && start >= 2 {
		return unicode.IsDigit(rune(text[start-2]))
	}
	return false
}

func joins(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// dniLetters is the control letter by the number modulo 23.
const dniLetters = "trwagmyfpdxbnjzsqvhlcke"

func validDNI(s string) bool {
	n, ok := number(s[:len(s)-1])
	return ok && len(s) >= 8 && len(s) <= 9 && s[len(s)-1] == dniLetters[n%23]
}

func validNIE(s string) bool {
	i := strings.IndexByte("xyz", s[0])
	if i < 0 || len(s) != 9 {
		return false
	}
	n, ok := number(string(rune('0'+i)) + s[1:8])
	return ok && s[8] == dniLetters[n%23]
}

func number(s string) (n int, ok bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, s != ""
}

// weighted is the check sum of an 11-digit tax number modulo 11, with the
// weights 5 4 3 2 7 6 5 4 3 2; -1 if it is no such number.
func weighted(s string) int {
	if _, ok := number(s); !ok || len(s) != 11 {
		return -1
	}
	sum := 0
	for i, w := range []int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2} {
		sum += w * int(s[i]-'0')
	}
	return sum % 11
}

// validCUIT: the check digit is 11 less the sum; 11 is written 0, 10 does not occur.
func validCUIT(s string) bool {
	sum := weighted(s)
	return sum >= 0 && sum != 1 && (11-sum)%11 == int(s[10]-'0') && prefixed(s, "20", "23", "24", "25", "26", "27", "30", "33", "34")
}

// validRUC: the same sum; 10 is written 0 and 11 is written 1.
func validRUC(s string) bool {
	sum := weighted(s)
	return sum >= 0 && (11-sum)%10 == int(s[10]-'0') && prefixed(s, "10", "15", "16", "17", "20")
}

func prefixed(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// validIBAN checks ISO 13616: modulo 97 of the number with its head moved to the end.
func validIBAN(s string) bool {
	if len(s) < 15 || len(s) > 34 {
		return false
	}
	rest := 0
	for _, c := range s[4:] + s[:4] {
		switch {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		case c >= 'a' && c <= 'z':
			rest = (rest*100 + int(c-'a') + 10) % 97
		default:
			return false
		}
	}
	return rest == 1
}

// validCard checks ISO/IEC 7812: Luhn, and the first digit of a payment card.
func validCard(s string) bool {
	if len(s) < 13 || len(s) > 19 || s[0] < '3' || s[0] > '6' {
		return false
	}
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// validPhone leaves short and freephone numbers alone: they are of services.
func validPhone(s string) bool {
	return len(s) >= 7 && !strings.HasPrefix(s, "900") && !strings.HasPrefix(s, "901") && !strings.HasPrefix(s, "902") && !strings.HasPrefix(s, "0800")
}

// validMobile is a mobile number of nine digits.
func validMobile(s string) bool { return len(s) == 9 }

var (
	numberOf = lazyregexp.New(`(?i)(?:art[íi]culos?|arts?\.|expedientes?|exp(?:te)?\.|autos|n[úu]m(?:ero)?\.?|nro\.?|n\.?[º°]|referencia|ref\.|registro|protocolo|ley|decreto|resoluci[óo]n|[$€])[ :.]*$`)
	amountOf = lazyregexp.New(`(?i)^ ?(?:€|\$|%|euros?|pesos|soles|d[óo]lares|unidades|millones|habitantes|kil[óo]metros|metros)`)
)

// counted says whether the words around a number make it a file, a norm or an
// amount: shape alone does not make such a number a phone.
func counted(text string, start, end int) bool {
	return numberOf.MatchString(text[max(0, start-24):start]) || amountOf.MatchString(text[end:min(len(text), end+16)])
}
