package main

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
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
		if errors.As(err, &e) && e.Code != digesto.CodeInvalid { // what is damaged, or of a later version, is not put aside in silence
			a.say("%s: las conversaciones durarán lo que dure el programa.", digesto.Told(e))
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
	return erasing{s, tracesIn(a.conf.data), filepath.Join(a.conf.data, "models", "cache")}, nil
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

// who tells the owner of a request apart: by API key, else the one person at this
// machine, else by the visitor's cookie where the server is open to others, a proxy
// stands before it, or the request names a host that is not this machine.
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
		if !open && fromHere(r) {
			return store.User{ID: localUser, Plan: plan}, nil
		}
		return store.User{ID: server.VisitorID + store.HashKey(server.Visitor(r))[:32], Plan: plan}, nil
	}
}

// openTo says whether a server listens for others than this machine.
func openTo(l net.Listener) bool {
	a, ok := l.Addr().(*net.TCPAddr)
	return !ok || !a.IP.IsLoopback()
}

// proxies reads the networks whose word on where a request comes from is taken.
func (a *app) proxies() (out []netip.Prefix, err error) {
	for _, s := range strings.FieldsFunc(a.conf.get("proxies"), func(r rune) bool { return r == ',' || r == ' ' }) {
		p, err := netip.ParsePrefix(s)
		if at, err2 := netip.ParseAddr(s); err2 == nil {
			p, err = netip.PrefixFrom(at, at.BitLen()), nil
		}
		if err != nil {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + s + "» no es una dirección ni una red", Hint: "Escriba en «proxies» direcciones o redes separadas por comas: 10.0.0.5, 172.16.0.0/12."}
		}
		out = append(out, p)
	}
	return out, nil
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
