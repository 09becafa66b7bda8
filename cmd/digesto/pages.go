package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"slices"

	"digesto/app"
	"digesto/server"
	"digesto/server/mcp"
	"digesto/server/openapi"
	webadmin "digesto/web/admin"
	webevaluation "digesto/web/evaluation"
	webjus "digesto/web/jus"
	weblaboral "digesto/web/laboral"
	webverify "digesto/web/verify"
)

// pages are the pages and tools of the program, in the order of the menu.
type pages struct{}

// Routes are those of whoever asks.
func (pages) Routes(a *app.App, w *app.Workspace) []server.Route {
	return slices.Concat(webverify.Routes(a, w), webjus.Routes(a, w), weblaboral.Routes(a, w), webadmin.RecordRoutes(a, w), webevaluation.Routes(a, w))
}

// Admin are those of who runs the server.
func (pages) Admin(x app.AdminSite) []server.Route { return webadmin.Pages{AdminSite: x}.Routes() }

// replies are examples of what the API answers; TestEveryReplyHasAnExample writes them anew.
//
//go:embed replies.json
var replies []byte

// Replies are the examples of the API's description.
func (pages) Replies() (r openapi.Replies, err error) { return r, json.Unmarshal(replies, &r) }

// Tools are those for programs that speak MCP.
func (pages) Tools(a *app.App, w *app.Workspace, s *mcp.Server) error {
	return errors.Join(webverify.Tool(a, w, s), webjus.Tools(a, w, s), weblaboral.Tools(a, w, s))
}
