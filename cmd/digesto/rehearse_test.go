package main

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"digesto/app"
)

// TestRehearse: what was asked of a server before it was started anew is found again,
// each question once, and again after the law has changed.
func TestRehearse(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "diez")
	questions := []string{"¿Cuántos días de descanso tiene el farero al año?", "¿Qué regula la ley de los faros?"}
	url := ownServer(t, data)
	for range 2 {
		for _, q := range questions {
			res, err := http.Post(url+"/v1/ask", "application/json", strings.NewReader(`{"question": "`+q+`", "pack": "laboral"}`))
			if err != nil || res.StatusCode != 200 {
				t.Fatal(res, err)
			}
			res.Body.Close()
		}
	}
	e, _, _ := testEnv(map[string]string{"DIGESTO_DATA": data})
	a := newApp(context.Background(), e)
	a.Settings.Data, a.Settings.Origins = data, map[string]string{"data": "opción"}
	w, err := a.Open(a.Context)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	w.Traces = &app.Traces{Kept: app.TracesIn(data)}
	if _, err := a.NewServer(w, false, false); err != nil {
		t.Fatal(err)
	}
	again := func() int {
		t.Helper()
		_, done, err := w.Law.View()
		if err != nil {
			t.Fatal(err)
		}
		done()
		return w.RehearseIn(t.Context(), w.Law.Answering())
	}
	for _, want := range []int{len(questions), 0} {
		if n := again(); n != want {
			t.Errorf("%d found again, want %d", n, want)
		}
	}
	addLaw(t, data, "veinte")
	if n := again(); n != len(questions) {
		t.Errorf("%d found again after the law changed", n)
	}
	if n := len(app.TracesIn(data).Latest(100)); n != 2*len(questions) {
		t.Errorf("%d traces in %s", n, filepath.Join(data, "traces"))
	}
}
