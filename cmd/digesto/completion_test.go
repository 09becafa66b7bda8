package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBashCompletion lets a real bash complete command lines.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	e, out, _ := testEnv(nil)
	if code := run(context.Background(), []string{"completion", "bash"}, e); code != 0 {
		t.Fatal(code)
	}
	script := filepath.Join(t.TempDir(), "c.bash")
	if err := os.WriteFile(script, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	complete := func(words ...string) []string {
		cmd := exec.Command(bash, "--norc", "-c", `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _digesto; echo "${COMPREPLY[@]}"`, "x", script)
		cmd.Args = append(cmd.Args, words...)
		got, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		return strings.Fields(string(got))
	}
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"digesto", "co"}, "corpus"},
		{[]string{"digesto", "corpus", "sh"}, "show"},
		{[]string{"digesto", "ask", "--pa"}, "--pack"},
		{[]string{"digesto", "jus", "valor", "--y"}, "--year"},
		{[]string{"digesto", "ask", "--da"}, "--data"},
		{[]string{"digesto", "ask", "--pack", "lab"}, "laboral"},
		{[]string{"digesto", "corpus", "add", "x", "--pack", ""}, "peru"},
		{[]string{"digesto", "eval", "retrieval", "x", "--vectors", "st"}, "static"},
		{[]string{"digesto", "completion", "z"}, "zsh"},
		{[]string{"digesto", "eval", "pack", "cl"}, "clara"},
	} {
		if got := complete(c.words...); !slices.Contains(got, c.want) {
			t.Errorf("%v completes to %v, want %s", c.words, got, c.want)
		}
	}
	if got := complete("digesto", "corpus", "a"); slices.Contains(got, "ask") {
		t.Errorf("a command of another level is offered: %v", got)
	}
}

func TestFishCompletion(t *testing.T) {
	e, out, _ := testEnv(nil)
	if code := run(context.Background(), []string{"completion", "fish"}, e); code != 0 {
		t.Fatal(code)
	}
	for _, want := range []string{"-n '__fish_use_subcommand' -a ask", "-n '__fish_seen_subcommand_from corpus' -a add", "-l pack"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %q", want)
		}
	}
}

// TestRealShells lets the shells that are here complete command lines as they do it
// for people: fish by its own command, zsh by reading the script.
func TestRealShells(t *testing.T) {
	script := func(shell string) string {
		e, out, _ := testEnv(nil)
		if code := run(context.Background(), []string{"completion", shell}, e); code != 0 {
			t.Fatal(code)
		}
		path := filepath.Join(t.TempDir(), "_digesto")
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ran := 0
	if fish, err := exec.LookPath("fish"); err == nil {
		ran++
		path := script("fish")
		for line, want := range map[string]string{"digesto cor": "corpus", "digesto corpus sh": "show", "digesto ask --pack lab": "laboral", "digesto ask --as": "--as-of"} {
			out, err := exec.Command(fish, "--no-config", "-c", "source "+path+"; complete -C '"+line+"'").CombinedOutput()
			if err != nil || !strings.Contains(string(out), want) {
				t.Errorf("fish, %q: %v %s", line, err, out)
			}
		}
	}
	if zsh, err := exec.LookPath("zsh"); err == nil {
		ran++
		out, err := exec.Command(zsh, "-f", "-c", "autoload -U compinit && compinit -u -D; source "+script("zsh")+`; COMP_WORDS=(digesto ask --pack lab); COMP_CWORD=3; setopt ksharrays; _digesto; echo "${COMPREPLY[@]}"; echo "${_comps[digesto]}"`).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "laboral") || !strings.Contains(string(out), "_digesto") {
			t.Errorf("zsh: %v %s", err, out)
		}
	}
	if ran == 0 {
		t.Skip("neither fish nor zsh is here")
	}
}
