package main

import (
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"

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

// openStore opens what a server keeps: conversations, people and their keys. One that
// cannot be opened ends the command: in an empty one in its place nobody would have a
// key, and whoever came would run the server. Only without a data folder, or where the
// user's own cannot be made and holds nothing, what is asked lasts as long as the
// program; without says so.
func (a *app) openStore() (s store.Store, without bool, err error) {
	if a.conf.get("store") == "" && a.conf.data == "" {
		return store.Memory(a.now), true, nil
	}
	if s, err = a.openDatabase(); err == nil {
		return s, false, nil
	}
	if a.conf.get("store") == "" && a.conf.origins["data"] == "" && a.surelyNoDatabase() {
		a.say("%s: las conversaciones durarán lo que dure el programa, y nadie puede administrarlo.", digesto.Told(err))
		return store.Memory(a.now), true, nil
	}
	e := unserved(err)
	if a.conf.get("store") == "" && a.surelyNoDatabase() {
		e.Hint += " Para servir sin guardar nada ponga DIGESTO_NO_LOG=yes."
	}
	return nil, false, e
}

// unserved says what to do about a store without which nothing is served.
func unserved(err error) *digesto.Error {
	e := &digesto.Error{Code: digesto.CodeUnavailable, Message: "No se sirve: no se puede abrir la base de conversaciones y claves", Err: err, Hint: "Ejecute «digesto doctor»."}
	var own *digesto.Error
	if errors.As(err, &own) {
		e.Code, e.Message, e.Err = own.Code, "No se sirve sin las claves. "+digesto.Told(own), own.Err
		e.Hint = own.Next()
	}
	e.Hint = sentence(capital(e.Hint)) + " Sin claves no se sabría quién puede administrar el servidor."
	return e
}

// surelyNoDatabase says whether there is no file of conversations in the data folder;
// one that may only not be looked at counts as there.
func (a *app) surelyNoDatabase() bool {
	_, err := os.Stat(filepath.Join(a.conf.data, "conversations.db"))
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
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
