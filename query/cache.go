package query

import (
	"strings"

	"digesto"
	"digesto/pack"
	"digesto/passage"
	"digesto/recent"
	"digesto/text"
	"digesto/text/quote"
	"digesto/verify"
)

// UnitCache keeps the latest units prepared for extraction, and headings. A unit's
// key holds the hash of the text, so that a changed text is another entry and nothing
// has to be thrown away when a snapshot is replaced.
type UnitCache struct {
	units recent.Cache[unitKey, *passage.Unit]
	heads recent.Cache[string, *passage.Heading]
	specs recent.Cache[regimeKey, []int]
	Lacks recent.Cache[LackKey, []string]
	says  recent.Cache[unitKey, *verify.Passage]
	forms recent.Cache[string, *quote.Text]
}

func NewUnitCache() *UnitCache {
	c := &UnitCache{}
	c.units.Most, c.says.Most, c.forms.Most = unitBytes, passageBytes, formBytes
	c.heads.Most, c.specs.Most, c.Lacks.Most = headBytes, headBytes, headBytes
	return c
}

// LackKey is a fact and the text that may not hold its figures.
type LackKey struct{ Text, Year, SHA string }

type regimeKey struct {
	pack    *pack.Pack
	heading string
}

type unitKey struct{ sha, heading string }

// shortTitle bounds, in bytes, the titles that tell the matter of a whole norm;
// longer ones list the matters of many.
const shortTitle = 130

// Bounds of each half of what is kept, in bytes.
const (
	unitBytes = 32 << 20
	headBytes = 4 << 20

	passageBytes  = 8 << 20
	passageWeight = 10 // bytes for each byte of text, about

	formBytes  = 8 << 20
	formWeight = 14 // bytes for each byte of text, about
)

// Get prepares a unit's text, or gives the one prepared before.
func (c *UnitCache) Get(an *text.Analyser, x verify.Ground) *passage.Unit {
	heading := x.Unit.Rubric + " " + strings.Join(x.Unit.Path, " ")
	if len(x.Norm.Title) < shortTitle { // a law of one matter is about it in every article
		heading += " " + x.Norm.Title
	}
	key := unitKey{x.Version.SHA256, heading}
	if key.sha == "" {
		return passage.New(an, heading, x.Version.Text)
	}
	u, ok := c.units.Get(key)
	if !ok {
		u = passage.New(an, heading, x.Version.Text)
		c.units.Put(key, u, u.Size())
	}
	return u
}

// Passage gives a unit's text as claims are checked against it.
func (c *UnitCache) Passage(an *text.Analyser, x verify.Ground, title string) *verify.Passage {
	key := unitKey{x.Version.SHA256, title}
	if c == nil || key.sha == "" {
		return verify.NewPassage(an, title, x.Version.Text)
	}
	p, ok := c.says.Get(key)
	if !ok {
		p = verify.NewPassage(an, title, x.Version.Text)
		c.says.Put(key, p, passageWeight*(len(x.Version.Text)+len(key.heading)))
	}
	return p
}

// Quotable gives a version's text ready to be searched for quotations.
func (c *UnitCache) Quotable(v digesto.Version) *quote.Text {
	if c == nil || v.SHA256 == "" {
		return quote.Prepare(v.Text)
	}
	t, ok := c.forms.Get(v.SHA256)
	if !ok {
		t = quote.Prepare(v.Text)
		c.forms.Put(v.SHA256, t, formWeight*len(v.Text))
	}
	return t
}

// Regimes gives the special regimes of a pack that the headings of a unit name.
func (c *UnitCache) Regimes(p *pack.Pack, x *verify.Ground) []int {
	if len(p.Regimes) == 0 {
		return nil
	}
	if c == nil {
		return p.RegimesOf(HeadingOf(x))
	}
	key := regimeKey{p, HeadingOf(x)}
	list, ok := c.specs.Get(key)
	if !ok {
		list = p.RegimesOf(key.heading)
		c.specs.Put(key, list, 160+len(key.heading)+8*len(list))
	}
	return list
}

// Heading gives the words of a heading.
func (c *UnitCache) Heading(an *text.Analyser, s string) *passage.Heading {
	if c == nil {
		return passage.NewHeading(an, s)
	}
	h, ok := c.heads.Get(s)
	if !ok {
		h = passage.NewHeading(an, s)
		c.heads.Put(s, h, h.Size()+len(s))
	}
	return h
}

// HeadingOf is all that stands above a unit, its own rubric last.
func HeadingOf(x *verify.Ground) string {
	return x.Norm.Title + " " + strings.Join(x.Unit.Path, " ") + " " + x.Unit.Rubric
}
