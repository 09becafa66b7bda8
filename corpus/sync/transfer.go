package sync

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/disk"
)

// SigningKey reads a seed of 32 bytes in hex; make creates it when it is not there.
func SigningKey(path string, create bool) (ed25519.PrivateKey, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && create {
		seed := make([]byte, ed25519.SeedSize)
		if _, err := rand.Read(seed); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, disk.Error(err, path, "Compruebe los permisos de la carpeta de datos.")
		}
		if err := os.WriteFile(path, []byte(hex.EncodeToString(seed)+"\n"), 0o600); err != nil {
			return nil, disk.Error(err, path, "Compruebe los permisos de la carpeta de datos.")
		}
		return ed25519.NewKeyFromSeed(seed), nil
	}
	if err != nil {
		return nil, disk.Error(err, path, "Dé con --key un fichero con la semilla en hexadecimal.")
	}
	seed, err := hex.DecodeString(strings.TrimSpace(string(data)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + path + "» no es una clave ed25519", Hint: "Debe tener 64 cifras hexadecimales."}
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// Purge deletes for good what was removed: the snapshot that still had it, its
// index, and the copies that were pulled of it.
func Purge(ctx context.Context, lib *corpus.Library, data string, ids []string, prune func(*corpus.Library, string)) (corpus.Forgotten, []string, error) {
	proof, err := lib.Forget(ctx)
	if err != nil {
		return proof, nil, err
	}
	prune(lib, data)
	var copies []string
	for _, id := range ids {
		found, _ := filepath.Glob(filepath.Join(data, "pulled", "*", unfit.ReplaceAllString(id, "-")+".*")) // the pattern is ours
		for _, path := range found {
			if err := os.Remove(path); err != nil {
				return proof, copies, disk.Error(err, path, "Bórrelo a mano.")
			}
			copies = append(copies, path)
		}
	}
	if len(copies) > 0 { // what the service sent lies there too, under names that do not tell the norm
		if err := os.RemoveAll(filepath.Join(data, "cache", "fetch")); err != nil {
			return proof, copies, disk.Error(err, filepath.Join(data, "cache", "fetch"), "Bórrela a mano.")
		}
	}
	return proof, copies, nil
}
