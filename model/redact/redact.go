// Package redact takes personal data out of a text before it leaves the process
// or reaches a log, and puts them back into the answer: identity, tax and bank
// numbers whose check digits agree, payment cards, e-mail addresses, personal
// phones. Numbers of articles, norms, files and official services stay: a
// number is personal because its own check digit or the words before it say so.
package redact

import (
	"fmt"
	"slices"
	"strings"
)

// Options of a Redactor. The zero value redacts all that is known.
type Options struct {
	// Allow lists what is never redacted: addresses, phones, numbers as written
	// (compared without spaces, dots and dashes), and mail domains as "@dominio".
	Allow []string
}

// Redactor finds personal data. It is safe for any number of goroutines.
type Redactor struct {
	allow map[string]bool
}

// New makes a Redactor.
func New(opt Options) *Redactor {
	r := &Redactor{allow: map[string]bool{}}
	for _, a := range opt.Allow {
		r.allow[compact(a)] = true
	}
	return r
}

// Match is a piece of personal data, in bytes.
type Match struct {
	Start, End int
	Kind       string // "DNI", "NIE", "CUIT", "RUC", "IBAN", "TARJETA", "CORREO", "TELEFONO"
}

// Find gives the personal data of a text, in order, never overlapping. Where two
// readings overlap the one that begins first counts, then the longer one.
func (r *Redactor) Find(text string) []Match {
	var all []Match
	for _, d := range detectors {
		for _, m := range d.re.FindAllStringSubmatchIndex(text, -1) {
			start, end := m[0], m[1]
			if len(m) > 2 && m[2] >= 0 { // a group holds the datum itself
				start, end = m[2], m[3]
			}
			end = d.trim(text, start, end)
			if end < 0 || wordAround(text, start, end) || r.allowed(text[start:end]) {
				continue
			}
			all = append(all, Match{start, end, d.kind})
		}
	}
	slices.SortStableFunc(all, func(a, b Match) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	out := all[:0]
	last := 0
	for _, m := range all {
		if m.Start >= last {
			out = append(out, m)
			last = m.End
		}
	}
	return out
}

func (r *Redactor) allowed(s string) bool {
	c := compact(s)
	if r.allow[c] {
		return true
	}
	if _, domain, ok := strings.Cut(c, "@"); ok {
		for domain != "" {
			if r.allow["@"+domain] {
				return true
			}
			_, domain, _ = strings.Cut(domain, ".")
		}
	}
	return false
}

// Text puts a mark in the place of each datum, for logs; it cannot be undone.
func (r *Redactor) Text(text string) string {
	return replace(text, r.Find(text), func(m Match) string { return "[" + m.Kind + "]" })
}

func replace(text string, found []Match, mark func(Match) string) string {
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, m := range found {
		b.WriteString(text[at:m.Start])
		b.WriteString(mark(m))
		at = m.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// Vault remembers what stands behind each mark of one question. It is not safe
// for several goroutines.
type Vault struct {
	r     *Redactor
	marks map[string]string // datum → mark
	data  map[string]string // mark → datum
	next  map[string]int
}

// NewVault makes an empty vault.
func (r *Redactor) NewVault() *Vault {
	return &Vault{r, map[string]string{}, map[string]string{}, map[string]int{}}
}

// Hide puts marks in the place of personal data; the same datum gets the same
// mark ("[DNI-1]"). A mark that the text itself holds is not used.
func (v *Vault) Hide(text string) string {
	return replace(text, v.r.Find(text), func(m Match) string {
		datum := text[m.Start:m.End]
		if mark, ok := v.marks[datum]; ok {
			return mark
		}
		var mark string
		for {
			v.next[m.Kind]++
			mark = fmt.Sprintf("[%s-%d]", m.Kind, v.next[m.Kind])
			if !strings.Contains(text, mark) {
				break
			}
		}
		v.marks[datum], v.data[mark] = mark, datum
		return mark
	})
}

// Show puts the data back.
func (v *Vault) Show(text string) string {
	if len(v.data) == 0 || !strings.Contains(text, "[") {
		return text
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '[')
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i:]
		j := strings.IndexByte(text, ']')
		if j < 0 {
			break
		}
		if datum, ok := v.data[text[:j+1]]; ok {
			b.WriteString(datum)
			text = text[j+1:]
			continue
		}
		b.WriteByte('[')
		text = text[1:]
	}
	b.WriteString(text)
	return b.String()
}

// maxMark bounds how much of a stream is held back for a mark to end.
const maxMark = 24

// split gives how much of a text can be shown although more follows: all but a
// mark that may have begun.
func split(text string) int {
	i := strings.LastIndexByte(text, '[')
	if i < 0 || strings.IndexByte(text[i:], ']') >= 0 || len(text)-i > maxMark {
		return len(text)
	}
	return i
}
