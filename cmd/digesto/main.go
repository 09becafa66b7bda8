// Command digesto answers legal questions in Spanish with quotations that can
// be checked. This package holds the commands and all wiring: flags,
// environment and files are read here and nowhere else.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"digesto/app"

	"golang.org/x/term"
)

func main() {
	patientCollector(os.Args[1:])
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, stop) // a second one ends the program at once, whatever it waits for
	code := run(ctx, os.Args[1:], processEnv())
	stop()
	os.Exit(code)
}

// patientCollector lets the heap of a command that ends at once grow before it is collected,
// fivefold or, where a question is answered, to a bound: loading the packs, or building the
// index of the engines' bench, would otherwise pay a tenth to a fifth of its time for it. One that reads law, whole files
// and collections at a time, lets it grow by two fifths only: its memory is what counts;
// one that checks a text likewise (see SparingGrowth).
// A server lets it grow threefold: what it keeps for its answers is bounded, and
// collecting often is a tenth of their time. GOGC goes first.
func patientCollector(args []string) {
	if _, set := os.LookupEnv("GOGC"); set || len(args) == 0 {
		return
	}
	switch args[0] {
	case "ask", "search": // one question ends before there is much to collect; a talk may go on
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(talkMemory)
	case "pack":
		debug.SetGCPercent(400)
	case "corpus":
		if len(args) > 1 && (args[1] == "add" || args[1] == "pull" || args[1] == "update") {
			debug.SetGCPercent(40)
		}
	case "verify":
		debug.SetGCPercent(app.SparingGrowth)
	case "serve":
		debug.SetGCPercent(200)
	case "bench":
		if len(args) > 1 && args[1] == "load" {
			debug.SetGCPercent(200)
		}
		if len(args) > 2 && args[1] == "engine" && args[2] == "index" {
			debug.SetGCPercent(400)
		}
	}
}

// talkMemory is what one question and its answers may take before anything is collected: four
// times what a first question over all law takes.
const talkMemory = 600 << 20

// processEnv is the environment of the real process.
func processEnv() env {
	return env{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		lookup:  os.LookupEnv,
		inTerm:  term.IsTerminal(int(os.Stdin.Fd())),
		outTerm: term.IsTerminal(int(os.Stdout.Fd())),
		errTerm: term.IsTerminal(int(os.Stderr.Fd())),
		width:   terminalWidth(),
		process: true,
	}
}

// terminalWidth gives the columns of the terminal on stdout, 0 when there is none.
func terminalWidth() int {
	w, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return w
}
