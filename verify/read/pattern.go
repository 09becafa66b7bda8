package read

import (
	"fmt"
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// Pattern is a regular expression that is tried only where a match of it can begin, told by the
// next characters: a text of megabytes is passed over at the speed of a table. It gives what
// regexp.FindAllStringSubmatchIndex gives.
type Pattern struct {
	Re     *regexp.Regexp
	start  *regexp.Regexp // at the start of a text; nil = the expression was not looked into
	behind *regexp.Regexp // behind one character, which \b looks at
	prog   *syntax.Prog
	begin  *state     // before the first character of a match
	only   int        // the one byte that begins one; -1 = there are several
	heads  [256]uint8 // what a byte may do there: begin one, but not within a word; or anywhere
	mu     sync.Mutex
	states map[string]*state // by the instructions
}

// state is what of an expression may be read next, once some characters were. What stands
// around characters ("\b", "^") is taken to hold: a place that is tried may have no match.
type state struct {
	reads []uint32 // instructions
	ends  bool     // a match may end here
	next  [utf8.RuneSelf + 1]atomic.Pointer[state]
}

// wordByte are the letters and digits that "\b" knows.
var wordByte = func() (out [256]bool) {
	for b := range out {
		out[b] = b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
	}
	return out
}()

// beyond stands for all characters that are not ASCII.
const beyond = utf8.RuneSelf

// Bounds of what is looked at to tell where a match can begin: characters, and states of an expression.
const (
	lookAhead = 24
	maxStates = 512
)

// Compile makes a pattern; an expression that is wrong is a fault of the program.
func Compile(expr string) *Pattern {
	p := &Pattern{Re: regexp.MustCompile(expr), start: regexp.MustCompile(`\A(?:` + expr + `)`), behind: regexp.MustCompile(`\A(?s:.)(` + expr + `)`), states: map[string]*state{}}
	tree, _ := syntax.Parse(expr, syntax.Perl)
	p.prog, _ = syntax.Compile(tree.Simplify())
	p.begin = p.state(uint32(p.prog.Start))
	free, _ := p.reads(false, uint32(p.prog.Start))
	for b := range p.heads {
		switch c := min(b, beyond); {
		case slices.ContainsFunc(free, func(at uint32) bool { return takes(&p.prog.Inst[at], c) }) || c == beyond && len(p.after(p.begin, c).reads) > 0:
			p.heads[b] = anywhere
		case len(p.after(p.begin, c).reads) > 0 || p.after(p.begin, c).ends:
			p.heads[b] = notWithin
		}
	}
	p.only = slices.IndexFunc(p.heads[:], func(h uint8) bool { return h > 0 })
	if slices.ContainsFunc(p.heads[p.only+1:], func(h uint8) bool { return h > 0 }) {
		p.only = -1
	}
	return p
}

// What a byte may do at the beginning of a match.
const (
	notWithin = 1 // begin it behind what is no letter or digit of ASCII
	anywhere  = 2
)

// reads gives the instructions that read the next character from instructions on, and whether
// a match may end without; edges, also across the edge of a word.
func (p *Pattern) reads(edges bool, todo ...uint32) (out []uint32, ends bool) {
	for seen := map[uint32]bool{}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		switch i := &p.prog.Inst[at]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, i.Out, i.Arg)
		case syntax.InstEmptyWidth:
			if edges || syntax.EmptyOp(i.Arg)&syntax.EmptyWordBoundary == 0 {
				todo = append(todo, i.Out)
			}
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, i.Out)
		case syntax.InstMatch:
			ends = true
		case syntax.InstFail:
		default:
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return out, ends
}

// state gives the state in which a program goes on from instructions.
func (p *Pattern) state(from ...uint32) *state {
	reads, ends := p.reads(true, from...)
	key := fmt.Sprint(ends, reads)
	s := p.states[key]
	if s == nil && len(p.states) >= maxStates {
		return &state{ends: true}
	}
	if s == nil {
		s = &state{reads: reads, ends: ends}
		p.states[key] = s
	}
	return s
}

// after gives the state behind a character of an ASCII code, or one beyond.
func (p *Pattern) after(s *state, c int) *state {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []uint32
	for _, at := range s.reads {
		if i := &p.prog.Inst[at]; takes(i, c) {
			out = append(out, i.Out)
		}
	}
	next := p.state(out...)
	s.next[c].Store(next)
	return next
}

// takes says whether an instruction may read a character; those beyond ASCII are not told apart.
func takes(i *syntax.Inst, c int) bool {
	if c != beyond {
		return i.MatchRune(rune(c))
	}
	if len(i.Rune) == 1 && syntax.Flags(i.Arg)&syntax.FoldCase != 0 {
		for r := unicode.SimpleFold(i.Rune[0]); r != i.Rune[0]; r = unicode.SimpleFold(r) {
			if r >= beyond {
				return true
			}
		}
	}
	return i.Op == syntax.InstRuneAny || i.Op == syntax.InstRuneAnyNotNL || len(i.Rune) > 0 && i.Rune[len(i.Rune)-1] >= beyond
}

// Plainly makes a pattern that is not looked into, which is not worth while for a short text.
func Plainly(re *regexp.Regexp) *Pattern { return &Pattern{Re: re} }

// may says whether a match may begin at byte i.
func (p *Pattern) may(s string, i int) bool {
	now := p.begin
	for n := 0; n < lookAhead && !now.ends; n++ {
		if i == len(s) || len(now.reads) == 0 {
			return false
		}
		c, size := int(s[i]), 1
		if c >= beyond {
			_, size = utf8.DecodeRuneInString(s[i:])
			c = beyond
		}
		i += size
		next := now.next[c].Load()
		if next == nil {
			next = p.after(now, c)
		}
		now = next
	}
	return true
}

// In gives the matches in order, as regexp.FindAllStringSubmatchIndex does. The work is
// halted with m, which may be nil.
func (p *Pattern) In(m *Meter, s string) iter.Seq[[]int] { return p.before(m, s, len(s)) }

// before gives those that begin before a byte.
func (p *Pattern) before(m *Meter, s string, last int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		if p.start == nil || p.begin.ends {
			for _, found := range p.Re.FindAllStringSubmatchIndex(s, -1) {
				if found[0] < last && !yield(found) {
					break
				}
			}
			return
		}
		last = min(last, len(s))
		for at, rest := 0, 0; at < last; at++ {
			if at >= rest {
				m.Alive()
				rest = at + Breath
			}
			if p.only >= 0 {
				k := strings.IndexByte(s[at:min(rest, last)], byte(p.only))
				if k < 0 {
					at = rest - 1
					continue
				}
				at += k
			}
			if h := p.heads[s[at]]; h == 0 || h == notWithin && at > 0 && wordByte[s[at-1]] || !p.may(s, at) {
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
