package ops

import (
	"context"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"digesto"
	"digesto/app"
)

// Profiles serves the profiles of the Go runtime at an address of this machine
// until ctx ends. They tell what was asked to whoever reads memory, so they are
// off unless asked for, have an address of their own, and never leave the machine.
func Profiles(a *app.App, ctx context.Context, addr string) (wait func(), err error) {
	if addr == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "No se puede escuchar en «" + addr + "»", Err: err, Hint: "Use --pprof 127.0.0.1:PUERTO con un puerto libre."}
	}
	if app.OpenTo(l) {
		_ = l.Close()
		return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "Los perfiles solo se sirven en esta máquina", Hint: "Use --pprof 127.0.0.1:PUERTO y, desde otra máquina, un túnel."}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	a.Say("Perfiles en http://%s/debug/pprof/", l.Addr())
	return func() { stop(); _ = srv.Close(); <-done }, nil
}
