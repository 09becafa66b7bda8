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
	expr   string
	once   sync.Once
	Re     *regexp.Regexp
	start  *regexp.Regexp // at the start of a text
	behind *regexp.Regexp // behind one character, which \b looks at
	prog   *syntax.Prog
	begin  *state      // before the first character of a match
	heads  [256]*state // behind the first byte of a character that begins one; nil = that begins none
	within [256]bool   // what may begin one within a word
	only   []byte      // the one byte that begins one; nil = there are several
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

// WordByte are the letters and digits that "\b" knows.
var WordByte = func() (out [256]bool) {
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

// Compile makes a pattern; an expression that is wrong is a fault of the program. It is worked
// out when a text is first read for it: most commands read none.
func Compile(expr string) *Pattern { return &Pattern{expr: expr} }

// ready works the expression out, once.
func (p *Pattern) ready() *Pattern {
	p.once.Do(p.make)
	return p
}

func (p *Pattern) make() {
	expr := p.expr
	p.Re, p.start, p.behind = regexp.MustCompile(expr), regexp.MustCompile(`\A(?:`+expr+`)`), regexp.MustCompile(`\A(?s:.)(`+expr+`)`)
	p.states = map[string]*state{}
	tree, _ := syntax.Parse(expr, syntax.Perl)
	p.prog, _ = syntax.Compile(tree.Simplify())
	p.begin = p.state(false, uint32(p.prog.Start))
	inner := p.state(true, uint32(p.prog.Start))
	for b := range p.heads {
		next, within := p.after(p.begin, min(b, beyond)), p.after(inner, min(b, beyond))
		if p.within[b] = within.ends || len(within.reads) > 0; utf8.RuneStart(byte(b)) && (next.ends || len(next.reads) > 0) {
			p.heads[b] = next
			p.only = append(p.only, byte(b))
		}
	}
	if len(p.only) > 1 {
		p.only = nil
	}
}

// state gives the state in which a program goes on from instructions; within a word, where "\b"
// does not hold.
func (p *Pattern) state(within bool, todo ...uint32) *state {
	s := &state{}
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
			if !within || syntax.EmptyOp(i.Arg)&syntax.EmptyWordBoundary == 0 {
				todo = append(todo, i.Out)
			}
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, i.Out)
		case syntax.InstMatch:
			s.ends = true
		case syntax.InstFail:
		default:
			s.reads = append(s.reads, at)
		}
	}
	slices.Sort(s.reads)
	key := fmt.Sprint(s.ends, s.reads)
	if old := p.states[key]; old != nil {
		return old
	}
	if len(p.states) >= maxStates {
		return &state{ends: true}
	}
	p.states[key] = s
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
	next := p.state(false, out...)
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

// Of gives the pattern of an expression, made once.
func Of(expr string) *Pattern {
	p, known := made.Load(expr)
	if !known {
		p, _ = made.LoadOrStore(expr, Compile(expr))
	}
	return p.(*Pattern)
}

var made sync.Map // patterns, by their expressions

// may says whether a match may begin at byte i.
func (p *Pattern) may(s string, i int) bool {
	now := p.heads[s[i]]
	for n := 0; n < lookAhead && now != nil && !now.ends; n++ {
		size := 1
		if s[i] >= beyond {
			_, size = utf8.DecodeRuneInString(s[i:])
		}
		if i += size; i == len(s) || len(now.reads) == 0 {
			return false
		}
		c := min(int(s[i]), beyond)
		next := now.next[c].Load()
		if next == nil {
			next = p.after(now, c)
		}
		now = next
	}
	return now != nil
}

// In gives the matches in order, as regexp.FindAllStringSubmatchIndex does. The work is
// halted with m, which may be nil.
func (p *Pattern) In(m *Meter, s string) iter.Seq[[]int] { return p.before(m, s, len(s)) }

// before gives those that begin before a byte.
func (p *Pattern) before(m *Meter, s string, last int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		if p.ready().begin.ends {
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
			if p.only != nil {
				k := strings.IndexByte(s[at:min(rest, len(s))], p.only[0])
				if k < 0 {
					at = rest - 1
					continue
				}
				if at += k; at >= last {
					return
				}
			}
			b := s[at]
			if p.heads[b] == nil || at > 0 && !p.within[b] && WordByte[b] && WordByte[s[at-1]] || !p.may(s, at) {
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
