package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto/judge"
	"digesto/model/modeltest"
)

// TestDoctorJudge: what a model may decide is kept for that model alone, and doctor tells it.
func TestDoctorJudge(t *testing.T) {
	data := filepath.Join(t.TempDir(), "datos")
	addLaw(t, data, "veintidós")
	s := modeltest.NewServer(t, modeltest.Script{Pieces: []string{"listo"}})
	vars := map[string]string{"DIGESTO_DATA": data, "DIGESTO_MODEL_READER_PROVIDER": "compatible", "DIGESTO_MODEL_READER_URL": s.URL, "DIGESTO_MODEL_READER_NAME": "uno", "DIGESTO_MODEL_READER_KEY": modeltest.Key}
	doctor := func(vars map[string]string, args ...string) (int, string) {
		e, out, errs := testEnv(vars)
		code := run(context.Background(), append([]string{"doctor"}, args...), e)
		return code, out.String() + errs.String()
	}
	for want, c := range map[string]struct {
		vars map[string]string
		args []string
	}{
		"No hay ningún modelo": {map[string]string{"DIGESTO_DATA": data}, nil},
		"de 1 a 400":           {vars, []string{"--questions", "0"}},
		"No hay ley instalada": {map[string]string{"DIGESTO_MODEL_READER_URL": s.URL, "DIGESTO_MODEL_READER_PROVIDER": "compatible", "DIGESTO_MODEL_READER_NAME": "uno", "DIGESTO_DATA": t.TempDir()}, nil},
	} {
		if code, said := doctor(c.vars, append([]string{"--judge"}, c.args...)...); code == 0 || !strings.Contains(said, want) {
			t.Errorf("%s: exit %d: %s", want, code, said)
		}
	}
	if _, said := doctor(vars); !strings.Contains(said, "ojo    juez de candidatos: el modelo no se ha probado") {
		t.Error(said)
	}
	e, _, _ := testEnv(vars)
	a := newApp(t.Context(), e)
	var err error
	if a.Settings, err = a.LoadSettings(data, ""); err != nil {
		t.Fatal(err)
	}
	if err := a.KeepProbe(&judge.Probe{May: judge.Nothing, At: "2026-11-24", Prompts: judge.Small}); err != nil {
		t.Fatal(err)
	}
	if _, said := doctor(vars); !strings.Contains(said, "bien   juez de candidatos: probado el 2026-11-24: puede decidir nada") {
		t.Error(said)
	}
	vars["DIGESTO_MODEL_READER_NAME"] = "otro"
	if _, said := doctor(vars); !strings.Contains(said, "el modelo no se ha probado") {
		t.Error("what is known of one model is told of another: ", said)
	}
	if err := os.WriteFile(filepath.Join(data, "models", "judge.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, said := doctor(vars); code != 7 || !strings.Contains(said, "FALLO  juez de candidatos") {
		t.Errorf("exit %d: %s", code, said)
	}
}
