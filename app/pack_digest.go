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
	"digesto/packs"
	"digesto/search"
	assets "digesto/third_party/e5"
)

// askComponents are how many principal components of a vector are kept: of 384, 64
// of four bits each lose nothing that can be seen (docs/retrieval.md).
const askComponents = 64

// MakeDigest makes, in a folder of packs, what the program carries of their digests: the texts
// of each pack, compressed (digest.Archive), and the vectors and words of all asks (digest.vec).
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
	data, made, err := a.askVectors(from)
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "digest.vec")
	err = disk.WriteWhole(out, 0o644, true, func(w io.Writer) error { _, err := w.Write(data); return err })
	if err != nil {
		return disk.Error(err, out, "Dé una carpeta de paquetes donde se pueda escribir.")
	}
	a.Say("%d paquetes, %d vectores nuevos, %d bytes en %s", len(names), made, len(data), out)
	return nil
}

// askVectors gives the file of the vectors and words of the asks of packs, and how many of the
// vectors had to be made.
func (a *App) askVectors(dir fs.FS) (data []byte, made int, err error) {
	m := law.OwnEmbedding(true)
	if m == nil {
		return nil, 0, &digesto.Error{Code: digesto.CodeUnavailable, Message: "Este programa no lleva el modelo de vectores", Hint: "Use el programa completo."}
	}
	all, err := filesByPack(dir)
	if err != nil {
		return nil, 0, err
	}
	cached, err := asksCache()
	if err != nil {
		return nil, 0, err
	}
	own, known, err := preparedAsks()
	if err != nil {
		return nil, 0, err
	}
	texts := map[string]bool{}
	for _, files := range all {
		for _, t := range digest.Leads(files) {
			if known[t] == nil {
				texts[t] = true
			}
		}
	}
	vectors, err := a.embedAsks(m, texts, cached)
	if err != nil {
		return nil, 0, err
	}
	if known != nil { // a new entry moves no other
		return own.Extend(all, known, vectors), len(vectors), nil
	}
	data, err = packAll(askSpaceName(), all, vectors)
	return data, len(vectors), err
}

// preparedAsks gives what the program carries of its own asks, with their codes; nil where they
// are of another space.
func preparedAsks() (own *search.Packed, known map[string][]byte, err error) {
	if own, err = search.ReadPacked(packs.DigestVectors); err != nil || own.Model() != askSpaceName() || len(own.Step()) != askComponents {
		return nil, nil, nil // all are made anew
	}
	all, err := filesByPack(packs.FS())
	return own, own.Codes(all), err
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
