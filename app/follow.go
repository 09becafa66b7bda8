package app

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/follow"
	"digesto/model"
)

// Place opens where law is published, with the keys of the environment; with local_only
// nothing beyond this machine is dialled.
func (a *App) Place(address string) (follow.Place, error) {
	local, err := a.Settings.Yes("local_only")
	if err != nil {
		return nil, err
	}
	dial := &net.Dialer{Timeout: 15 * time.Second}
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dial.DialContext, TLSHandshakeTimeout: 15 * time.Second, ResponseHeaderTimeout: time.Minute, IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: true}
	if local {
		dial.Control, t.Proxy = model.LoopbackOnly, nil
	}
	return follow.Open(address, follow.Access{Transport: t, Env: a.Environ})
}

// Following is whom a server follows; what is empty is as the settings say.
type Following struct {
	Address, Key string // where law is published, and the public key of who publishes it
	Every        time.Duration
	Updates      bool // the server brings in law by itself too
}

// Follow makes what keeps the law of a server at what is published; none where it follows
// nobody.
func (a *App) Follow(w *Workspace, f Following) error {
	address := cmp.Or(f.Address, a.Settings.Get("follow"))
	if address == "" {
		return nil
	}
	if f.Updates {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "--follow y --update-every no se pueden usar a la vez", Hint: "Ponga al día la ley donde se publica: los nodos la toman de ahí."}
	}
	if _, err := a.NeedData(); err != nil {
		return err
	}
	from, err := a.Place(address)
	if err != nil {
		return err
	}
	a.Say("La ley se toma de %s.", from)
	w.Follow, err = follow.New(follow.Options{
		Place: from, Library: w.Law.Library, Dir: filepath.Join(a.Settings.Data, "follow"), Trust: cmp.Or(f.Key, a.Settings.Get("follow_key")), Every: f.Every, Clock: a.Now,
		BeforeSwap: func(s *corpus.Snapshot) error {
			defer w.Checks.Spare()() // a whole law is read beside the questions
			if w.Law.Remote != "" {
				return w.Law.EnsureRemote(s)
			}
			return a.BeforeSwap(w.Law.Dir)(s)
		},
		Switched: func(from, to string) {
			if _, done, err := w.Law.View(); err == nil { // its index is opened before anybody asks
				done()
			}
			Prune(w.Law.Library, a.Settings.Data)
			a.Say("Se sirve la ley publicada %.12s (antes, %s).", to, Or(from == "", "ninguna", fmt.Sprintf("%.12s", from)))
		},
		Fault: func(err error) { a.Say("Ley publicada: %s. %s", a.unplaced(digesto.Told(err)), digesto.HintOf(err)) },
	})
	return err
}

// followStatus tells how a node stands with what is published, without where it is on the disk.
func (a *App) followStatus(f *follow.Follower) func() follow.Status {
	if f == nil {
		return nil
	}
	return func() follow.Status {
		s := f.Status()
		s.Fault = a.unplaced(s.Fault)
		return s
	}
}

func (a *App) unplaced(s string) string {
	return strings.ReplaceAll(s, a.Settings.Data, "la carpeta de datos")
}

// received says why a node cannot answer yet: it has not been given any law.
func (w *Workspace) received() error {
	if w.Follow == nil {
		return nil
	}
	return w.Follow.Ready()
}
