package main

import (
	"context"
	"iter"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/index"
	"digesto/index/pgvector"
	"digesto/index/qdrant"
	"digesto/pg"
)

// searchable is an index as questions use it, wherever it stands.
type searchable interface {
	digesto.Searcher
	Model() string
	Wants(q digesto.Query) bool
	Frequency(word string, stem bool) int
	Close() error
}

// remote is an index of a server.
type remote interface {
	searchable
	Ensure(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions) error
	Build(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions) error
}

// openRemote opens the index of that name at an address.
func openRemote(ctx context.Context, address, name, fusion string) (remote, error) {
	if pg.Is(address) {
		return remoteOf(pgvector.Open(ctx, address, pgvector.Options{Name: name, Fusion: fusion}))
	}
	if qdrant.Is(address) {
		return remoteOf(qdrant.Open(ctx, address, qdrant.Options{Name: name, Fusion: fusion}))
	}
	kind, _, _ := strings.Cut(address, ":")
	return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "No se sabe guardar índices en una dirección «" + kind + ":…»",
		Hint: "Use postgres://USUARIO:CLAVE@SERVIDOR/BASE o https://:CLAVE@SERVIDOR:6333 (Qdrant); sin dirección se guardan en la carpeta de datos."}
}

func remoteOf[R remote](r R, err error) (remote, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// ensure opens an index of a server, and builds it there if nobody has.
func ensure(ctx context.Context, address, name string, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions, say func(string, ...any)) (remote, error) {
	ix, err := openRemote(ctx, address, name, opt.Fusion)
	if err != nil {
		return nil, err
	}
	said := func(yield func(digesto.Chunk, error) bool) {
		say("Construyendo el índice en el servidor (una sola vez)…")
		chunks(yield)
	}
	if err := ix.Ensure(ctx, said, opt); err != nil {
		_ = ix.Close()
		return nil, err
	}
	return ix, nil
}

// nameOf names the index of what a hash names, with the vectors of a meaning.
func nameOf(hash string, m *meaning) string {
	if m == nil {
		return hash + "-words"
	}
	return hash + "-" + m.first.Name()
}

// outside opens the index of a snapshot on the server, and builds it there if no
// other node has.
func (l *laws) outside(snap *corpus.Snapshot) (searchable, error) {
	opt, chunks := l.model.vectored(l.ctx, snap.Chunks())
	return ensure(l.ctx, l.remote, nameOf(snap.Content(), l.model), chunks, opt, l.say)
}

func noWhyNot() error {
	return &digesto.Error{Code: digesto.CodeUsage, Message: "Este índice no sabe decir por qué no sale una unidad", Hint: "Repita la búsqueda sin --index: el índice de la carpeta de datos sí lo dice."}
}
