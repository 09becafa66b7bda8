package law

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

// Searchable is an index as questions use it, wherever it stands.
type Searchable interface {
	digesto.Searcher
	Model() string
	Wants(q digesto.Query) bool
	Frequency(word string, stem bool) int
	Close() error
}

// Remote is an index of a server.
type Remote interface {
	Searchable
	Ready(ctx context.Context) error // searches of the whole index are answered now
	Ensure(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions) error
	Build(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions) error
}

// OpenRemote opens the index of that name at an address. What follows its «?» may
// hold, beside what the server's own form knows: hnsw=on and tenant=NAME for
// PostgreSQL, shards=N and replicas=N for Qdrant.
func OpenRemote(ctx context.Context, address, name, fusion string) (Remote, error) {
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
	rest, query, ok := strings.Cut(address, "?") // several hosts are no address to package url
	values, err := url.ParseQuery(query)
	if err != nil || !ok {
		return address, nil, nil // who opens it says what is wrong
	}
	own = map[string]string{}
	for _, n := range names {
		own[n] = values.Get(n)
		values.Del(n)
	}
	if v := own["hnsw"]; v != "" && v != "on" && v != "off" {
		return "", nil, badParameter("hnsw es «on» u «off»")
	}
	if len(values) > 0 {
		rest += "?" + values.Encode()
	}
	return rest, own, nil
}

func badParameter(what string) error {
	return &digesto.Error{Code: digesto.CodeUsage, Message: "La dirección del índice no se entiende: " + what, Hint: "Corrija lo que sigue a «?» en la dirección."}
}

func remoteOf[R Remote](r R, err error) (Remote, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Ensure opens an index of a server, and builds it there if nobody has.
func Ensure(ctx context.Context, address, name string, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions, say func(string, ...any)) (Remote, error) {
	ix, err := OpenRemote(ctx, address, name, opt.Fusion)
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

// NameOf names the index of what a hash names, with the vectors of an embedding.
func NameOf(hash string, m *Embedding) string {
	if m == nil {
		return hash + "-words"
	}
	return hash + "-" + m.First.Name()
}

// outside opens the index of a snapshot on the server, and builds it there if no
// other node has.
func (l *Installed) outside(snap *corpus.Snapshot) (Searchable, error) {
	opt, chunks := l.Model.Vectored(l.Ctx, snap.Chunks())
	return Ensure(l.Ctx, l.Remote, NameOf(snap.Content(), l.Model), chunks, opt, l.Say)
}

// EnsureRemote makes the index of a snapshot on the server before anyone can read it.
func (l *Installed) EnsureRemote(snap *corpus.Snapshot) error {
	ix, err := l.outside(snap)
	if err != nil {
		return err
	}
	return ix.Close()
}

func noWhyNot() error {
	return &digesto.Error{Code: digesto.CodeUsage, Message: "Este índice no sabe decir por qué no sale una unidad", Hint: "Repita la búsqueda sin --index: el índice de la carpeta de datos sí lo dice."}
}
