package main

import (
	"io"
	"log/slog"

	"digesto/app"
)

// mcpCmd serves the tools over the standard streams.
type mcpCmd struct {
	Verbose bool `name:"verbose" help:"Cuenta por stderr lo que pasa en la conversación."`
}

// Examples of the command.
func (mcpCmd) Examples() []string {
	return []string{
		"digesto mcp",
		"digesto mcp --data /srv/digesto --verbose",
		`En el fichero de servidores del cliente: {"mcpServers":{"digesto":{"command":"digesto","args":["mcp"]}}}`,
		"Por HTTP, con «digesto serve»: http://127.0.0.1:8080/mcp",
	}
}

// Run serves one client until it closes its side.
func (c mcpCmd) Run(a *program) error {
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	defer w.Close()
	if err := a.OpenTraces(w, ""); err != nil {
		return err
	}
	if w.Audit, err = a.OpenAudit(); err != nil {
		return err
	}
	engine, err := a.Engine(w)
	if err != nil {
		return err
	}
	level := slog.LevelWarn
	if c.Verbose {
		level = slog.LevelInfo
	}
	s, err := a.NewMCP(w, app.AuditedBy(w.Audit, nil, engine), slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level})))
	if err != nil {
		return err
	}
	a.Say("%s", a.DataNote(w))
	in, ok := a.in.(io.ReadCloser)
	if !ok {
		in = io.NopCloser(a.in)
	}
	return s.Run(a.Context, in, app.KeptOpen{Writer: a.out})
}
