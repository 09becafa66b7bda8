package markup

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A page is left as soon as nobody waits for it.
func TestParseHTMLStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := parseHTML(ctx, strings.Repeat("<p>x", 1<<16), mostNodes); !errors.Is(err, context.Canceled) {
		t.Errorf("a page: %v", err)
	}
}
