package main

import (
	"errors"
	"net"
	"net/http"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/pg"
	"digesto/server"
	"digesto/store"
	"digesto/store/postgres"
	"digesto/store/sqlite"
)

// localUser owns the conversations of a program that serves one person: the
// command line, and a server without keys.
const localUser = "local"

// openStore opens the conversations of the data folder. Without a folder, or
// with one that cannot be written, they live as long as the program.
func (a *app) openStore() (store.Store, error) {
	if at := a.conf.get("store"); at != "" {
		return a.openDatabase() // what was asked for, or nothing
	}
	if a.conf.data == "" {
		return store.Memory(a.now), nil
	}
	s, err := a.openDatabase()
	if err != nil {
		var e *digesto.Error
		if errors.As(err, &e) && e.Code == digesto.CodeUnavailable {
			a.say("%s: las conversaciones durarán lo que dure el programa.", e.Message)
			return store.Memory(a.now), nil
		}
		return nil, err
	}
	return s, nil
}

// openDatabase opens the conversations at the address configured, else the file
// of the data folder.
func (a *app) openDatabase() (store.Store, error) {
	at := a.conf.get("store")
	if at == "" {
		dir, err := a.needData()
		if err != nil {
			return nil, err
		}
		at = conversationsIn(dir)
	}
	s, err := a.openStoreAt(at)
	if err != nil || a.conf.data == "" {
		return s, err
	}
	return erasing{s, tracesIn(a.conf.data)}, nil
}

func conversationsIn(data string) string { return "sqlite:" + filepath.Join(data, "conversations.db") }

// openStoreAt opens a store by its address: postgres://… or sqlite:FILE.
func (a *app) openStoreAt(address string) (store.Store, error) {
	if pg.Is(address) {
		return opened(postgres.Open(a.ctx, address, postgres.Options{Clock: a.now}))
	}
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok && path != "" {
		return opened(sqlite.Open(a.ctx, path, sqlite.Options{Clock: a.now}))
	}
	name, _, _ := strings.Cut(address, ":") // no more of it: there may be a password further on
	return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "No se sabe guardar conversaciones en una dirección «" + name + ":…»",
		Hint: "Use postgres://USUARIO:CLAVE@SERVIDOR/BASE o sqlite:FICHERO; sin dirección se guardan en la carpeta de datos."}
}

// opened keeps a nil store of one type from becoming a store that is not nil.
func opened[S store.Store](s S, err error) (store.Store, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// who tells the owner of a request apart: by API key, else by the visitor's
// cookie where the server is open to others, else the one person it serves.
func (a *app) who(keys *keyring, open bool) func(*http.Request) (store.User, error) {
	plan := a.conf.get("plan")
	return func(r *http.Request) (store.User, error) {
		key, bearer := keyIn(r)
		if bearer && !open && server.SpeaksOpenAI(r) && !strings.HasPrefix(key, keyPrefix) {
			bearer = false // clients of that form must send some key; one that is no key of ours says nothing
		}
		if bearer {
			return keys.user(r.Context(), key, scopeOf(r))
		}
		if v := server.Visitor(r); open && v != "" {
			return store.User{ID: "v-" + store.HashKey(v)[:32], Plan: plan}, nil
		}
		return store.User{ID: localUser, Plan: plan}, nil
	}
}

// openTo says whether a server listens for others than this machine.
func openTo(l net.Listener) bool {
	a, ok := l.Addr().(*net.TCPAddr)
	return !ok || !a.IP.IsLoopback()
}

// plans reads "NAME=MINUTE/HOUR/DAY", separated by commas.
func (a *app) plans() (map[string]server.Plan, error) {
	out := map[string]server.Plan{}
	for part := range strings.SplitSeq(a.conf.get("plans"), ",") {
		name, limits, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name == "" {
			continue
		}
		p, err := server.ParsePlan(limits)
		if err != nil {
			return nil, err
		}
		out[name] = p
	}
	return out, nil
}
