// Package wire is what every handler reads and writes: bodies in JSON and forms,
// checked as they are read; errors as problems (RFC 9457); streams of events; the
// id of a request. What an API asks for beyond that is its own.
package wire
