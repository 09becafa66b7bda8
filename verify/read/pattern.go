package read

import (
	"iter"
	"regexp"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// Pattern is a regular expression that is tried only where a match of it can begin, told
// by its first two bytes: a text of megabytes is passed over at the speed of a table. It
// gives what regexp.FindAllStringSubmatchIndex gives.
type Pattern struct {
	Re       *regexp.Regexp
	start    *regexp.Regexp  // at the start of a text; nil = the expression was not looked into
	behind   *regexp.Regexp  // behind one character, which \b looks at
	pairs    [1 << 10]uint64 // the first two bytes of a match, a bit for each
	anywhere bool            // a match may begin with anything
}

// Compile makes a pattern; an expression that is wrong is a fault of the program.
func Compile(expr string) *Pattern {
	p := &Pattern{Re: regexp.MustCompile(expr), start: regexp.MustCompile(`\A(?:` + expr + `)`), behind: regexp.MustCompile(`\A(?s:.)(` + expr + `)`)}
	tree, _ := syntax.Parse(expr, syntax.Perl)
	prog, _ := syntax.Compile(tree.Simplify())
	for _, one := range begins(prog, uint32(prog.Start)) {
		if one == nil {
			p.anywhere = true
			break
		}
		var then [256]bool
		for _, next := range begins(prog, one.Out) {
			for b := range then {
				then[b] = then[b] || next == nil || takes(next, byte(b))
			}
		}
		for a := range 256 {
			for b := range 256 {
				if takes(one, byte(a)) && (a >= utf8.RuneSelf || then[b]) {
					p.pairs[a<<2|b>>6] |= 1 << (b & 63)
				}
			}
		}
	}
	return p
}

// begins gives the instructions that may read the next character from a place of a program
// on; one is nil where it may end without.
func begins(prog *syntax.Prog, at uint32) (out []*syntax.Inst) {
	seen, todo := map[uint32]bool{}, []uint32{at}
	for len(todo) > 0 {
		at, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		switch i := &prog.Inst[at]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, i.Out, i.Arg)
		case syntax.InstCapture, syntax.InstEmptyWidth, syntax.InstNop:
			todo = append(todo, i.Out)
		case syntax.InstMatch:
			out = append(out, nil)
		case syntax.InstFail:
		default:
			out = append(out, i)
		}
	}
	return out
}

// takes says whether an instruction may read a character that begins with a byte; those
// beyond ASCII are not told apart.
func takes(i *syntax.Inst, b byte) bool {
	if b < utf8.RuneSelf {
		return i.MatchRune(rune(b))
	}
	switch i.Op {
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	if len(i.Rune) == 1 {
		for r := unicode.SimpleFold(i.Rune[0]); r != i.Rune[0] && syntax.Flags(i.Arg)&syntax.FoldCase != 0; r = unicode.SimpleFold(r) {
			if string(r)[0] == b {
				return true
			}
		}
		return string(i.Rune[0])[0] == b
	}
	return len(i.Rune) > 0 && i.Rune[len(i.Rune)-1] >= utf8.RuneSelf
}

// Plainly makes a pattern that is not looked into, which is not worth while for a short text.
func Plainly(re *regexp.Regexp) *Pattern { return &Pattern{Re: re} }

// may says whether a match may begin at byte i.
func (p *Pattern) may(s string, i int) bool {
	if i+1 == len(s) {
		return true
	}
	k := int(s[i])<<8 | int(s[i+1])
	return p.pairs[k>>6]&(1<<(k&63)) != 0
}

// In gives the matches in order, as regexp.FindAllStringSubmatchIndex does. The work is
// halted with m, which may be nil.
func (p *Pattern) In(m *Meter, s string) iter.Seq[[]int] { return p.before(m, s, len(s)) }

// before gives those that begin before a byte.
func (p *Pattern) before(m *Meter, s string, last int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		if p.anywhere || p.start == nil {
			for _, found := range p.Re.FindAllStringSubmatchIndex(s, -1) {
				if found[0] < last && !yield(found) {
					break
				}
			}
			return
		}
		for at, rest := 0, 0; at < min(last, len(s)); at++ {
			if at >= rest {
				m.Alive()
				rest = at + Breath
			}
			if !p.may(s, at) {
				continue
			}
			if m != nil {
				m.Tried++
			}
			if found := p.match(s, at); found != nil {
				if !yield(found) {
					return
				}
				at = max(at, found[1]-1)
			}
		}
	}
}

// first gives the first match, or nil.
func (p *Pattern) first(s string) []int {
	for m := range p.In(nil, s) {
		return m
	}
	return nil
}

// match gives the match that begins at byte i, or nil.
func (p *Pattern) match(s string, i int) []int {
	if i == 0 {
		return p.start.FindStringSubmatchIndex(s)
	}
	_, n := utf8.DecodeLastRuneInString(s[:i])
	m := p.behind.FindStringSubmatchIndex(s[i-n:])
	if m == nil {
		return nil
	}
	m = m[2:]
	for k := range m {
		if m[k] >= 0 {
			m[k] += i - n
		}
	}
	return m
}

// Breath is how many bytes are read between two looks at whether the work is still wanted.
const Breath = 1 << 15
