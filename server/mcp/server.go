package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"digesto"
	"digesto/pack"
	"digesto/recent"
	"digesto/server"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage bounds one message of a client, in bytes.
const maxMessage = 1 << 20

// Options of a server. Zero values mean the defaults stated.
type Options struct {
	Engine   server.Asker // required
	Search   func(context.Context, SearchArgs) (any, error)
	Article  func(context.Context, ArticleArgs) (Article, error)
	Coverage func(context.Context, CoverageArgs) (any, error) // a tool whose function is nil is not offered
	Packs    []*pack.Pack
	Pack     string        // pack of questions that name none; "": it is detected
	Timeout  time.Duration // of one call; 2 min
	Version  string
	Log      *slog.Logger // discards
}

// Server offers tools to clients. It is safe for any number of sessions.
type Server struct {
	opt   Options
	sdk   *sdk.Server
	given recent.Cache[string, digesto.Answer] // answers by their questions
}

// instructions tell the model of a client how to use what it is given.
const instructions = "Respuestas jurídicas con citas literales comprobadas. Copie las citas tal como vienen, con su fuente y su fecha. " +
	"Si «refusal» es verdadero, no hay texto que apoye una respuesta: diga lo que falta y a quién acudir, no la complete de memoria. " +
	"Es información, no asesoramiento."

// New makes a server with the tools that the options have functions for.
func New(opt Options) (*Server, error) {
	if opt.Engine == nil {
		return nil, errors.New("mcp: Options.Engine is nil")
	}
	if opt.Timeout <= 0 {
		opt.Timeout = 2 * time.Minute
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Version == "" {
		opt.Version = "dev"
	}
	s := &Server{opt: opt, given: recent.Cache[string, digesto.Answer]{Most: givenBytes}}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "digesto", Title: "Digesto", Version: opt.Version},
		&sdk.ServerOptions{Instructions: instructions, Logger: opt.Log, Capabilities: &sdk.ServerCapabilities{}})
	s.sdk.AddReceivingMiddleware(inSpanish)
	s.addResources()
	return s, s.addTools()
}

// Run serves one client over a pair of streams, one JSON message a line, until
// the client closes its side or ctx ends. Nothing else is written to out.
func (s *Server) Run(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := s.Connect(ctx, draining{&sdk.IOTransport{Reader: in, Writer: out, MaxLineLength: maxMessage}, s.opt.Timeout})
	if ctx.Err() != nil || err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "la conversación con el cliente MCP se ha roto", Err: err,
		Hint: "el cliente debe enviar un mensaje JSON-RPC por línea"}
}

// Connect serves one client over a transport of the SDK.
func (s *Server) Connect(ctx context.Context, t sdk.Transport) error { return s.sdk.Run(ctx, t) }

// Handler serves clients by streamable HTTP without sessions: every tool is a
// question and its answer. Requests that reach the loopback address under
// another host name are refused (DNS rebinding); those of other web sites are
// refused by [server.Server], whose route this is.
func (s *Server) Handler() http.Handler {
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, Logger: s.opt.Log, MaxRequestBodyBytes: maxMessage})
}
