package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto/app"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// spanCollector is a collector of OpenTelemetry on this machine.
type spanCollector struct {
	mu    sync.Mutex
	spans []*tracepb.Span
	raw   bytes.Buffer
	key   string
}

func (c *spanCollector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(body)); err == nil {
			body, err = io.ReadAll(z)
		}
	}
	var req collector.ExportTraceServiceRequest
	if err != nil || proto.Unmarshal(body, &req) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.key = r.Header.Get("X-Clave")
	c.raw.Write(body)
	for _, rs := range req.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			c.spans = append(c.spans, ss.Spans...)
		}
	}
}

// otelApp is a program with a model and a collector configured.
func otelApp(t *testing.T, vars map[string]string) (*program, *app.Workspace) {
	t.Helper()
	vars["DIGESTO_DATA"] = t.TempDir()
	e, _, _ := testEnv(vars)
	a := newApp(context.Background(), e)
	var err error
	if a.Settings, err = a.LoadSettings("", ""); err != nil {
		t.Fatal(err)
	}
	w, err := a.Open(a.Context)
	if err != nil {
		t.Fatal(err)
	}
	return a, w
}

func TestSpansReachACollector(t *testing.T) {
	c := &spanCollector{}
	at := httptest.NewServer(c)
	defer at.Close()
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"no es JSON"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`)
	}))
	defer stub.Close()
	a, w := otelApp(t, map[string]string{"DIGESTO_OTEL_URL": at.URL + "/v1/traces", "DIGESTO_OTEL_HEADERS": "X-Clave=abc", "DIGESTO_LOCAL_ONLY": "yes",
		"DIGESTO_MODEL_URL": stub.URL + "/v1", "DIGESTO_MODEL_NAME": "nada"})
	s, err := a.NewServer(w, false, false)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/v1/ask", strings.NewReader(`{"question":"¿Cuánto dura el período de prueba en Zorkovia?","pack":"argentina"}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, r)
	if rec.Code != 200 {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	w.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	var names []string
	ids := map[string]string{}
	for _, sp := range c.spans {
		names = append(names, sp.Name)
		ids[string(sp.SpanId)] = sp.Name
	}
	for _, want := range []string{"POST /v1/ask", "question", "stage retrieve"} {
		if !slices.Contains(names, want) {
			t.Errorf("no span %q among %q", want, names)
		}
	}
	for _, sp := range c.spans {
		switch parent := ids[string(sp.ParentSpanId)]; {
		case sp.Name == "question" && parent != "POST /v1/ask", strings.HasPrefix(sp.Name, "stage ") && parent != "question", strings.HasPrefix(sp.Name, "model ") && parent != "question":
			t.Errorf("%q stands below %q", sp.Name, parent)
		}
		if sp.EndTimeUnixNano < sp.StartTimeUnixNano {
			t.Errorf("%q ends before it begins", sp.Name)
		}
	}
	if id := c.spans[0].TraceId; len(id) != 16 || id[0] != 0x0a || id[1] != 0xf7 {
		t.Errorf("not the trace of the caller: %x", id)
	}
	if c.key != "abc" || bytes.Contains(c.raw.Bytes(), []byte("Zorkovia")) {
		t.Errorf("header %q; what was asked is among the spans: %v", c.key, bytes.Contains(c.raw.Bytes(), []byte("Zorkovia")))
	}
}

// With local_only not even a collector beyond this machine is dialled.
func TestSpansStayLocal(t *testing.T) {
	a, w := otelApp(t, map[string]string{"DIGESTO_OTEL_URL": "http://192.0.2.1:4318/v1/traces", "DIGESTO_LOCAL_ONLY": "yes"})
	log := &strings.Builder{}
	a.Diagnostics = log
	s, err := a.NewServer(w, false, false)
	if err != nil {
		t.Fatal(err)
	}
	s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/healthz", nil))
	began := time.Now()
	w.Close()
	if took := time.Since(began); took > 8*time.Second || !strings.Contains(log.String(), "local only") {
		t.Errorf("%s, log %q", took, log)
	}
}

func TestSpansSettings(t *testing.T) {
	for _, vars := range []map[string]string{{"DIGESTO_OTEL_URL": "recolector"}, {"DIGESTO_OTEL_URL": "http://u:c@127.0.0.1/"}, {"DIGESTO_OTEL_URL": "http://127.0.0.1:1/v1/traces", "DIGESTO_OTEL_HEADERS": "suelta"}} {
		a, w := otelApp(t, vars)
		if s, err := a.NewSpans(w); err == nil || s != nil || !strings.Contains(err.Error(), "otel.") {
			t.Errorf("%v: %v", vars, err)
		}
		w.Close()
	}
	a, w := otelApp(t, map[string]string{})
	defer w.Close()
	if s, err := a.NewSpans(w); s != nil || err != nil {
		t.Errorf("spans without a collector: %v %v", s, err)
	}
}
