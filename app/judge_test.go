package app

import (
	"testing"
	"time"

	"digesto/judge"
)

// TestProbeOfAModel: what was found of a model is known of it alone, and follows for the
// writer only where the writer is that model.
func TestProbeOfAModel(t *testing.T) {
	data := t.TempDir()
	open := func(vars map[string]string) *App {
		a := &App{Context: t.Context(), Now: time.Now, Environ: func(k string) (string, bool) { v, ok := vars[k]; return v, ok }}
		var err error
		if a.Settings, err = a.LoadSettings(data, ""); err != nil {
			t.Fatal(err)
		}
		return a
	}
	vars := func(reader, writer string) map[string]string {
		out := map[string]string{}
		for section, name := range map[string]string{"READER": reader, "WRITER": writer} {
			if name != "" {
				out["DIGESTO_MODEL_"+section+"_PROVIDER"], out["DIGESTO_MODEL_"+section+"_URL"], out["DIGESTO_MODEL_"+section+"_NAME"] = "compatible", "http://127.0.0.1:9/v1", name
			}
		}
		return out
	}
	if err := open(vars("uno", "")).KeepProbe(&judge.Probe{May: judge.Ties}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reader, writer string
		may            judge.Power
		stranger       bool
	}{
		{"uno", "", judge.Ties, false},
		{"uno", "uno", judge.Ties, false},
		{"uno", "dos", judge.Ties, true},
		{"dos", "uno", judge.Untried, true},
		{"", "uno", judge.Untried, false}, // kept of a reader: it judged by other settings
		{"", "", judge.Untried, false},
	} {
		a := open(vars(c.reader, c.writer))
		p, err := a.Probe()
		stranger, err2 := a.stranger()
		if err != nil || err2 != nil || p.May != c.may || stranger != c.stranger {
			t.Errorf("%+v: %q, stranger %v, %v %v", c, p.May, stranger, err, err2)
		}
	}
}
