package corpus

import (
	"encoding/hex"
)

// form is a record being written or read: what a record is made of is described
// once, in the order in which it is written, and serves both ways. Reading, the
// description is gone through for each field found, and that of its number takes
// it: records have few fields.
type form struct {
	e *encoder // where it is written; nil when it is read

	d     *decoder // of the record read
	field int      // the field found, and its value
	n     int
	s     string
}

// encode appends the record x to e.
func encode[T any](e *encoder, x *T, describe func(*form, *T)) { describe(&form{e: e}, x) }

// decode gives the record that the bytes hold. Fields that it does not know are passed over.
func decode[T any](rec string, x *T, describe func(*form, *T)) error {
	d := decoder{s: rec}
	f := form{d: &d}
	return d.fields(func(field, n int, s string) {
		f.field, f.n, f.s = field, n, s
		describe(&f, x)
	})
}

// word is a field of words.
func word[S ~string](f *form, field int, p *S) {
	switch {
	case f.e != nil:
		f.e.str(field, string(*p))
	case f.field == field:
		*p = S(f.s)
	}
}

// words is a list of words, one field each.
func (f *form) words(field int, p *[]string) {
	switch {
	case f.e != nil:
		f.e.strs(field, *p)
	case f.field == field:
		*p = append(*p, f.s)
	}
}

// number is a field with a number that is not negative.
func number[N ~int | ~uint32 | ~uint64](f *form, field int, p *N) {
	switch {
	case f.e != nil:
		f.e.int(field, int(*p))
	case f.field == field:
		*p = N(f.n)
	}
}

func (f *form) flag(field int, p *bool) {
	switch {
	case f.e != nil:
		f.e.bool(field, *p)
	case f.field == field:
		*p = f.n != 0
	}
}

// record is a record inside this one.
func record[T any](f *form, field int, p *T, describe func(*form, *T)) {
	switch {
	case f.e != nil:
		f.e.message(field, func(in *encoder) { encode(in, p, describe) })
	case f.field == field:
		f.d.sub(decode(f.s, p, describe))
	}
}

// records is a list of records, one field each.
func records[T any](f *form, field int, p *[]T, describe func(*form, *T)) {
	switch {
	case f.e != nil:
		for i := range *p {
			record(f, field, &(*p)[i], describe)
		}
	case f.field == field:
		var x T
		f.d.sub(decode(f.s, &x, describe))
		*p = append(*p, x)
	}
}

// raw is a field of exactly as many bytes as p has; it is written if there is one to write.
func (f *form) raw(field int, p []byte, there bool) {
	switch {
	case f.e != nil:
		if there {
			f.e.always(field, string(p))
		}
	case f.field == field:
		if len(f.s) != len(p) {
			f.d.fail(errLayout)
			return
		}
		copy(p, f.s)
	}
}

// hash is a field of bytes that is known by its hexadecimal digits; what is none is not written.
func (f *form) hash(field int, p *string) {
	switch {
	case f.e != nil:
		if b, err := hex.DecodeString(*p); err == nil {
			f.e.str(field, string(b))
		}
	case f.field == field:
		*p = hex.EncodeToString([]byte(f.s))
	}
}
