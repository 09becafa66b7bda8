package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"digesto"
	"digesto/app"
)

func settingsOf(t *testing.T, vars map[string]string, data, config string) (app.Settings, error) {
	t.Helper()
	e, _, _ := testEnv(vars)
	return (newApp(context.Background(), e)).LoadSettings(data, config)
}

func TestLayers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte("data: /fichero\naddr: 127.0.0.1:1\nmodel:\n  name: uno\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := settingsOf(t, map[string]string{"DIGESTO_ADDR": "127.0.0.1:2", "DIGESTO_CONFIG": file}, "/opcion", "")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string][2]string{
		"data":       {"/opcion", "opción"},
		"addr":       {"127.0.0.1:2", "entorno"},
		"model.name": {"uno", "fichero " + file},
		"pack":       {"", ""},
	} {
		if s.Get(key) != want[0] || s.Origins[key] != want[1] {
			t.Errorf("%s = %q from %q, want %q", key, s.Get(key), s.Origins[key], want)
		}
	}
	if s.Data != "/opcion" {
		t.Errorf("data folder %q", s.Data)
	}
}

func TestDataFolder(t *testing.T) {
	for _, c := range []struct {
		name string
		vars map[string]string
		want string
	}{
		{"XDG", map[string]string{"XDG_DATA_HOME": "/x", "HOME": "/h"}, "/x/digesto"},
		{"a relative XDG is ignored", map[string]string{"XDG_DATA_HOME": "x", "HOME": "/h"}, "/h/.local/share/digesto"},
		{"HOME", map[string]string{"HOME": "/h"}, "/h/.local/share/digesto"},
		{"none", nil, ""},
		{"empty HOME", map[string]string{"HOME": ""}, ""},
	} {
		s, err := settingsOf(t, c.vars, "", "")
		if err != nil {
			t.Fatal(err)
		}
		if got := filepath.ToSlash(s.Data); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if (s.Data == "") != (s.DataWhy != "") {
			t.Errorf("%s: no folder and no reason", c.name)
		}
	}
}

func TestBadConfig(t *testing.T) {
	dir := t.TempDir()
	for name, body := range map[string]string{"key.yaml": "color: rojo\n", "syntax.yaml": "data: [", "list.yaml": "- a\n"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := settingsOf(t, nil, "", file); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := settingsOf(t, nil, "", filepath.Join(dir, "nada.yaml")); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("missing file: %v", err)
	}
}

// FuzzConfig reads any file as configuration without breaking.
func FuzzConfig(f *testing.F) {
	f.Add([]byte("data: /x\nmodel: {url: y}\n"))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			t.Skip()
		}
		if l, err := app.ParseConfig(data); err == nil {
			for key := range l {
				if key == "" {
					t.Error("an empty key passes")
				}
			}
		}
	})
}
