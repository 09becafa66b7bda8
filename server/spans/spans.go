// Package spans tells a collector of OpenTelemetry what the server does: a span for
// each request, question, stage and call of a model, over OTLP/HTTP. It is off unless
// a collector is configured. No span carries what a person wrote, what was answered
// or who asked: routes are the patterns of the table, packs those loaded, the rest
// closed sets and numbers.
package spans

import (
	"context"
	"log/slog"
	"net/http"

	"digesto"
	"digesto/model"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Options of the spans. URL and Client are required.
type Options struct {
	URL     string            // of the collector, whole: https://HOST:4318/v1/traces
	Headers map[string]string // sent with each batch: what lets the server in
	Client  *http.Client      // decides what may be dialled
	Version string
	Log     *slog.Logger // is told when a collector cannot be reached; nil = nobody is
}

// Spans are the spans of one server. They are safe for any number of goroutines.
type Spans struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// New prepares sending; nothing is dialled before the first batch.
func New(ctx context.Context, o Options) (*Spans, error) {
	headers := o.Headers
	if headers == nil {
		headers = map[string]string{} // none of the environment either
	}
	out, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(o.URL), otlptracehttp.WithHeaders(headers), otlptracehttp.WithHTTPClient(o.Client))
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "No se puede preparar el envío a OpenTelemetry", Err: err, Hint: "Revise «otel.url» en la configuración."}
	}
	if o.Log != nil { // the library has one place for all errors of the process
		otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
			o.Log.Warn("opentelemetry", slog.String("error", err.Error()))
		}))
	}
	about := resource.NewSchemaless(attribute.String("service.name", "digesto"), attribute.String("service.version", o.Version))
	p := sdk.NewTracerProvider(sdk.WithBatcher(out), sdk.WithResource(about), sdk.WithSampler(sdk.ParentBased(sdk.AlwaysSample())))
	return &Spans{provider: p, tracer: p.Tracer("digesto")}, nil
}

// Close sends what is left, until ctx ends.
func (s *Spans) Close(ctx context.Context) error { return s.provider.Shutdown(ctx) }

// Request begins the span of a request, within that of the caller where the header
// traceparent names one. What it returns ends it.
func (s *Spans) Request(r *http.Request) (context.Context, func(route string, status int)) {
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := s.tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer))
	return ctx, func(route string, status int) {
		if route == "" || route == "/" {
			route = "none"
		}
		span.SetName(route)
		span.SetAttributes(attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Question begins the span of a question; its stages and the calls of models made
// with the context returned stand below it.
func (s *Spans) Question(ctx context.Context) (context.Context, *Question) {
	ctx, span := s.tracer.Start(ctx, "question")
	return ctx, &Question{ctx: ctx, tracer: s.tracer, span: span}
}

// Question is one question being answered. Its methods are called by one goroutine
// at a time.
type Question struct {
	ctx    context.Context // of the question, for the spans of its stages
	tracer trace.Tracer
	span   trace.Span
	stage  trace.Span
}

// Event ends the stage before and begins the one it names.
func (q *Question) Event(e digesto.Event) {
	if e.Kind != "stage" {
		return
	}
	q.endStage()
	_, q.stage = q.tracer.Start(q.ctx, "stage "+e.Stage)
}

func (q *Question) endStage() {
	if q.stage != nil {
		q.stage.End()
		q.stage = nil
	}
}

// End ends the span with the outcome, or with the code of the error.
func (q *Question) End(a digesto.Answer, err error) {
	q.endStage()
	switch {
	case err != nil:
		q.span.SetAttributes(attribute.String("error.type", string(digesto.CodeOf(err))))
		q.span.SetStatus(codes.Error, "")
	case a.Meta != nil:
		q.span.SetAttributes(attribute.String("digesto.outcome", string(a.Meta.Outcome)), attribute.String("digesto.pack", a.Meta.Pack),
			attribute.String("digesto.mode", a.Meta.Mode), attribute.String("digesto.trace_id", a.Meta.TraceID))
	}
	q.span.End()
}

// Generator gives each call of a model a span; nil stays nil.
func (s *Spans) Generator(role string, g model.Generator) model.Generator {
	if g == nil {
		return nil
	}
	return generator{s, role, g}
}

type generator struct {
	s    *Spans
	role string
	next model.Generator
}

func (g generator) Generate(ctx context.Context, req model.Request, emit func(string) error) (model.Response, error) {
	ctx, span := g.s.tracer.Start(ctx, "model "+g.role, trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	r, err := g.next.Generate(ctx, req, emit)
	span.SetAttributes(attribute.Int("gen_ai.usage.input_tokens", r.Usage.Prompt), attribute.Int("gen_ai.usage.output_tokens", r.Usage.Completion), attribute.Bool("digesto.cached", r.Cached))
	failed(span, err)
	return r, err
}

// Reranker gives each call of a reranker a span; nil stays nil.
func (s *Spans) Reranker(r model.Reranker) model.Reranker {
	if r == nil {
		return nil
	}
	return reranker{s, r}
}

type reranker struct {
	s    *Spans
	next model.Reranker
}

func (r reranker) Rerank(ctx context.Context, query string, docs []string, top int) ([]model.Ranked, error) {
	ctx, span := r.s.tracer.Start(ctx, "model "+model.Ranking, trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	out, err := r.next.Rerank(ctx, query, docs, top)
	span.SetAttributes(attribute.Int("digesto.documents", len(docs)))
	failed(span, err)
	return out, err
}

// failed marks a span with the code of an error; its words may hold what was asked.
func failed(span trace.Span, err error) {
	if err != nil {
		span.SetAttributes(attribute.String("error.type", string(digesto.CodeOf(err))))
		span.SetStatus(codes.Error, "")
	}
}
