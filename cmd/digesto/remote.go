package main

import (
	"cmp"
	"context"
	"iter"
	"net/url"
	"strconv"
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

// openRemote opens the index of that name at an address. What follows its «?» may
// hold, beside what the server's own form knows: hnsw=on and tenant=NAME for
// PostgreSQL, shards=N and replicas=N for Qdrant.
func openRemote(ctx context.Context, address, name, fusion string) (remote, error) {
	switch {
	case pg.Is(address):
		address, own, err := ownParameters(address, "hnsw", "tenant")
		if err != nil {
			return nil, err
		}
		return remoteOf(pgvector.Open(ctx, address, pgvector.Options{Name: name, Fusion: fusion, Tenant: own["tenant"], HNSW: own["hnsw"] == "on"}))
	case qdrant.Is(address):
		address, own, err := ownParameters(address, "shards", "replicas")
		if err != nil {
			return nil, err
		}
		shards, err1 := strconv.Atoi(cmp.Or(own["shards"], "0"))
		replicas, err2 := strconv.Atoi(cmp.Or(own["replicas"], "0"))
		if err1 != nil || err2 != nil || shards < 0 || replicas < 0 {
			return nil, badParameter("shards y replicas piden un número")
		}
		return remoteOf(qdrant.Open(ctx, address, qdrant.Options{Name: name, Fusion: fusion, Shards: shards, Replicas: replicas}))
	}
	kind, _, _ := strings.Cut(address, ":")
	return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "No se sabe guardar índices en una dirección «" + kind + ":…»",
		Hint: "Use postgres://USUARIO:CLAVE@SERVIDOR/BASE o https://:CLAVE@SERVIDOR:6333 (Qdrant); sin dirección se guardan en la carpeta de datos."}
}

// ownParameters takes from an address those of its parameters that are ours.
func ownParameters(address string, names ...string) (rest string, own map[string]string, err error) {
	u, err := url.Parse(address)
	if err != nil || u.RawQuery == "" {
		return address, nil, nil // who opens it says what is wrong
	}
	values := u.Query()
	own = map[string]string{}
	for _, n := range names {
		own[n] = values.Get(n)
		values.Del(n)
	}
	if v := own["hnsw"]; v != "" && v != "on" && v != "off" {
		return "", nil, badParameter("hnsw es «on» u «off»")
	}
	u.RawQuery = values.Encode()
	return u.String(), own, nil
}

func badParameter(what string) error {
	return &digesto.Error{Code: digesto.CodeUsage, Message: "La dirección del índice no se entiende: " + what, Hint: "Corrija lo que sigue a «?» en la dirección."}
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
