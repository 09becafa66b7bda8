package markup

import (
	"context"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// Bounds of a page, in elements and stretches of text: each takes some 150 bytes once it
// is parsed. Those of a text to be checked are fewer: it is held for one request.
const (
	mostNodes      = 4_000_000
	mostNodesPlain = 500_000
	// mostCloned bounds the elements that a parser makes of its own: formatting that is not
	// closed goes on in each paragraph behind it.
	mostCloned = 500_000
)

// ErrTooManyNodes says that a page has more elements than are read.
var ErrTooManyNodes = errors.New("more elements than are read")

// parseHTML parses a page. Its error is that of ctx, ErrTooManyNodes, or says that the
// elements nest too deep.
func parseHTML(ctx context.Context, s string, most int) (*html.Node, error) {
	if err := countNodes(ctx, s, most); err != nil {
		return nil, err
	}
	return html.Parse(&stopping{ctx, strings.NewReader(s)})
}

// stopping is a reader that ends with a context.
type stopping struct {
	ctx context.Context
	r   io.Reader
}

func (s *stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// formatting are the elements that go on behind a paragraph in which they are not closed
// (HTML standard, 13.2.4.3).
var formatting = map[string]bool{"a": true, "b": true, "big": true, "code": true, "em": true, "font": true, "i": true, "nobr": true, "s": true, "small": true, "strike": true, "strong": true, "tt": true, "u": true}

// countNodes reads a page without building it and refuses one of more nodes than most, those
// that formatting left open would add included: of elements alike three go on.
func countNodes(ctx context.Context, s string, most int) error {
	z := html.NewTokenizer(strings.NewReader(s))
	open, alike, sum := map[string]int{}, map[string]int{}, 0 // by name, by whole tag, all
	cloned := 0
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n > most || cloned > mostCloned {
			return ErrTooManyNodes
		}
		switch z.Next() {
		case html.ErrorToken:
			return nil
		case html.TextToken:
			cloned += max(0, sum-freeFormatting)
		case html.StartTagToken:
			raw := string(z.Raw())
			if name, _ := z.TagName(); formatting[string(name)] && alike[raw] < 3 {
				alike[raw]++
				open[string(name)]++
				sum++
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); open[string(name)] > 0 {
				open[string(name)]--
				sum--
				if open[string(name)] == 0 {
					clear(alike)
				}
			}
		}
	}
}

// freeFormatting is how many elements of formatting may be open at a place at no cost.
const freeFormatting = 8
