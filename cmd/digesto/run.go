package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/manual"
	"digesto/cmd/digesto/internal/terminal"

	"github.com/alecthomas/kong"
)

// env is what the process gives: streams, environment and the shape of the terminal.
type env struct {
	in               io.Reader
	out, err         io.Writer
	lookup           func(string) (string, bool)
	outTerm, errTerm bool
	inTerm           bool
	width            int              // columns; 0 = unknown
	process          bool             // it is that of a process of its own, which may be set up
	clock            func() time.Time // nil = the machine's
}

// cli is the grammar of the program. Descriptions are Spanish; names of
// commands and flags are English, as documented for scripts.
type cli struct {
	Data   string   `name:"data" placeholder:"CARPETA" help:"Carpeta de datos (también DIGESTO_DATA). Sin ella, la del usuario."`
	Config string   `name:"config" placeholder:"FICHERO" help:"Fichero de configuración YAML (también DIGESTO_CONFIG)."`
	Store  string   `name:"store" placeholder:"DIRECCIÓN" help:"Dónde están las conversaciones (también DIGESTO_STORE): postgres://… Sin ella, en la carpeta de datos."`
	Index  string   `name:"index" placeholder:"DIRECCIÓN" help:"Dónde están los índices (también DIGESTO_INDEX): postgres://… o https://… de Qdrant. Sin ella, en la carpeta de datos."`
	JSON   bool     `name:"json" help:"Un valor JSON por la salida estándar y nada más en ella."`
	Help   helpFlag `name:"help" short:"h" help:"Muestra esta ayuda."`

	Ask        askCmd        `cmd:"" help:"Responde una pregunta con citas comprobadas."`
	Serve      serveCmd      `cmd:"" help:"Sirve las páginas web y la API HTTP."`
	MCP        mcpCmd        `cmd:"" name:"mcp" help:"Sirve las herramientas a otro programa por MCP (entrada y salida estándar)."`
	Search     searchCmd     `cmd:"" help:"Busca en la ley instalada, sin redactar respuesta."`
	Verify     verifyCmd     `cmd:"" help:"Comprueba las citas y los entrecomillados de cualquier texto."`
	Replay     replayCmd     `cmd:"" help:"Da otra vez una respuesta guardada y la compara, octeto a octeto."`
	Audit      auditCmd      `cmd:"" help:"Comprueba el registro de auditoría."`
	Backup     backupCmd     `cmd:"" help:"Copia la carpeta de datos a un fichero, con sumas de comprobación."`
	Restore    restoreCmd    `cmd:"" help:"Comprueba una copia y la pone en el lugar de la carpeta de datos."`
	Migrate    migrateCmd    `cmd:"" help:"Mueve conversaciones o índices de un servidor o carpeta a otro, y lo comprueba."`
	Corpus     corpusCmd     `cmd:"" help:"Añade, mira, quita y comprueba los textos instalados."`
	Laboral    laboralCmd    `cmd:"" help:"Calculadoras de derecho laboral (España): despido, finiquito, plazos, paro, cifras."`
	Jus        jusCmd        `cmd:"" help:"Calculadoras de honorarios en JUS (Córdoba, Argentina)."`
	Keys       keysCmd       `cmd:"" help:"Claves de quienes preguntan al servidor."`
	Analytics  analyticsCmd  `cmd:"" help:"Cómo acaban las preguntas: por tipo, por día y por versión de prompt."`
	Coverage   coverageCmd   `cmd:"" help:"Qué está instalado: normas, fechas y lagunas."`
	Eval       evalCmd       `cmd:"" help:"Mide la recuperación y las respuestas."`
	Bench      benchCmd      `cmd:"" help:"Mide la velocidad de la búsqueda y de un servidor entero."`
	Tune       tuneCmd       `cmd:"" help:"Ajusta con el digesto lo que decide si un lugar de la ley responde."`
	Pack       packCmd       `cmd:"" help:"Lista y comprueba los paquetes de dominio."`
	Doctor     doctorCmd     `cmd:"" help:"Comprueba que todo está en su sitio y dice qué falta."`
	ConfigShow configCmd     `cmd:"" name:"config" help:"Muestra la configuración y de dónde sale cada valor."`
	Version    versionCmd    `cmd:"" help:"Versión del programa."`
	Completion completionCmd `cmd:"" help:"Guion de autocompletado para bash, zsh o fish."`
	Man        manCmd        `cmd:"" help:"Página de manual, para man(1)."`
}

// program is one run of the program on its command line: the streams, and the application
// that the commands work with.
type program struct {
	env
	*app.App
	json  bool
	model *kong.Application
}

// run executes one command line and gives its exit code.
func run(ctx context.Context, args []string, e env) int {
	a := newApp(ctx, e)
	if len(args) == 0 {
		greet(a)
		return 0
	}
	out := &sink{Writer: a.out}
	a.out = out
	err := a.guarded(asAsk(asHelp(args)))
	if err == nil && out.failed != nil { // a report that is not whole is none
		err = out.failed
	}
	return a.exit(err)
}

// newApp puts an application behind a command line: what it has to say goes to stderr.
func newApp(ctx context.Context, e env) *program {
	a := &program{env: e, App: &app.App{Context: ctx, Now: e.clock, Environ: e.lookup, Stdin: e.in, Diagnostics: e.err, Names: &app.NormNames{}, Quiet: !e.errTerm}}
	if a.Now == nil {
		a.Now = time.Now
	}
	a.Tell = func(line string) { fmt.Fprintln(a.err, a.errStyle().Dim(line)) }
	a.Bar, a.Pages = a.terminalBar, pages{}
	return a
}

// sink remembers that something could not be written.
type sink struct {
	io.Writer
	failed error
}

func (s *sink) Write(b []byte) (int, error) {
	n, err := s.Writer.Write(b)
	if err != nil && s.failed == nil {
		s.failed = err
	}
	return n, err
}

// guarded keeps a defect of the program from ending it with the exit code of another
// thing: where it broke is told under what to do.
func (a *program) guarded(args []string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return a.dispatch(args)
}

// dispatch parses the command line and runs the command it names.
func (a *program) dispatch(args []string) error {
	var c cli
	parser, err := newParser(&c, a)
	if err != nil {
		return err
	}
	a.model = parser.Model
	a.json = wantsJSON(args) // an error while parsing answers in the form asked for
	kctx, err := parser.Parse(args)
	if errors.Is(err, errHelpShown) {
		return nil
	}
	if err == nil {
		err = emptyArgument(kctx)
	}
	if err != nil {
		return manual.UsageError(err, args)
	}
	written(kctx)
	a.json = c.JSON
	if a.Settings, err = a.LoadSettings(c.Data, c.Config, [2]string{"store", c.Store}, [2]string{"index", c.Index}); err != nil {
		return err
	}
	switch strings.Fields(kctx.Command())[0] {
	case "config", "version", "completion", "man": // tell of the program itself
	case "doctor":
		if err := a.StaysHere(); err != nil {
			return err
		}
	default:
		if err := errors.Join(a.StaysHere(), a.DataIsFolder()); err != nil {
			return err
		}
	}
	a.Ledger = a.NewLedger()
	defer func() { _ = a.Ledger.Close() }() // nothing is left undone in it
	return kctx.Run(a)
}

func newParser(c *cli, a *program) (*kong.Kong, error) {
	return kong.New(c,
		kong.Name("digesto"),
		kong.Description("Preguntas a la ley, respuestas que se pueden comprobar."),
		kong.NoDefaultHelp(),
		kong.Writers(a.out, a.err),
		kong.Exit(func(int) {}),
		kong.Help(printHelp),
		kong.Bind(a),
	)
}

// wantsJSON looks for --json before the end of the flags.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--json", "--contract":
			return true
		case "--":
			return false
		}
	}
	return false
}

// asHelp turns "digesto help ask" into "digesto ask --help".
func asHelp(args []string) []string {
	if args[0] != "help" && args[0] != "ayuda" {
		return args
	}
	return append(append([]string{}, args[1:]...), "--help")
}

// asAsk takes a question that stands where an order would as one to answer: digesto "¿…?".
func asAsk(args []string) []string {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case slices.Contains([]string{"--data", "--config", "--store", "--index"}, arg):
			i++ // its value
		case strings.HasPrefix(arg, "-"):
		case strings.HasPrefix(arg, "¿") || strings.ContainsAny(strings.TrimSpace(arg), " ?"):
			return append([]string{"ask"}, args...)
		default:
			return args
		}
	}
	return args
}

// exit reports an error where it belongs and gives the documented exit code.
func (a *program) exit(err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, context.Canceled) || errors.Is(a.Context.Err(), context.Canceled) && !isOurs(err) {
		err = &digesto.Error{Code: digesto.CodeCancelled, Message: "operación cancelada", Hint: "no se ha cambiado nada; repita la orden cuando quiera"}
	}
	var e *digesto.Error
	if !errors.As(err, &e) {
		e = foreign(err)
	}
	var silent *quietError
	quiet := errors.As(err, &silent)
	info, known := digesto.Codes[e.Code]
	if !known {
		info = digesto.Codes[digesto.CodeInternal]
	}
	fmt.Fprintln(a.err, a.errStyle().Bad("error:"), terminal.Clean(digesto.Told(e)))
	fmt.Fprintln(a.err, a.errStyle().Dim("qué hacer:"), terminal.Clean(e.Next()))
	if e.Err != nil && digesto.Cause(e.Err) == "" { // for who looks into it
		fmt.Fprintln(a.err, a.errStyle().Dim("detalle:"), terminal.Clean(e.Err.Error()))
	}
	if a.json && !quiet {
		_ = a.printJSON(problem{Error: problemBody{Code: e.Code, Title: info.Title, Detail: terminal.Clean(e.Message), Hint: terminal.Clean(e.Next()), Exit: info.Exit}})
	}
	return info.Exit
}

// foreign is an error that nobody put into words: one of the system says what it is,
// another is a defect of the program.
func foreign(err error) *digesto.Error {
	e := &digesto.Error{Code: digesto.CodeInternal, Message: "ha fallado algo inesperado", Err: err}
	var file *fs.PathError
	switch {
	case digesto.DiskFull(err):
		e.Code, e.Message, e.Hint = digesto.CodeTooLarge, "No se ha podido escribir todo", "Libere espacio en el disco y repita la orden."
	case errors.As(err, &file) && digesto.Cause(err) != "":
		e.Code, e.Message, e.Hint = digesto.CodeInvalid, "No se puede leer o escribir «"+file.Path+"»", "Revise el nombre, los permisos y el disco."
		if errors.Is(err, fs.ErrNotExist) {
			e.Code = digesto.CodeNotFound
		}
	}
	return e
}

func isOurs(err error) bool { var e *digesto.Error; return errors.As(err, &e) }

// quietError is a failure whose report has been printed: nothing more is said on stdout.
type quietError struct{ err *digesto.Error }

func (q *quietError) Error() string { return q.err.Error() }
func (q *quietError) Unwrap() error { return q.err }

// checkFailed is the quiet error of a check that found something and has said it.
func checkFailed(msg, hint string) error {
	return &quietError{&digesto.Error{Code: digesto.CodeCheck, Message: msg, Hint: hint}}
}

// noWorse is what to do about figures that are worse than those asked for.
const noWorse = "Busque qué cambio las ha bajado; si son las buenas, escríbalas con --update donde la orden lo tenga."

// problem is the JSON form of an error on stdout.
type problem struct {
	Error problemBody `json:"error"`
}

type problemBody struct {
	Code   digesto.Code `json:"code"`
	Title  string       `json:"title"`
	Detail string       `json:"detail"`
	Hint   string       `json:"hint,omitempty"`
	Exit   int          `json:"exit"`
}

// printJSON writes one indented JSON value on stdout.
func (a *program) printJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// printLine writes one JSON value in one line: the form of lists that stream.
func (a *program) printLine(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// greet tells a newcomer what to try.
func greet(a *program) {
	st := a.outStyle()
	fmt.Fprint(a.out, strings.Join([]string{
		st.Bold("Digesto") + " · preguntas a la ley, respuestas que se pueden comprobar.",
		"",
		"Sin instalar nada responde con las fichas y tablas que trae; con la ley instalada, con su texto literal.",
		"",
		st.Bold("Pruebe:"),
		`  digesto "¿Cuántos días de vacaciones me corresponden al año?"`,
		`  digesto ask --pack jus "¿Cuánto vale el JUS hoy?"`,
		`  digesto ask --from contrato.pdf "¿Qué plazo de preaviso fija?"`,
		`  digesto corpus add CARPETA --pack laboral     instala textos legales suyos`,
		`  digesto serve                                 abre las páginas en http://127.0.0.1:8080`,
		"",
		"«digesto --help» lista las órdenes; «digesto ORDEN --help» explica cada una con ejemplos.",
		"",
	}, "\n"))
}
