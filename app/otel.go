package app

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
func otelSettings() []Setting {
	return []Setting{
		{Key: "otel.url", Env: "DIGESTO_OTEL_URL", Quiet: true, Help: "dirección OTLP/HTTP de un recolector de OpenTelemetry, como http://127.0.0.1:4318/v1/traces (vacío: no se envía nada)"},
		{Key: "otel.headers", Env: "DIGESTO_OTEL_HEADERS", Quiet: true, Secret: true, Help: "cabeceras de cada envío: NOMBRE=VALOR, separadas por comas"},
	}
}

// NewSpans prepares the spans of the server; nil where no collector is configured.
// Only its address is dialled: no redirection is followed, and with local_only
// nothing beyond this machine.
func (a *App) NewSpans(w *Workspace) (*spans.Spans, error) {
	raw := a.Settings.Get("otel.url")
	if raw == "" {
		return nil, nil
	}
	u, err := wire.CheckURL(raw, "http://127.0.0.1:4318/v1/traces")
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "«otel.url» no es una dirección", Hint: "Escríbala entera y sin clave ni parámetros, como http://127.0.0.1:4318/v1/traces; las claves van en «otel.headers»."}
	}
	headers := map[string]string{}
	for h := range strings.SplitSeq(a.Settings.Get("otel.headers"), ",") {
		name, value, ok := strings.Cut(h, "=")
		if name = strings.TrimSpace(name); ok && name != "" {
			headers[name] = strings.TrimSpace(value)
		} else if strings.TrimSpace(h) != "" {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "«otel.headers» no se entiende", Hint: "Se escribe NOMBRE=VALOR, separadas por comas."}
		}
	}
	local, err := a.Settings.Yes("local_only")
	if err != nil {
		return nil, err
	}
	client := wire.Client(wire.Options{LocalOnly: local, Proxy: a.proxy()})
	client.Timeout = 10 * time.Second
	s, err := spans.New(a.Context, spans.Options{URL: u, Headers: headers, Client: client, Version: BuildVersion().Version, Log: w.Log})
	if err != nil {
		return nil, err
	}
	w.Closers = append(w.Closers, func() {
		ctx, stop := context.WithTimeout(context.WithoutCancel(a.Context), 5*time.Second)
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
	return observed{e, func(ctx context.Context) (context.Context, observer) { return s.Question(ctx) }}, s.Request
}
