package app

import (
	"context"
	"io"
	"log/slog"

	"digesto"
	"digesto/server"
	"digesto/server/mcp"
)

// KeptOpen is a writer that the end of a session does not close.
type KeptOpen struct{ io.Writer }

func (KeptOpen) Close() error { return nil }

// NewMCP wires the tools to what is open.
func (a *App) NewMCP(w *Workspace, engine server.Asker, log *slog.Logger) (*mcp.Server, error) {
	t := mcpTools{a, w}
	s, err := mcp.New(mcp.Options{Engine: mcpAsker{engine, w}, Search: t.search, Article: t.article, Coverage: t.coverage,
		Packs: w.Packs, Pack: a.Settings.Get("pack"), Version: BuildVersion().Version, Log: log})
	if err != nil {
		return nil, err
	}
	return s, a.Pages.Tools(a, w, s)
}

// mcpAsker refuses packs that there are not, as the command line does.
type mcpAsker struct {
	server.Asker
	w *Workspace
}

func (m mcpAsker) Ask(ctx context.Context, q digesto.Question, emit func(digesto.Event)) (digesto.Answer, error) {
	if _, err := m.w.Pack(q.Pack); err != nil {
		return digesto.Answer{}, err
	}
	return m.Asker.Ask(ctx, q, emit)
}

// mcpTools are the functions behind the tools, over a workspace that stays open.
type mcpTools struct {
	a *App
	w *Workspace
}

func (t mcpTools) search(ctx context.Context, in mcp.SearchArgs) (any, error) {
	filter, err := FilterOf(nil, in.Collection, in.AsOf)
	if err != nil {
		return nil, err
	}
	target, err := t.w.target(in.Pack, false)
	if err != nil {
		return nil, err
	}
	defer target.Close()
	q := target.Query(in.Text)
	q.K, q.Filter = in.K, target.Narrow(filter)
	res, err := target.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	rows := []HitRow{}
	for _, h := range res.Hits {
		rows = append(rows, target.Row(h))
	}
	return target.Found(q, res, rows), nil
}

func (t mcpTools) article(_ context.Context, in mcp.ArticleArgs) (mcp.Article, error) {
	snap, n, err := t.a.FindNorm(t.w, in.Norm)
	if err != nil {
		return mcp.Article{}, err
	}
	if snap != t.w.Embedded.Snapshot { // that one stays open
		defer snap.Close()
	}
	u, err := FindUnit(t.w, snap, n, in.Unit)
	if err != nil {
		return mcp.Article{}, err
	}
	at := digesto.Date(in.AsOf)
	v, err := snap.Text(n.ID, u.ID, at)
	if err != nil {
		return mcp.Article{}, err
	}
	if at == "" {
		at = t.a.Today()
	}
	return mcp.ArticleOf(n, u, v, at), nil
}

func (t mcpTools) coverage(_ context.Context, in mcp.CoverageArgs) (any, error) {
	return MeasureCoverage(t.a, t.w, in.Pack)
}
