package main

import (
	"context"
	"net/http"
	"strings"
	"time"

	"digesto"
	"digesto/model/wire"
	"digesto/server"
	"digesto/server/spans"
)

// otelSettings are those of the collector of spans.
func otelSettings() []setting {
	return []setting{
		{key: "otel.url", env: "DIGESTO_OTEL_URL", quiet: true, help: "dirección OTLP/HTTP de un recolector de OpenTelemetry, como http://127.0.0.1:4318/v1/traces (vacío: no se envía nada)"},
		{key: "otel.headers", env: "DIGESTO_OTEL_HEADERS", quiet: true, secret: true, help: "cabeceras de cada envío: NOMBRE=VALOR, separadas por comas"},
	}
}

// newSpans prepares the spans of the server; nil where no collector is configured.
// Only its address is dialled: no redirection is followed, and with local_only
// nothing beyond this machine.
func (a *app) newSpans(w *world) (*spans.Spans, error) {
	raw := a.conf.get("otel.url")
	if raw == "" {
		return nil, nil
	}
	u, err := wire.CheckURL(raw, "http://127.0.0.1:4318/v1/traces")
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "«otel.url» no es una dirección", Hint: "Escríbala entera y sin clave ni parámetros, como http://127.0.0.1:4318/v1/traces; las claves van en «otel.headers»."}
	}
	headers := map[string]string{}
	for h := range strings.SplitSeq(a.conf.get("otel.headers"), ",") {
		name, value, ok := strings.Cut(h, "=")
		if name = strings.TrimSpace(name); ok && name != "" {
			headers[name] = strings.TrimSpace(value)
		} else if strings.TrimSpace(h) != "" {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "«otel.headers» no se entiende", Hint: "Se escribe NOMBRE=VALOR, separadas por comas."}
		}
	}
	local, err := a.conf.yes("local_only")
	if err != nil {
		return nil, err
	}
	client := wire.Client(wire.Options{LocalOnly: local, Proxy: a.proxy()})
	client.Timeout = 10 * time.Second
	s, err := spans.New(a.ctx, spans.Options{URL: u, Headers: headers, Client: client, Version: buildVersion().Version, Log: w.log})
	if err != nil {
		return nil, err
	}
	w.closers = append(w.closers, func() {
		ctx, stop := context.WithTimeout(context.WithoutCancel(a.ctx), 5*time.Second)
		defer stop()
		_ = s.Close(ctx) // what cannot be delivered any more was told in the log
	})
	return s, nil
}

// withSpans hangs the spans into the server, when there are any.
func withSpans(s *spans.Spans, e server.Asker) (server.Asker, func(*http.Request) (context.Context, func(string, int))) {
	if s == nil {
		return e, nil
	}
	return watched{e, func(ctx context.Context) (context.Context, watcher) { return s.Question(ctx) }}, s.Request
}
