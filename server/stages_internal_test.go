package server

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestStagesHaveWords: every stage that the pipeline tells of is said in Spanish.
func TestStagesHaveWords(t *testing.T) {
	var files []string
	for _, room := range []string{"ask", "ground", "guide"} {
		list, err := filepath.Glob("../" + room + "/*.go")
		if err != nil || len(list) == 0 {
			t.Fatal(room, err)
		}
		files = append(files, list...)
	}
	told := regexp.MustCompile(`\bStage\("([a-z]+)"\)`)
	n := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range told.FindAllStringSubmatch(string(data), -1) {
			if n++; stageTitles[m[1]] == "" {
				t.Errorf("%s tells of %q, which has no words", f, m[1])
			}
		}
	}
	if n < 8 {
		t.Errorf("%d stages are told of", n)
	}
}
