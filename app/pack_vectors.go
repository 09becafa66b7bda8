package app

import (
	"os"
	"path/filepath"

	"digesto"
	"digesto/app/law"
	"digesto/digest"
	"digesto/disk"
	"digesto/model"
	"digesto/model/vectorfile"
	"digesto/search"
	assets "digesto/third_party/e5"
)

// askComponents are how many principal components of a vector are kept: of 384, 96
// of four bits each lose nothing that can be seen (docs/retrieval.md).
const askComponents = 96

// WriteAskVectors makes the file of vectors of all asks of the files.
func (a *App) WriteAskVectors(files []digest.File, out string) error {
	m := law.OwnEmbedding(true)
	if m == nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "Este programa no lleva el modelo de vectores", Hint: "Use el programa completo."}
	}
	texts := map[string]bool{}
	for _, x := range digest.Asks(files) {
		texts[x.Ask.Text] = true
	}
	cached, err := asksCache()
	if err != nil {
		return err
	}
	vectors, err := a.embedAsks(m, texts, cached)
	if err != nil {
		return err
	}
	list := make([][]float32, 0, len(vectors))
	for _, v := range vectors {
		list = append(list, v)
	}
	if len(list) <= askComponents {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Hay demasiado pocas preguntas para sus vectores", Hint: "Escriba más entradas."}
	}
	data := search.Pack(search.NewBasis(m.Second.Name(), list, askComponents), vectors)
	if err := os.WriteFile(out, data, 0o644); err != nil {
		return disk.Error(err, out, "Dé un fichero donde se pueda escribir.")
	}
	a.Say("%d vectores, %d bytes en %s", len(vectors), len(data), out)
	return nil
}

// embedBatch is how many asks go to the model at once: progress and stopping come
// between two batches.
const embedBatch = 256

// asksCache is the user's file of the vectors of the program's asks.
func asksCache() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "digesto", "asks-"+assets.AskSum[:8]+".vec"), err
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
