package storetest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
)

// registers: a value is changed by one at a time, an error changes nothing, and
// names do not meet.
func registers(t *testing.T, f *fixture) {
	add := func(ctx context.Context, name string) error {
		return f.s.Exchange(ctx, name, func(old string) (string, error) {
			n, err := strconv.Atoi("0" + old)
			return strconv.Itoa(n + 1), err
		})
	}
	read := func(name string) (value string) {
		if err := f.s.Exchange(t.Context(), name, func(old string) (string, error) { value = old; return old, nil }); err != nil {
			t.Error(err)
		}
		return value
	}
	if v := read("nada"); v != "" {
		t.Errorf("%q of what was never written", v)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 25 {
				if err := add(t.Context(), []string{"uno", "otro"}[i%2]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if a, b := read("uno"), read("otro"); a != "100" || b != "100" {
		t.Errorf("%s and %s of 100", a, b)
	}
	no := errors.New("no")
	if err := f.s.Exchange(t.Context(), "uno", func(string) (string, error) { return "5", no }); err == nil || read("uno") != "100" {
		t.Errorf("%v, then %s", err, read("uno"))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := add(ctx, "uno"); err == nil || read("uno") != "100" {
		t.Errorf("cancelled: %v, then %s", err, read("uno"))
	}
}
