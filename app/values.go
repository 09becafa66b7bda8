package app

import (
	"os"
	"path/filepath"

	"digesto/disk"
	"digesto/packs/jus"
)

// ValuesFile is where values added by the user stand.
func ValuesFile(data string) string { return filepath.Join(data, "jus", "values.tsv") }

// JusOptions reads the values of the user's own, if there are any.
func (a *App) JusOptions() (jus.Options, error) {
	if a.Settings.Data == "" {
		return jus.Options{}, nil
	}
	file := ValuesFile(a.Settings.Data)
	b, err := os.ReadFile(file)
	if err == nil {
		return jus.Options{Added: b}, nil
	}
	if _, missing := os.Lstat(file); missing != nil {
		return jus.Options{}, nil // what is wrong with the folder is said by who needs it
	}
	return jus.Options{}, disk.Error(err, file, "")
}
