package main

import (
	"io"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/app"
	"digesto/ask"
	"digesto/cmd/digesto/internal/show"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/disk"
	"digesto/server"
)

// maxQuestion bounds a question read from stdin, in bytes.
const maxQuestion = 1 << 20

// askCmd answers one question.
type askCmd struct {
	From         string   `name:"from" placeholder:"FICHERO" help:"Responde solo con ese fichero o carpeta, sin instalarlo."`
	Pack         string   `name:"pack" placeholder:"PAQUETE" help:"Paquete: peru, jus, laboral, argentina o clara. Sin él, se detecta."`
	AsOf         string   `name:"as-of" placeholder:"FECHA" help:"Responde con la ley de ese día."`
	Territory    string   `name:"territory" placeholder:"LUGAR" help:"Territorio: comunidad, provincia o ciudad."`
	Conversation string   `name:"conversation" placeholder:"ID" help:"Conversación que se sigue, por el session_id de una respuesta; «new» empieza una. Sin ella no se guarda ninguna; la traza de la respuesta, sí (véase «digesto replay»)."`
	Vectors      string   `name:"vectors" enum:"on,off" default:"off" placeholder:"on|off" help:"on: busca también por significado, con unos 15 ms más por pregunta; off: por palabras y léxico."`
	Recipe       string   `name:"recipe" placeholder:"measured|collections" help:"Cómo se busca en la ley: measured, una búsqueda; collections, colección a colección por palabras y por significado, fundidas por rango. Sin ella, la del paquete."`
	Tone         string   `name:"tone" placeholder:"sencillo|formal|academico|conciso" help:"Cómo se redacta; «sencillo»: frases cortas, con las mismas citas."`
	Flag         []string `name:"flag" sep:"none" placeholder:"NOMBRE=VALOR" help:"Interruptor de esta pregunta: RAG_ENABLED, RAG_RERANK_STRATEGY, RAG_GROUNDED_PROMPTING o RAG_MAX_CHUNKS_IN_PROMPT."`
	Interactive  bool     `name:"interactive" short:"i" help:"Sigue preguntando en una conversación, una línea por pregunta; un número elige lo que se ofrece."`
	Contract     bool     `name:"contract" xor:"form" help:"Imprime solo los cinco campos del contrato de respuesta, en JSON."`
	Stream       bool     `name:"stream" xor:"form" help:"Enseña las etapas por stderr y las frases según se comprueban; con --json, un suceso JSON por línea."`
	Question     []string `arg:"" optional:"" placeholder:"PREGUNTA" help:"La pregunta; «-» la lee de la entrada estándar."`
}

// Examples of the command.
func (askCmd) Examples() []string {
	return []string{
		`digesto ask "¿Cuántos días de vacaciones me corresponden al año?"`,
		`digesto ask --pack peru --contract "¿Qué es la NORMA XV?"`,
		`digesto ask --pack jus --as-of 2025-06-30 "¿Cuánto son 12 JUS?"`,
		`digesto ask --from contrato.pdf "¿Qué plazo de preaviso fija?"`,
		`digesto ask -i "¿Cuánto dura el período de prueba?"`,
		`echo "¿Qué dice el artículo 38 ET?" | digesto ask -`,
	}
}

// Run answers the question.
func (c askCmd) Run(a *program) error {
	if c.Interactive && c.Conversation == "" {
		c.Conversation = "new"
	}
	q, err := c.question(a)
	if err != nil {
		return err
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	if err := a.TakeRecipe(w, c.Recipe, c.Vectors == "on"); err != nil {
		return err
	}
	defer w.Close()
	if err := a.OpenTraces(w, c.From); err != nil {
		return err
	}
	if w.Audit, err = a.OpenAudit(); err != nil {
		return err
	}
	if none, err := a.Settings.Yes("no_log"); err != nil || none && c.Conversation != "" {
		return app.Or(err != nil, err, error(&digesto.Error{Code: digesto.CodeForbidden, Message: "no se guarda ninguna conversación: «no_log» está puesto", Hint: "pregunte sin --conversation, o quite «no_log»"}))
	}
	if c.Conversation != "" {
		if w.Store, err = a.OpenDatabase(); err != nil {
			return err
		}
	}
	if q.Pack == "" {
		q.Pack = a.Settings.Get("pack")
	}
	if _, err := w.Pack(q.Pack); err != nil {
		return err
	}
	engine, cleanup, err := c.engine(a, w)
	if err != nil {
		return err
	}
	defer cleanup()
	asker := app.AuditedBy(w.Audit, nil, engine)
	if c.Interactive {
		return c.talk(a, w, asker, q)
	}
	for chosen := true; chosen; {
		ans, err := asker.Ask(a.Context, q, c.progress(a))
		if err != nil {
			return err
		}
		if err := c.print(a, w, ans); err != nil {
			return err
		}
		if q, chosen, err = c.choose(a, w, q, ans); err != nil {
			return err
		}
	}
	if c.Conversation == "" && c.From == "" && a.errTerm && !a.json {
		a.Say("Para seguir preguntando sobre esto: digesto ask -i")
	}
	return nil
}

// engine answers from the installed law, or from the one source named by
// --from and nothing else.
func (c askCmd) engine(a *program, w *app.Workspace) (*ask.Engine, func(), error) {
	if c.From == "" {
		e, err := a.Engine(w)
		return e, func() {}, err
	}
	l, cleanup, err := a.OpenSource(a.Context, w, c.From, c.Pack)
	if err != nil {
		return nil, nil, err
	}
	e, err := a.EngineOver(&app.Workspace{Packs: app.WithoutTools(w.Packs), Traces: w.Traces}, l, ask.View{})
	return e, func() { l.Close(); cleanup() }, err
}

// question checks what was asked.
func (c askCmd) question(a *program) (digesto.Question, error) {
	text := strings.Join(c.Question, " ")
	if text == "-" {
		data, err := io.ReadAll(io.LimitReader(a.in, maxQuestion))
		if err != nil {
			return digesto.Question{}, disk.Error(err, "la entrada estándar", "")
		}
		text = string(data)
	}
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) {
		return digesto.Question{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "La pregunta no es texto UTF-8", Hint: "Escríbala otra vez o conviértala, por ejemplo con «iconv -t utf-8»."}
	}
	if text == "" && !c.Interactive {
		return digesto.Question{}, &digesto.Error{Code: digesto.CodeUsage, Message: "La pregunta está vacía", Hint: `Escríbala entre comillas: digesto ask "¿…?"`}
	}
	at, err := app.ParseDate("--as-of", c.AsOf)
	if err != nil {
		return digesto.Question{}, err
	}
	if c.Conversation != "" && c.From != "" {
		return digesto.Question{}, &digesto.Error{Code: digesto.CodeUsage, Message: "Una conversación no se lleva sobre un fichero suelto", Hint: "Quite --from o --conversation."}
	}
	flags, err := requestFlags(c.Flag)
	return digesto.Question{Text: text, Pack: c.Pack, AsOf: at, Territory: c.Territory, Conversation: c.Conversation, Tone: c.Tone, Flags: flags, User: app.LocalUser}, err
}

// progress shows the way to the answer when --stream asks for it. Deltas go to
// stdout only as JSON lines: as text, the whole answer follows anyway.
func (c askCmd) progress(a *program) func(digesto.Event) {
	if !c.Stream {
		return nil
	}
	return func(e digesto.Event) {
		switch {
		case a.json:
			_ = a.printLine(e)
		case e.Kind == "stage":
			a.Say("· %s", server.StageTitle(e.Stage))
		case e.Kind == "delta":
			_, _ = io.WriteString(a.out, strings.Join(terminal.Wrap(terminal.Clean(e.Text), a.screen().Columns()), "\n")+"\n")
		}
	}
}

// print writes the answer in the form asked for.
func (c askCmd) print(a *program, w *app.Workspace, ans digesto.Answer) error {
	switch {
	case c.Contract:
		return a.printJSON(fiveFields(ans))
	case a.json && c.Stream:
		return nil
	case a.json:
		return a.printJSON(ans)
	}
	o := show.AnswerOptions{Links: a.outTerm, Packs: map[string]string{}, Asks: a.inTerm && a.outTerm || c.Interactive, Streamed: c.Stream}
	for _, k := range w.Packs {
		o.Packs[k.Name] = k.Title
	}
	return show.Answer(a.screen(), ans, o)
}

// contractForm is the answer as the contract fixes it: five fields, no more.
type contractForm struct {
	Answer     string          `json:"answer"`
	Citations  []contractQuote `json:"citations"`
	Confidence float64         `json:"confidence"`
	Refusal    bool            `json:"refusal"`
	Notes      *string         `json:"notes"`
}

type contractQuote struct {
	Quote  string `json:"quote"`
	Source string `json:"source"`
	Page   *int   `json:"page"`
}

func fiveFields(a digesto.Answer) contractForm {
	f := contractForm{Answer: a.Answer, Citations: []contractQuote{}, Confidence: a.Confidence, Refusal: a.Refusal, Notes: a.Notes}
	for _, c := range a.Citations {
		f.Citations = append(f.Citations, contractQuote{c.Quote, c.Source, c.Page})
	}
	return f
}
