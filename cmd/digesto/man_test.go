package main

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"
)

// TestMan holds the manual page against the program: every command with its
// examples, every setting; and where mandoc or groff is there, nothing in it is wrong.
func TestMan(t *testing.T) {
	e, out, errs := testEnv(nil)
	if code := run(context.Background(), []string{"man"}, e); code != 0 {
		t.Fatal(errs)
	}
	page := out.String()
	for _, want := range []string{".TH DIGESTO 1", ".SS digesto ask", ".SS digesto corpus add", ".SS digesto bench load", "DIGESTO_DATA", "digesto serve \\-\\-addr 127.0.0.1:9000"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".TH ") && !strings.HasPrefix(line, ".SH ") && !strings.HasPrefix(line, ".SS ") && !strings.HasPrefix(line, ".TP\n") &&
			!strings.HasPrefix(line, ".B ") && !strings.HasPrefix(line, ".I ") && !strings.HasPrefix(line, ".PP\n") && line != ".nf\n" && line != ".fi\n" {
			t.Errorf("no request of man(7): %q", line)
		}
	}
	if _, err := exec.LookPath("groff"); err == nil {
		cmd := exec.Command("groff", "-man", "-Tutf8", "-Kutf8", "-ww")
		cmd.Stdin = strings.NewReader(page)
		var text, bad bytes.Buffer
		cmd.Stdout, cmd.Stderr = &text, &bad
		if err := cmd.Run(); err != nil || strings.Contains(bad.String(), "error") || text.Len() < 10_000 {
			t.Errorf("%v: %d bytes: %s", err, text.Len(), bad.String())
		}
	}
}
