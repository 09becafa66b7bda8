// Package server puts the engine before people and programs: an HTTP API
// (JSON and server-sent events) and web pages that work without JavaScript.
// Every form is a view of the same answer; nothing here composes one.
package server
