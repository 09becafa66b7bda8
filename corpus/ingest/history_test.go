package ingest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
)

// gitHere gives the program git and a way to run it in a new repository.
func gitHere(t *testing.T) (program, dir string, run func(args ...string)) {
	t.Helper()
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git here")
	}
	dir = t.TempDir()
	run = func(args ...string) {
		t.Helper()
		cmd := exec.Command(program, append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@x.example", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	run("init", "-q")
	return program, dir, run
}

// lampLaw is a law of ours on a day, with a fee and a head that may say the day.
func lampLaw(day, fee, more string) string {
	head := "---\ntitle: \"Ley 5/2001, de faroles\"\nidentifier: \"BOE-A-2001-77\"\ncountry: \"es\"\nrank: \"ley\"\npublication_date: \"2001-02-03\"\nlast_updated: \"" + day + "\"\nstatus: \"in_force\"\n---\n"
	return head + "# Ley 5/2001, de faroles\n\n###### Artículo 1. Tasa.\n\nLa tasa por farol es de " + fee + " monedas.\n\n###### Artículo 2. Horario.\n\nLos faroles lucen de noche y se apagan al alba.\n\n###### Artículo 3. Color.\n\nEl color de los faroles es verde en todas las calles.\n" + more
}

func commitLaw(t *testing.T, dir string, run func(...string), text, message string) {
	t.Helper()
	write(t, dir, "es/BOE-A-2001-77.md", text)
	run("add", ".")
	run("commit", "-q", "-m", message)
}

func feeOn(t *testing.T, s *corpus.Snapshot, day digesto.Date) (string, digesto.Version) {
	t.Helper()
	v, _, err := s.At("BOE-A-2001-77", "a1", day)
	if err != nil {
		return "", v
	}
	f := strings.Fields(v.Text)
	return f[len(f)-2], v
}

func TestHistoryOfARepository(t *testing.T) {
	program, dir, run := gitHere(t)
	commitLaw(t, dir, run, lampLaw("2001-02-03", "cinco", ""), "[bootstrap]\n\nSource-Id: BOE-A-2001-77\nSource-Date: 2001-02-03\nNorm-Id: BOE-A-2001-77")
	commitLaw(t, dir, run, lampLaw("2001-02-03", "cinco", "\n"), "a space more: no reform, no day")
	commitLaw(t, dir, run, lampLaw("2010-05-06", "seis", ""), "[reform]\n\nSource-Id: BOE-A-2010-88\nSource-Date: 2010-05-06\nNorm-Id: BOE-A-2001-77")
	commitLaw(t, dir, run, lampLaw("1900-01-01", "siete", ""), "[reform]\n\nSource-Id: BOE-A-2015-99\nSource-Date: 2015-07-08\nNorm-Id: BOE-A-2001-77") // the head says nothing: the message does
	write(t, dir, "es/BOE-A-2001-77.md", lampLaw("2020-01-02", "ocho", ""))                                                                             // not committed yet
	lib := library(t)
	r := add(t, lib, Options{Pack: "p", Git: program}, dir)
	if r.Files != 5 {
		t.Errorf("%d texts looked at, want the file and four states", r.Files)
	}
	snap, err := lib.Current()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	for day, want := range map[digesto.Date]string{"2001-02-02": "", "2005-01-01": "cinco", "2010-05-05": "cinco", "2010-05-06": "seis", "2015-07-07": "seis", "2015-07-08": "siete", "2020-01-02": "ocho", "": "ocho"} {
		if got, v := feeOn(t, snap, day); got != want {
			t.Errorf("%s: %q, want %q (%+v)", day, got, want, v)
		}
	}
	if _, v := feeOn(t, snap, "2012-01-01"); len(v.Reforms) == 0 || v.Reforms[0].Norm != "BOE-A-2010-88" || v.Published != "2010-05-06" || v.ValidFrom != "" {
		t.Errorf("what brought the words of 2010: %+v", v)
	}
	if u, _ := snap.Unit("BOE-A-2001-77", "a2"); len(u.Versions) != 1 {
		t.Errorf("an article that never changed has %d versions", len(u.Versions))
	}
	if r = add(t, lib, Options{Pack: "p", Git: program}, dir); r.Changed != 0 || r.Unchanged != 5 {
		t.Errorf("again: %+v", r)
	}
}

func TestHistoryThatCannotBeRead(t *testing.T) {
	program, dir, run := gitHere(t)
	commitLaw(t, dir, run, lampLaw("2001-02-03", "cinco", ""), "first")
	commitLaw(t, dir, run, lampLaw("2010-05-06", "seis", ""), "second")
	r := add(t, library(t), Options{}, dir)
	if r.Norms != 1 || r.Kinds[kindHistory] != 1 || !strings.Contains(r.Defects[0].Detail, "instálelo") {
		t.Errorf("without the program: %+v", r)
	}
	if r = add(t, library(t), Options{NoHistory: true, Git: program}, dir); r.Files != 1 || r.Kinds[kindHistory] != 0 {
		t.Errorf("not wanted: %+v", r)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r = add(t, library(t), Options{Git: program}, dir); r.Norms != 1 || r.Kinds[kindHistory] != 1 {
		t.Errorf("a damaged repository: %+v", r)
	}
	empty := t.TempDir()
	run("init", "-q", empty)
	write(t, empty, "ley.md", lampLaw("2001-02-03", "cinco", ""))
	if r = add(t, library(t), Options{Git: program}, empty); r.Norms != 1 || r.Kinds[kindHistory] != 0 {
		t.Errorf("a repository without commits: %+v", r)
	}
}
