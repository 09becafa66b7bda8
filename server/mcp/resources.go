package mcp

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"digesto"
	"digesto/text"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// articleTemplate is the address of an article as a resource.
const articleTemplate = "digesto://ley/{norma}/{articulo}"

// addResources offers the articles as resources, and the ways to begin as prompts.
func (s *Server) addResources() {
	if s.opt.Article != nil {
		s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{Name: "articulo", Title: "Artículo de una ley", URITemplate: articleTemplate, MIMEType: "text/markdown",
			Description: "El texto vigente de un artículo o disposición, con sus fechas y su fuente. La norma, por su identificador o su número; el artículo, como lo dice la herramienta «article»."}, s.readArticle)
	}
	question := &sdk.PromptArgument{Name: "pregunta", Title: "Pregunta", Description: "Lo que se quiere saber, en español.", Required: true}
	s.sdk.AddPrompt(&sdk.Prompt{Name: "consulta", Title: "Consultar la ley", Description: "Contesta una duda con lo que dice la ley, citado letra por letra.", Arguments: []*sdk.PromptArgument{question}},
		prompted("Contesta esta duda con la herramienta «ask» y nada más que lo que devuelva. Empieza por una línea que conteste; debajo, la cita literal con su artículo y su fecha. Si «refusal» es verdadero o «confidence» es menor que 0,7, dilo en la primera línea.\n\nDuda: ", "pregunta"))
	s.sdk.AddPrompt(&sdk.Prompt{Name: "revisar_escrito", Title: "Revisar las citas de un escrito", Description: "Comprueba cada cita de un escrito contra la ley instalada.",
		Arguments: []*sdk.PromptArgument{{Name: "texto", Title: "Escrito", Description: "El texto entero.", Required: true}}},
		prompted("Comprueba este escrito con la herramienta «verify». Di primero qué citas no se sostienen y qué dice la ley en su lugar; después, las demás.\n\n", "texto"))
}

// prompted is a message of the user made of an instruction and an argument.
func prompted(says, argument string) sdk.PromptHandler {
	return func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		given := strings.TrimSpace(r.Params.Arguments[argument])
		if given == "" {
			return nil, invalid("falta «"+argument+"»", "escríbalo entre los argumentos")
		}
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: says + given}}}}, nil
	}
}

// readArticle gives the text of an article with what a citation needs.
func (s *Server) readArticle(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	norm, unit, ok := strings.Cut(strings.TrimPrefix(r.Params.URI, "digesto://ley/"), "/")
	norm, err1 := url.PathUnescape(norm)
	unit, err2 := url.PathUnescape(unit)
	if !ok || err1 != nil || err2 != nil {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	a, err := guarded(ctx, ArticleArgs{Norm: norm, Unit: unit}, s.opt.Article)
	if digesto.CodeOf(err) == digesto.CodeNotFound {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	if err != nil {
		s.opt.Log.Warn("resource failed", "uri", r.Params.URI, "error", err)
		return nil, err
	}
	var b strings.Builder
	b.WriteString("# " + strings.TrimSuffix(a.Label+". "+a.Rubric, ". ") + "\n\n" + a.Text + "\n\n— " + a.Title + ". Versión " + a.Version)
	if a.ValidFrom != nil {
		b.WriteString(", vigente desde el " + string(*a.ValidFrom))
	}
	if at := cmp.Or(a.URL, a.CheckURL); at != "" {
		b.WriteString(". " + at)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: "text/markdown", Text: text.Inert(b.String())}}}, nil
}
