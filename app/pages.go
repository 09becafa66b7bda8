package app

import (
	"context"
	"time"

	"digesto/server"
	"digesto/server/mcp"
	"digesto/server/metrics"
	"digesto/server/openapi"
)

// Pages are the pages and tools that a server has besides those of package server.
type Pages interface {
	Routes(a *App, w *Workspace) []server.Route      // of whoever asks
	Admin(x AdminSite) []server.Route                // of who runs the server
	Replies() (openapi.Replies, error)               // examples of what the API answers
	Tools(a *App, w *Workspace, s *mcp.Server) error // for programs that speak MCP
}

// AdminSite is what the pages of who runs the server work with.
type AdminSite struct {
	*admins
	App       *App
	Workspace *Workspace
	Metrics   *metrics.Metrics
	Began     time.Time
	Check     func(ctx context.Context) error // of the store
}
