package brief

import (
	"context"
	"regexp"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// pattern is a regular expression that is tried only where a match of it can begin, told
// by its first two bytes: a text of megabytes is passed over at the speed of a table. It
// gives what regexp.FindAllStringSubmatchIndex gives.
type pattern struct {
	re       *regexp.Regexp
	first    *regexp.Regexp  // at the start of a text
	behind   *regexp.Regexp  // behind one character, which \b looks at
	heads    [256]bool       // first bytes of a match
	pairs    [1 << 10]uint64 // and the first two, a bit for each
	anywhere bool            // a match may begin with anything
}

// compile makes a pattern; an expression that is wrong is a fault of the program.
func compile(expr string) *pattern {
	p := &pattern{re: regexp.MustCompile(expr), first: regexp.MustCompile(`\A(?:` + expr + `)`), behind: regexp.MustCompile(`\A(?s:.)(` + expr + `)`)}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err)
	}
	p.anywhere = !p.begin([]*syntax.Regexp{tree.Simplify()}, "", 0)
	return p
}

// patternOf makes a pattern of an expression for a text of so many bytes. For a short one it
// is not worth while to look into the expression.
func patternOf(re *regexp.Regexp, n int) *pattern {
	if n < breath {
		return &pattern{re: re}
	}
	return compile(re.String())
}

// deepest is how far into an expression its beginnings are looked for.
const deepest = 200

// begin notes the first two bytes of what a row of expressions matches behind a prefix;
// false when that may be anything.
func (p *pattern) begin(row []*syntax.Regexp, prefix string, depth int) bool {
	switch {
	case len(prefix) >= 2:
		p.note(prefix[0], int(prefix[1]))
		return true
	case len(row) == 0 || depth > deepest:
		return p.open(prefix)
	}
	head, rest := row[0], row[1:]
	with := func(more ...*syntax.Regexp) bool {
		return p.begin(append(more[:len(more):len(more)], rest...), prefix, depth+1)
	}
	switch head.Op {
	case syntax.OpLiteral:
		return p.literal(head, rest, prefix, depth)
	case syntax.OpCharClass:
		return p.class(head.Rune, rest, prefix, depth)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return p.open(prefix)
	case syntax.OpCapture, syntax.OpConcat:
		return with(head.Sub...)
	case syntax.OpStar:
		return with() && with(head.Sub[0], head)
	case syntax.OpPlus:
		return with(head.Sub[0], &syntax.Regexp{Op: syntax.OpStar, Sub: head.Sub})
	case syntax.OpQuest:
		return with() && with(head.Sub[0])
	case syntax.OpAlternate:
		for _, one := range head.Sub {
			if !with(one) {
				return false
			}
		}
		return true
	}
	return with() // what has no length
}

// literal goes on behind the first character of a literal, in every case it may have.
func (p *pattern) literal(head *syntax.Regexp, rest []*syntax.Regexp, prefix string, depth int) bool {
	if len(head.Rune) > 1 {
		tail := *head
		tail.Rune = head.Rune[1:]
		rest = append([]*syntax.Regexp{&tail}, rest...)
	}
	c := head.Rune[0]
	for r := c; ; {
		if !p.begin(rest, prefix+string(r), depth+1) {
			return false
		}
		if r = unicode.SimpleFold(r); r == c || head.Flags&syntax.FoldCase == 0 {
			return true
		}
	}
}

// widestClass is how many characters a class may have to be looked at one by one.
const widestClass = 32

func (p *pattern) class(ranges []rune, rest []*syntax.Regexp, prefix string, depth int) bool {
	n := 0
	for i := 0; i < len(ranges); i += 2 {
		n += int(ranges[i+1]-ranges[i]) + 1
	}
	if n > widestClass {
		return p.open(prefix)
	}
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if !p.begin(rest, prefix+string(r), depth+1) {
				return false
			}
		}
	}
	return true
}

// open notes a beginning of which only the first byte, or nothing, is known.
func (p *pattern) open(prefix string) bool {
	if prefix == "" {
		return false
	}
	for b := range 256 {
		p.note(prefix[0], b)
	}
	return true
}

func (p *pattern) note(a byte, b int) {
	p.heads[a] = true
	k := int(a)<<8 | b
	p.pairs[k>>6] |= 1 << (k & 63)
}

// may says whether a match may begin at byte i.
func (p *pattern) may(s string, i int) bool {
	if p.anywhere || !p.heads[s[i]] || i+1 == len(s) {
		return p.anywhere || p.heads[s[i]]
	}
	k := int(s[i])<<8 | int(s[i+1])
	return p.pairs[k>>6]&(1<<(k&63)) != 0
}

// each gives the matches in order, as regexp.FindAllStringSubmatchIndex does, until
// fn says false or ctx ends, which is its error.
func (p *pattern) each(ctx context.Context, s string, fn func(m []int) bool) error {
	return p.within(ctx, s, func(int) bool { return true }, fn)
}

// next gives the first match, or nil.
func (p *pattern) next(s string) (first []int) {
	_ = p.each(context.Background(), s, func(m []int) bool { // of one quotation or so
		first = m
		return false
	})
	return first
}

// within is each of the matches that begin where they may.
func (p *pattern) within(ctx context.Context, s string, may func(i int) bool, fn func(m []int) bool) error {
	if p.behind == nil || p.anywhere {
		return p.plain(ctx, s, may, fn)
	}
	for at := 0; at < len(s); {
		if err := ctx.Err(); err != nil {
			return cancelled(err)
		}
		end := min(len(s), at+breath)
		for ; at < end; at++ {
			if !p.may(s, at) || !may(at) {
				continue
			}
			m := p.match(s, at)
			if m == nil {
				continue
			}
			if !fn(m) {
				return nil
			}
			at = max(at, m[1]-1)
		}
	}
	return nil
}

// all gives every match.
func (p *pattern) all(ctx context.Context, s string) (out [][]int, err error) {
	err = p.each(ctx, s, func(m []int) bool {
		out = append(out, m)
		return true
	})
	return out, err
}

// plain is within of an expression that was not looked into.
func (p *pattern) plain(ctx context.Context, s string, may func(i int) bool, fn func(m []int) bool) error {
	for _, m := range p.re.FindAllStringSubmatchIndex(s, -1) {
		if may(m[0]) && !fn(m) {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return cancelled(err)
	}
	return nil
}

// match gives the match that begins at byte i, or nil.
func (p *pattern) match(s string, i int) []int {
	if i == 0 {
		return p.first.FindStringSubmatchIndex(s)
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

// breath is how many bytes are read between two looks at whether the work is still wanted.
const breath = 1 << 15
