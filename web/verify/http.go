// Package verify is the page, the HTTP API and the tool that check a text, and its reports.
package verify

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"html/template"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/corpus/ingest"
	"digesto/server"
	"digesto/server/mcp"
	"digesto/server/openapi"
	"digesto/server/wire"
	"digesto/text/lazyregexp"
	"digesto/verify"
	"digesto/verify/brief"
)

//go:embed verify_page.html
var verifyPageHTML string

// MaxVerify bounds a request with a text, in bytes: a text of brief.MaxText, or a PDF of it.
const MaxVerify = brief.MaxText

// verifyAPI checks texts sent over HTTP and MCP: the same function as the
// command line.
type verifyAPI struct {
	a    *app.App
	w    *app.Workspace
	page *template.Template
}

// Routes are the page and the API.
func Routes(a *app.App, w *app.Workspace) []server.Route {
	v := verifyAPI{a, w, template.Must(template.New("verify").Parse(verifyPageHTML))}
	return []server.Route{
		{Pattern: "GET /verificar", Handle: v.form, Menu: "Verificar"},
		{Pattern: "POST /verificar", Handle: v.form, MaxBody: MaxVerify, Counts: true},
		{Pattern: "POST /verificar/informe", Serve: v.report, MaxBody: MaxVerify, Counts: true},
		{Pattern: "POST /v1/verify", Handle: v.json, MaxBody: MaxVerify, Counts: true, Doc: &openapi.Doc{Summary: "Comprueba las citas y entrecomillados de un texto", Body: verifyBody{}, Reply: brief.Report{}}},
	}
}

// verifyBody are the fields of a request.
type verifyBody struct {
	Text string `json:"text" jsonschema:"El texto entero, con sus citas y entrecomillados."`
	Pack string `json:"pack,omitempty" jsonschema:"Entiende las siglas como en ese ámbito; sin él, según el derecho que más cite el texto."`
	AsOf string `json:"as_of,omitempty" jsonschema:"La ley que regía ese día, AAAA-MM-DD; sin él, hoy."`
}

func (v verifyAPI) json(r *http.Request) (any, error) {
	leave, err := v.w.Checks.Enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	var b verifyBody
	if err := wire.Decode(r, &b); err != nil {
		return nil, err
	}
	return v.check(r.Context(), b)
}

func (v verifyAPI) check(ctx context.Context, b verifyBody) (brief.Report, error) {
	if strings.TrimSpace(b.Text) == "" {
		return brief.Report{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "falta el texto que se comprueba", Hint: "escríbalo en el campo «text»"}
	}
	at, err := app.ParseDate("as_of", b.AsOf)
	if err != nil {
		return brief.Report{}, err
	}
	p, err := v.w.Pack(b.Pack)
	if err != nil {
		return brief.Report{}, err
	}
	done, err := v.w.Checks.Turn(ctx)
	if err != nil {
		return brief.Report{}, err
	}
	defer done()
	if len(b.Text) > app.LargeText {
		defer v.w.Checks.Spare()()
	}
	return v.w.VerifyText(ctx, b.Text, p, at, v.a.Today())
}

// verifyForm is what the page shows.
type verifyForm struct {
	Text, AsOf, Error string
	Report            *brief.Report
	Good              int
	Unread            int    // of those that hold up, how many whose sentence has to be read
	Partial           string // up to where the text was checked; "" = all of it
	Tally             []verifyMark
	Cards             []verifyMark
	Marked            [][]verifyMark // paragraphs of the text, in pieces
}

// verifyMark is a verdict, or a piece of the text with its verdict.
type verifyMark struct {
	N           int
	Name, Class string
	Text        string
	F           brief.Finding
	Where       []verifyPlace
}

type verifyPlace struct{ Title, Link string }

// verdictClasses are the styles of the verdicts; each has its own form, not only
// its own colour.
var verdictClasses = map[brief.Verdict]string{brief.Verified: "is-ok", brief.Superseded: "is-doubt", brief.Misattributed: "is-note", brief.NotFound: "is-bad", brief.Unresolved: "is-none"}

// commands are the orders of the program that a reason ends with: whoever reads a page gives none.
var commands = lazyregexp.New(` (?:Se instala con: |Quien lleva la biblioteca lo ve con «).*$`)

// Said is a reason as people read it.
func (verifyForm) Said(reason string) string {
	return app.Closed(commands.ReplaceAllString(reason, ""))
}

// HoldingName and HoldingClass show what is said of a sentence without quotation.
func (verifyForm) HoldingName(h verify.Holding) string { return HoldingNames[h][1] }

// HoldingClass is its style.
func (verifyForm) HoldingClass(h verify.Holding) string {
	return map[verify.Holding]string{verify.Supported: "is-ok", verify.Contradicted: "is-bad", verify.NotShown: "is-none"}[h]
}

func (v verifyAPI) form(r *http.Request) (any, error) {
	f := verifyForm{AsOf: string(v.a.Today())}
	status := http.StatusOK
	if r.Method == http.MethodPost {
		if err := v.posted(r, &f); err != nil {
			var e *digesto.Error
			if !errors.As(err, &e) || e.Code == digesto.CodeInternal {
				return nil, err
			}
			f.Error, status = app.Closed(e.Message)+" "+app.Closed(e.Hint), digesto.Codes[e.Code].Status
		}
	}
	var b bytes.Buffer
	if err := v.page.Execute(&b, f); err != nil {
		return nil, err
	}
	return server.Page{Title: "Verificar un escrito", Status: status, Body: template.HTML(b.String())}, nil
}

// posted reads the form and checks its text.
func (v verifyAPI) posted(r *http.Request, f *verifyForm) error {
	leave, err := v.w.Checks.Enter()
	if err != nil {
		return err
	}
	defer leave()
	text, asOf, err := v.read(r)
	if f.Text = text; asOf != "" {
		f.AsOf = asOf
	}
	if err != nil {
		return err
	}
	at := asOf
	if at == string(v.a.Today()) {
		at = ""
	}
	rep, err := v.check(r.Context(), verifyBody{Text: f.Text, AsOf: at})
	if err != nil {
		return err
	}
	f.show(rep)
	return nil
}

// read takes the text from the field or from the file of a form.
func (v verifyAPI) read(r *http.Request) (text, asOf string, err error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "multipart/form-data" {
		err = r.ParseForm()
	} else {
		err = r.ParseMultipartForm(MaxVerify)
	}
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		return "", "", &digesto.Error{Code: digesto.CodeTooLarge, Message: "No se ha podido leer lo que ha enviado", Hint: "Envíe un texto o un archivo de menos de 4 MB.", Err: err}
	case err != nil:
		return "", "", &digesto.Error{Code: digesto.CodeInvalid, Message: "No se ha entendido lo que ha enviado", Hint: "Vuelva a esta página y envíelo de nuevo.", Err: err}
	}
	text, asOf = strings.ToValidUTF8(r.FormValue("text"), "\uFFFD"), r.FormValue("as_of")
	if r.MultipartForm == nil || len(r.MultipartForm.File["file"]) == 0 || r.MultipartForm.File["file"][0].Size == 0 {
		return text, asOf, nil
	}
	h := r.MultipartForm.File["file"][0]
	file, err := h.Open()
	if err != nil {
		return text, asOf, err
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return text, asOf, err
	}
	text, err = ingest.Plain(r.Context(), h.Filename, data, ingest.Options{CacheDir: v.a.PdfCache()})
	return text, asOf, err
}

// show lays the report out: counts, cards, and the text with its marks.
func (f *verifyForm) show(rep brief.Report) {
	f.Report, f.Good, f.Partial = &rep, rep.Counts[brief.Verified], Partial(f.Text, rep)
	for _, v := range []brief.Verdict{brief.NotFound, brief.Misattributed, brief.Superseded, brief.Unresolved, brief.Verified} {
		if n := rep.Counts[v]; n > 0 {
			f.Tally = append(f.Tally, verifyMark{N: n, Name: tallies[v][app.Or(n == 1, 0, 1)], Class: verdictClasses[v]})
		}
	}
	for k, c := range rep.Citations {
		m := markOf(k+1, c)
		for _, w := range c.Where[:min(len(c.Where), 3)] {
			m.Where = append(m.Where, verifyPlace{w.Title, "/leyes/" + url.PathEscape(w.Document) + "/" + url.PathEscape(w.Unit)})
		}
		if c.Verdict == brief.Verified && c.Claim != nil && c.Claim.Verdict != verify.Supported {
			f.Unread++
		}
		f.Cards = append(f.Cards, m)
	}
	// What has to be mended is read first.
	slices.SortStableFunc(f.Cards, func(a, b verifyMark) int {
		return cmp.Or(graver[b.F.Verdict]-graver[a.F.Verdict], doubtful(b.F)-doubtful(a.F))
	})
	f.Marked = MarkText(f.Text, rep.Citations)
}

// doubtful orders citations of texts that exist by what is said of their sentence.
func doubtful(c brief.Finding) int {
	if c.Claim == nil {
		return 0
	}
	return map[verify.Holding]int{verify.Contradicted: 2, verify.NotShown: 1}[c.Claim.Verdict]
}

// Tool offers the check to other programs.
func Tool(a *app.App, w *app.Workspace, s *mcp.Server) error {
	v := verifyAPI{a: a, w: w}
	return mcp.Add(s, mcp.Tool{Name: "verify", Title: "Verificar citas", Description: "Comprueba cada cita y cada entrecomillado de un texto contra la ley instalada: VERIFIED, SUPERSEDED, MISATTRIBUTED, NOT_FOUND o UNRESOLVED, con el lugar real o las palabras más parecidas; y de cada frase que cita un artículo sin copiarlo, si este lo dice (claim: supported, contradicted o not_shown). Úsela antes de entregar cualquier escrito con citas."},
		func(ctx context.Context, in verifyBody) (any, error) { return v.check(ctx, in) })
}
