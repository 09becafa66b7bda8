package main

import (
	"errors"

	"github.com/alecthomas/kong"

	"digesto/cmd/digesto/internal/manual"
	"digesto/packs"
)

// errHelpShown ends parsing after the help has been printed.
var errHelpShown = errors.New("help shown")

// helpFlag prints the help of the command before it and stops.
type helpFlag bool

// BeforeReset runs as soon as the flag is seen, before missing arguments are complained of.
func (h helpFlag) BeforeReset(ctx *kong.Context, a *program) error {
	node := ctx.Selected()
	if node == nil {
		node = ctx.Model.Node
	}
	manual.Help(a.screen(), node)
	return errHelpShown
}

// printHelp serves callers inside the parser; the flag above is the usual way.
func printHelp(_ kong.HelpOptions, ctx *kong.Context) error { return nil }

// manCmd prints the manual page.
type manCmd struct{}

// Examples of the command.
func (manCmd) Examples() []string {
	return []string{"digesto man | man -l -", "digesto man > /usr/local/share/man/man1/digesto.1"}
}

// Run prints it.
func (manCmd) Run(a *program) error {
	manual.Page(a.out, a.model.Node, a.Now())
	return nil
}

// completionCmd prints a completion script for a shell.
type completionCmd struct {
	Shell string `arg:"" placeholder:"INTÉRPRETE" enum:"bash,zsh,fish" help:"bash, zsh o fish."`
}

// Examples of the command.
func (completionCmd) Examples() []string {
	return []string{
		"source <(digesto completion bash)",
		"digesto completion zsh > ~/.zfunc/_digesto",
		"digesto completion fish > ~/.config/fish/completions/digesto.fish",
	}
}

// Run prints the script, generated from the grammar of the program.
func (c completionCmd) Run(a *program) error {
	all, err := a.Packs()
	if err != nil {
		return err
	}
	manual.Completion(a.out, c.Shell, a.model.Node, packs.Names(all))
	return nil
}
