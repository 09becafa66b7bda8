package run

import (
	"io/fs"
	"os"
	"path/filepath"

	"digesto"
	"digesto/eval"
	"digesto/packs"
)

// Share is a part of a whole; of nothing 0.
func Share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// TemporalCases reads the files named, or those that the packs bring.
func TemporalCases(packName string, files []string) (out []eval.TemporalCase, err error) {
	add := func(name string, data []byte, err error) error {
		if err != nil {
			return &digesto.Error{Code: digesto.CodeNotFound, Message: "No se puede leer «" + name + "»", Hint: "Compruebe la ruta.", Err: err}
		}
		list, err := eval.ReadTemporal(data)
		for _, x := range list {
			if packName == "" || x.Pack == packName {
				out = append(out, x)
			}
		}
		return err
	}
	if len(files) > 0 {
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err := add(name, data, err); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	names, err := fs.Glob(packs.FS(), "*/eval/temporal.jsonl")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(packs.FS(), name)
		if err := add(name, data, err); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// DatedCopies finds the copy of a norm of a day in a folder or below it.
func DatedCopies(dir string) func(norm, state string) (string, error) {
	read := map[string]string{}
	return func(norm, state string) (string, error) {
		key := norm + "@" + state
		if s, ok := read[key]; ok {
			return s, nil
		}
		for _, pattern := range []string{key + ".md", "*/" + key + ".md", norm + ".md", "*/" + norm + ".md", "*/*/" + norm + ".md", "*/*/*/" + norm + ".md", "*/*/" + key + ".md"} {
			found, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil || len(found) == 0 {
				continue
			}
			data, err := os.ReadFile(found[0])
			read[key] = string(data)
			return read[key], err
		}
		return "", &digesto.Error{Code: digesto.CodeNotFound, Message: "No está la copia de " + norm + " del " + state, Hint: "Indique con --texts la carpeta que la contiene."}
	}
}
