package law

import (
	"io/fs"
	"os"
	"path/filepath"

	"digesto/digest"
	"digesto/disk"
	"digesto/pack"
	"digesto/packs"
)

// AsksDir holds the entries that the user's model wrote, a folder a pack and a file a
// norm, in the form of the program's own: they are there to be read and corrected.
func AsksDir(data string) string { return filepath.Join(data, "digest") }

// OwnVectors is the file of the vectors of the user's asks.
func OwnVectors(data string) string { return filepath.Join(AsksDir(data), "asks.vec") }

// UserDigest reads the entries that a data folder has for a pack ("*" = for all).
func UserDigest(data, of string) (files []digest.File, bad []pack.Problem, err error) {
	names, err := filepath.Glob(filepath.Join(AsksDir(data), of, "*.txt"))
	if data == "" || err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, disk.Error(err, name, "Compruebe la carpeta de datos.")
		}
		f, faults := digest.Parse(name, string(raw))
		files, bad = append(files, f), append(bad, faults...)
	}
	return files, bad, nil
}

// DigestFrom is where the digest of a pack stands: beside the program, if the pack stands
// in more, which may be nil; else in it.
func DigestFrom(more fs.FS, pack string) fs.FS {
	if more != nil {
		if _, err := fs.Stat(more, pack); err == nil {
			return more
		}
	}
	return packs.FS()
}

// DigestOf gives the entries of a pack (digest.Lazy): the program's or, where it stands in more,
// its own; and those of the data folder. more may be nil.
func DigestOf(more fs.FS, data, pack string) ([]digest.File, error) {
	files, err := digest.Lazy(DigestFrom(more, pack), pack)
	if err != nil {
		return nil, err
	}
	own, _, err := UserDigest(data, pack)
	return append(files, own...), err
}
