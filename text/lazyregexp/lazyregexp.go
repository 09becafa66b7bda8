// Package lazyregexp holds regular expressions that are compiled when they are first used: the
// program has hundreds, and most commands use a handful.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a [regexp.Regexp] to come, safe for any number of goroutines.
type Regexp struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

// New gives the regular expression of a text; one that is wrong panics when it is first used.
func New(expr string) *Regexp { return &Regexp{expr: expr} }

// Compiled is the expression, compiled.
func (r *Regexp) Compiled() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.expr) })
	return r.re
}

// FindAllString is that of [regexp.Regexp].
func (r *Regexp) FindAllString(s string, n int) []string {
	return r.Compiled().FindAllString(s, n)
}

// FindAllStringIndex is that of [regexp.Regexp].
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.Compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is that of [regexp.Regexp].
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.Compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is that of [regexp.Regexp].
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.Compiled().FindAllStringSubmatchIndex(s, n)
}

// FindString is that of [regexp.Regexp].
func (r *Regexp) FindString(s string) string {
	return r.Compiled().FindString(s)
}

// FindStringIndex is that of [regexp.Regexp].
func (r *Regexp) FindStringIndex(s string) []int {
	return r.Compiled().FindStringIndex(s)
}

// FindStringSubmatch is that of [regexp.Regexp].
func (r *Regexp) FindStringSubmatch(s string) []string {
	return r.Compiled().FindStringSubmatch(s)
}

// FindStringSubmatchIndex is that of [regexp.Regexp].
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.Compiled().FindStringSubmatchIndex(s)
}

// MatchString is that of [regexp.Regexp].
func (r *Regexp) MatchString(s string) bool {
	return r.Compiled().MatchString(s)
}

// ReplaceAllString is that of [regexp.Regexp].
func (r *Regexp) ReplaceAllString(s, repl string) string {
	return r.Compiled().ReplaceAllString(s, repl)
}

// ReplaceAllStringFunc is that of [regexp.Regexp].
func (r *Regexp) ReplaceAllStringFunc(s string, repl func(string) string) string {
	return r.Compiled().ReplaceAllStringFunc(s, repl)
}

// Split is that of [regexp.Regexp].
func (r *Regexp) Split(s string, n int) []string {
	return r.Compiled().Split(s, n)
}

// FindSubmatch is that of [regexp.Regexp].
func (r *Regexp) FindSubmatch(b []byte) [][]byte {
	return r.Compiled().FindSubmatch(b)
}
