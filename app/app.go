// Package app puts everything together: settings, the law installed, what is kept of questions and
// answers, who may ask, and the options of engine and server. It prints nothing and shows no page.
package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"digesto"
	"digesto/text"
)

// App is what commands and pages work with: the settings in force, the clock, and
// how what takes long or goes wrong is told. It prints nothing and reads no flags.
type App struct {
	Context     context.Context
	Settings    Settings
	Now         func() time.Time
	Environ     func(string) (string, bool) // of the process
	Stdin       io.Reader                   // what a file named "-" is
	Diagnostics io.Writer                   // of the logs of a server
	Quiet       bool                        // nobody watches: what takes long says now and then how far it is

	recipe    string                             // of the search, see retrieve.ParseRecipe
	NoVectors bool                               // search by words alone
	EveryNorm bool                               // order the hits of questions that name their norm too, see passages
	OneStage  bool                               // do not order the first hits by vectors of their own
	Drain     time.Duration                      // see server.Options
	Patience  time.Duration                      // see server.Options
	watch     func(step string, done, total int) // of long work, instead of a bar; nil = nobody
	Budget    time.Duration                      // for such vectors that are missing, see passages
	Ledger    *Ledger                            // what the models of all nodes may spend; nil = each counts for itself

	Tell  func(line string)                                          // what is said of the work, see say; nil = to nobody
	Notes *slog.Logger                                               // what is said goes there instead; nil = to tell
	Bar   func(what string) (show func(done, total int), end func()) // of long work on a terminal; nil = none

	Pages Pages // of the servers that are started; nil = those of package server alone

	Names *NormNames // what the packs know of norms; shared by the copies of an application

	Loopback bool                                             // tests only: texts may come from a server on this machine
	Sleep    func(ctx context.Context, d time.Duration) error // tests only; nil = waits
}

// Say tells one line about the work.
func (a *App) Say(format string, args ...any) {
	line := text.Clean(fmt.Sprintf(format, args...))
	switch {
	case a.Notes != nil:
		a.Notes.Info(line)
	case a.Tell != nil:
		a.Tell(line)
	}
}

// Progress gives what shows how far long work is. done may be called more than once.
func (a *App) Progress(what string) (show func(n, total int), done func()) {
	switch {
	case a.watch != nil:
		return func(n, total int) { a.watch(what, n, total) }, func() {}
	case a.Bar != nil:
		return a.Bar(what)
	}
	return func(int, int) {}, func() {}
}

// Today is the calendar day of the clock.
func (a *App) Today() digesto.Date { return digesto.Date(a.Now().Format(time.DateOnly)) }
