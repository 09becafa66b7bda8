package digesto

import "errors"

// Code is a closed set of reasons why something failed. One table (Codes)
// gives each its exit code, HTTP status and Spanish title.
type Code string

// The codes.
const (
	CodeInternal    Code = "internal"
	CodeUsage       Code = "usage"
	CodeInvalid     Code = "invalid"
	CodeNotFound    Code = "not_found"
	CodeUnavailable Code = "unavailable"
	CodeLimited     Code = "limited"
	CodeCheck       Code = "check_failed"
	CodeForbidden   Code = "forbidden"
	CodeConflict    Code = "conflict"
	CodeTooLarge    Code = "too_large"
	CodeCancelled   Code = "cancelled"
)

// CodeInfo is what the edges make of a code.
type CodeInfo struct {
	Exit   int    // process exit code
	Status int    // HTTP status
	Event  string // SSE event
	Finish string // finish_reason of the OpenAI-compatible endpoint
	Title  string // for people
	Next   string // what people do next, where the error does not say it
}

// Codes translates a code once, for every edge of the program.
var Codes = map[Code]CodeInfo{
	CodeInternal:    {1, 500, "error", "error", "Error interno", "Ejecute «digesto doctor»; si se repite, avise con este mensaje."},
	CodeUsage:       {2, 400, "error", "error", "Uso incorrecto", "Vea «digesto --help»."},
	CodeInvalid:     {3, 422, "error", "error", "Entrada o datos no válidos", "Corríjalo y vuelva a intentarlo."},
	CodeNotFound:    {4, 404, "error", "error", "No encontrado", "Revise el nombre."},
	CodeUnavailable: {5, 503, "error", "error", "Servicio no disponible", "Vuelva a intentarlo dentro de un rato; «digesto doctor» dice qué falta."},
	CodeLimited:     {6, 429, "error", "error", "Límite alcanzado", "Espere un poco y vuelva a intentarlo."},
	CodeCheck:       {7, 409, "error", "error", "Una comprobación no se cumple", "Ejecute «digesto doctor», que dice qué está mal."},
	CodeForbidden:   {3, 403, "error", "error", "Acceso no permitido", "Revise los permisos."},
	CodeConflict:    {3, 409, "error", "error", "Conflicto con otra operación", "Espere a que acabe la otra operación y vuelva a intentarlo."},
	CodeTooLarge:    {3, 413, "error", "error", "Demasiado grande", "Use algo más pequeño."},
	CodeCancelled:   {1, 499, "error", "error", "Operación cancelada", "Repita la operación cuando quiera."},
}

// Outcomes gives the finish_reason of an answered question. All are HTTP 200 and exit 0.
var Outcomes = map[Outcome]string{
	OutcomeAnswer:        "stop",
	OutcomeRefusal:       "stop",
	OutcomeClarification: "stop",
	OutcomeNonLegal:      "stop",
	OutcomeReformulate:   "stop",
	OutcomeOutOfScope:    "stop",
	OutcomeAdvice:        "stop",
}

// Error is the one error type of the program. Message and Hint are Spanish and
// meant for people; Err is the cause, for the log.
type Error struct {
	Code    Code
	Message string // what happened, in Spanish
	Hint    string // what to do next, in Spanish
	Err     error
}

func (e *Error) Error() string {
	s := e.Message
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// CodeOf gives the code of an error: CodeInternal for a foreign one, "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}
