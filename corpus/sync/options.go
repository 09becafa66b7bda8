// Package sync brings texts into a library: from files, from the services that publish them,
// and what they changed since.
package sync

import (
	"context"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
)

// Options are what bringing texts in needs: where from, where to, and what is to be
// done with a library before it is used and after.
type Options struct {
	Data  string   // folder
	Base  string   // of the open-data service of the journal; "" = its own address
	Allow []string // hosts, besides those of the packs' sources
	Agent string   // how the program names itself
	Packs []*pack.Pack
	Terms []Attribution // of the services that ask to be named

	Clock    func() time.Time
	Today    func() digesto.Date
	Say      func(format string, args ...any)
	Progress func(what string) (show func(n, total int), done func())
	Watch    func(step string, done, total int) // nil = nobody
	Quiet    bool                               // nobody watches: what takes long says now and then how far it is

	Permit     func() error                                   // says why nothing may be downloaded
	Library    func() (*corpus.Library, string, error)        // opens that of the data folder for writing
	BeforeSwap func(data string) func(*corpus.Snapshot) error // see corpus.UpdateOptions
	Prune      func(lib *corpus.Library, data string)         // drops what nothing needs any more

	Loopback bool                                             // tests only: texts may come from a server on this machine
	Sleep    func(ctx context.Context, d time.Duration) error // tests only; nil = waits
}

// Attribution is the line of attribution that a service asks for.
type Attribution struct{ Host, Line string }
