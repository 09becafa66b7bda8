package main

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"digesto"
	"digesto/server"
	"digesto/server/mcp"
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
func (c mcpCmd) Run(a *app) error {
	w, err := a.open(a.ctx)
	if err != nil {
		return err
	}
	defer w.close()
	if err := a.openTraces(w, ""); err != nil {
		return err
	}
	if w.audit, err = a.openAudit(); err != nil {
		return err
	}
	engine, err := a.engine(w)
	if err != nil {
		return err
	}
	level := slog.LevelWarn
	if c.Verbose {
		level = slog.LevelInfo
	}
	s, err := a.newMCP(w, auditedBy(w.audit, nil, engine), slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level})))
	if err != nil {
		return err
	}
	a.say("%s", a.dataNote(w))
	in, ok := a.in.(io.ReadCloser)
	if !ok {
		in = io.NopCloser(a.in)
	}
	return s.Run(a.ctx, in, keptOpen{a.out})
}

// keptOpen is a writer that the end of a session does not close.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

// newMCP wires the tools to what is open.
func (a *app) newMCP(w *world, engine server.Asker, log *slog.Logger) (*mcp.Server, error) {
	t := mcpTools{a, w}
	s, err := mcp.New(mcp.Options{Engine: mcpAsker{engine, w}, Search: t.search, Article: t.article, Coverage: t.coverage,
		Packs: w.packs, Pack: a.conf.get("pack"), Version: buildVersion().Version, Log: log})
	if err != nil {
		return nil, err
	}
	return s, errors.Join(verifyTool(a, w, s), jusTools(a, w, s), laboralTools(a, w, s))
}

// mcpAsker refuses packs that there are not, as the command line does.
type mcpAsker struct {
	server.Asker
	w *world
}

func (m mcpAsker) Ask(ctx context.Context, q digesto.Question, emit func(digesto.Event)) (digesto.Answer, error) {
	if _, err := m.w.pack(q.Pack); err != nil {
		return digesto.Answer{}, err
	}
	return m.Asker.Ask(ctx, q, emit)
}

// mcpTools are the functions behind the tools, over a world that stays open.
type mcpTools struct {
	a *app
	w *world
}

func (t mcpTools) search(ctx context.Context, in mcp.SearchArgs) (any, error) {
	c := searchCmd{Pack: in.Pack, Collection: in.Collection, AsOf: in.AsOf, K: in.K}
	filter, err := c.filter()
	if err != nil {
		return nil, err
	}
	target, err := c.targetIn(t.w)
	if err != nil {
		return nil, err
	}
	defer target.close()
	q := target.query(in.Text)
	q.K, q.Filter = c.K, target.narrow(filter)
	res, err := target.search(ctx, q)
	if err != nil {
		return nil, err
	}
	rows := []hitRow{}
	for _, h := range res.Hits {
		rows = append(rows, target.row(h))
	}
	return target.found(q, res, rows), nil
}

func (t mcpTools) article(_ context.Context, in mcp.ArticleArgs) (mcp.Article, error) {
	snap, n, err := t.a.findNorm(t.w, in.Norm)
	if err != nil {
		return mcp.Article{}, err
	}
	if snap != t.w.embedded.Snapshot { // that one stays open
		defer snap.Close()
	}
	u, err := findUnit(t.w, snap, n, in.Unit)
	if err != nil {
		return mcp.Article{}, err
	}
	at := digesto.Date(in.AsOf)
	v, err := snap.Text(n.ID, u.ID, at)
	if err != nil {
		return mcp.Article{}, err
	}
	if at == "" {
		at = t.a.today()
	}
	return mcp.ArticleOf(n, u, v, at), nil
}

func (t mcpTools) coverage(_ context.Context, in mcp.CoverageArgs) (any, error) {
	return coverageCmd{Pack: in.Pack}.measure(t.a, t.w)
}
