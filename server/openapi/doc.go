// Package openapi describes an API (OpenAPI Specification 3.1.0) from the types
// that its handlers read and write, checks queries against that description, and
// gives it as a page for people who write programs.
package openapi
