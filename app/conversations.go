package app

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
	"digesto/server/openai"
	"digesto/store"
	"digesto/store/postgres"
	"digesto/store/sqlite"
)

// LocalUser owns the conversations of a program that serves one person: the
// command line, and a server without keys.
const LocalUser = "local"

// OpenStore opens what a server keeps: conversations, people and their keys. One that
// cannot be opened ends the command: in an empty one in its place nobody would have a
// key, and whoever came would run the server. Only without a data folder, or where the
// user's own cannot be made and holds nothing, what is asked lasts as long as the
// program; without says so.
func (a *App) OpenStore() (s store.Store, without bool, err error) {
	if a.Settings.Get("store") == "" && a.Settings.Data == "" {
		return store.Memory(a.Now), true, nil
	}
	if s, err = a.OpenDatabase(); err == nil {
		return s, false, nil
	}
	if a.Settings.Get("store") == "" && a.Settings.Origins["data"] == "" && a.surelyNoDatabase() {
		a.Say("%s: las conversaciones durarán lo que dure el programa, y nadie puede administrarlo.", digesto.Told(err))
		return store.Memory(a.Now), true, nil
	}
	e := unserved(err)
	if a.Settings.Get("store") == "" && a.surelyNoDatabase() {
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
	e.Hint = Sentence(Capital(e.Hint)) + " Sin claves no se sabría quién puede administrar el servidor."
	return e
}

// surelyNoDatabase says whether there is no file of conversations in the data folder;
// one that may only not be looked at counts as there.
func (a *App) surelyNoDatabase() bool {
	_, err := os.Stat(filepath.Join(a.Settings.Data, "conversations.db"))
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// OpenDatabase opens the conversations at the address configured, else the file
// of the data folder.
func (a *App) OpenDatabase() (store.Store, error) {
	at := a.Settings.Get("store")
	if at == "" {
		dir, err := a.NeedData()
		if err != nil {
			return nil, err
		}
		at = ConversationsIn(dir)
	}
	s, err := a.OpenStoreAt(at)
	if err != nil || a.Settings.Data == "" {
		return s, err
	}
	return ErasingStore{s, TracesIn(a.Settings.Data), filepath.Join(a.Settings.Data, "models", "cache")}, nil
}

// ConversationsIn is the address of the conversations of a data folder.
func ConversationsIn(data string) string { return "sqlite:" + filepath.Join(data, "conversations.db") }

// OpenStoreAt opens a store by its address: postgres://… or sqlite:FILE.
func (a *App) OpenStoreAt(address string) (store.Store, error) {
	if pg.Is(address) {
		return opened(postgres.Open(a.Context, address, postgres.Options{Clock: a.Now}))
	}
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok && path != "" {
		return opened(sqlite.Open(a.Context, path, sqlite.Options{Clock: a.Now}))
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
func (a *App) who(keys *keyring, open bool) func(*http.Request) (store.User, error) {
	plan := a.Settings.Get("plan")
	return func(r *http.Request) (store.User, error) {
		key, bearer := keyIn(r)
		if bearer && !open && openai.Speaks(r) && !strings.HasPrefix(key, keyPrefix) {
			bearer = false // clients of that form must send some key; one that is no key of ours says nothing
		}
		if bearer {
			return keys.user(r.Context(), key, scopeOf(r))
		}
		if !open && fromHere(r) {
			return store.User{ID: LocalUser, Plan: plan}, nil
		}
		return store.User{ID: server.VisitorID + store.HashKey(server.Visitor(r))[:32], Plan: plan}, nil
	}
}

// OpenTo says whether a server listens for others than this machine.
func OpenTo(l net.Listener) bool {
	a, ok := l.Addr().(*net.TCPAddr)
	return !ok || !a.IP.IsLoopback()
}

// Proxies reads the networks whose word on where a request comes from is taken.
func (a *App) Proxies() (out []netip.Prefix, err error) {
	for _, s := range strings.FieldsFunc(a.Settings.Get("proxies"), func(r rune) bool { return r == ',' || r == ' ' }) {
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

// Plans reads "NAME=MINUTE/HOUR/DAY", separated by commas.
func (a *App) Plans() (map[string]server.Plan, error) {
	out := map[string]server.Plan{}
	for part := range strings.SplitSeq(a.Settings.Get("plans"), ",") {
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
