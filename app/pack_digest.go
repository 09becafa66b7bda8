package app

import (
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"digesto"
	"digesto/app/law"
	"digesto/digest"
	"digesto/disk"
	"digesto/model"
	"digesto/model/vectorfile"
	"digesto/search"
	assets "digesto/third_party/e5"
)

// askComponents are how many principal components of a vector are kept: of 384, 64
// of four bits each lose nothing that can be seen (docs/retrieval.md).
const askComponents = 64

// MakeDigest makes, in a folder of packs, what the program carries of their digests: the texts
// of each pack, compressed (digest.Archive), and the vectors and words of all asks (digest.vec), with
// the keys by which the next time finds the vectors that it has (digest.keys, not of the program).
func (a *App) MakeDigest(dir string) error {
	from := os.DirFS(dir)
	names, err := digest.Packs(from)
	if err != nil {
		return err
	}
	for _, n := range names {
		err := disk.WriteWhole(filepath.Join(dir, n, digest.Archive), 0o644, true, func(w io.Writer) error { return digest.WriteArchive(w, from, n) })
		if err != nil {
			return disk.Error(err, dir, "Dé una carpeta de paquetes donde se pueda escribir.")
		}
	}
	data, keys, made, err := a.askVectors(from)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{askVectorsFile, data}, {askKeysFile, keys}} {
		err := disk.WriteWhole(filepath.Join(dir, f.name), 0o644, true, func(w io.Writer) error { _, err := w.Write(f.data); return err })
		if err != nil {
			return disk.Error(err, dir, "Dé una carpeta de paquetes donde se pueda escribir.")
		}
	}
	a.Say("%d paquetes, %d vectores nuevos, %d bytes en %s", len(names), made, len(data), filepath.Join(dir, askVectorsFile))
	return nil
}

// What MakeDigest writes in a folder of packs beside their archives.
const (
	askVectorsFile = "digest.vec"
	askKeysFile    = "digest.keys"
)

// askVectors gives the file of the vectors and words of the asks of packs, their keys, and how many
// of the vectors had to be made.
func (a *App) askVectors(dir fs.FS) (data, keys []byte, made int, err error) {
	m := law.OwnEmbedding(true)
	if m == nil {
		return nil, nil, 0, &digesto.Error{Code: digesto.CodeUnavailable, Message: "Este programa no lleva el modelo de vectores", Hint: "Use el programa completo."}
	}
	all, err := filesByPack(dir)
	if err != nil {
		return nil, nil, 0, err
	}
	cached, err := asksCache()
	if err != nil {
		return nil, nil, 0, err
	}
	own, known := preparedAsks(dir)
	texts := map[string]bool{}
	for _, files := range all {
		for _, t := range digest.Leads(files) {
			if known.Of(t) == nil {
				texts[t] = true
			}
		}
	}
	vectors, err := a.embedAsks(m, texts, cached)
	if err != nil {
		return nil, nil, 0, err
	}
	if known != nil { // a new entry moves no other
		data = own.Extend(all, known, vectors)
	} else if data, err = packAll(askSpaceName(), all, vectors); err != nil {
		return nil, nil, 0, err
	}
	return data, search.Keys(data, all), len(vectors), nil
}

// preparedAsks gives what a folder of packs has of its asks, with their codes; nil where there is
// nothing, or it is of another space: then all are made anew.
func preparedAsks(dir fs.FS) (own *search.Packed, known search.Known) {
	data, err := fs.ReadFile(dir, askVectorsFile)
	if err != nil {
		return nil, nil
	}
	keys, err := fs.ReadFile(dir, askKeysFile)
	if own, bad := search.ReadPacked(data); err == nil && bad == nil && own.Model() == askSpaceName() && len(own.Step()) == askComponents {
		return own, own.Codes(data, keys)
	}
	return nil, nil
}

// filesByPack gives the files of every pack of a folder in the order in which it is searched.
func filesByPack(dir fs.FS) (all [][]digest.File, err error) {
	names, err := digest.Packs(dir)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		if n == digest.All {
			continue
		}
		files, _, err := digest.Pack(dir, n)
		if err != nil {
			return nil, err
		}
		all = append(all, files)
	}
	return all, nil
}

// askSpaceName names the space of the asks' vectors, by the weights that give them: codes
// of other weights are no neighbours of these.
func askSpaceName() string {
	space := law.AskSpace()
	return space.Name + "/" + space.Hash[:8]
}

// packAll makes the vectors of asks in a space of their own.
func packAll(model string, all [][]digest.File, vectors map[string][]float32) ([]byte, error) {
	list := slices.Collect(maps.Values(vectors))
	if len(list) <= askComponents {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "Hay demasiado pocas preguntas para sus vectores", Hint: "Escriba más entradas."}
	}
	return search.Pack(search.NewBasis(model, list, askComponents), all, vectors), nil
}

// embedBatch is how many asks go to the model at once: progress and stopping come
// between two batches.
const embedBatch = 256

// asksCache is the user's file of the vectors of the program's asks.
func asksCache() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "digesto", "asks-"+assets.Sum[:8]+".vec"), err
}

// embedAsks gives every text its vector; those made before are kept in a file.
func (a *App) embedAsks(m *law.Embedding, texts map[string]bool, path string) (map[string][]float32, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, disk.Error(err, path, "Compruebe la carpeta de caché del usuario.")
	}
	kept, err := vectorfile.Open(path, law.AskSpace())
	if err != nil {
		return nil, err
	}
	var missing []string
	for t := range texts {
		if !kept.Has(vectorfile.KeyOf(t)) {
			missing = append(missing, t)
		}
	}
	for from := 0; from < len(missing); from += embedBatch {
		batch := missing[from:min(from+embedBatch, len(missing))]
		if err := law.EmbedInto(a.Context, m.Asks, kept, batch, model.Query); err != nil {
			return nil, err
		}
		a.Say("%d de %d vectores", from+len(batch), len(missing))
	}
	if err := kept.Save(); err != nil {
		return nil, err
	}
	out := make(map[string][]float32, len(texts))
	for t := range texts {
		out[t] = kept.Vector(vectorfile.KeyOf(t))
	}
	return out, nil
}
