package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"digesto"
)

// Kind is why a call of a model failed.
type Kind string

// The kinds of fault.
const (
	KindKey       Kind = "key"         // 401, 403: the key is missing, wrong or not allowed this
	KindUnknown   Kind = "not_found"   // 404: no such model or address
	KindRequest   Kind = "bad_request" // 400, 422: the server does not take the request
	KindTooLong   Kind = "too_long"    // the prompt does not fit the model
	KindLimited   Kind = "limited"     // 429: too many requests or tokens, or the credit is spent
	KindServer    Kind = "server"      // 5xx
	KindNetwork   Kind = "network"     // no connection, TLS, name not found
	KindTimeout   Kind = "timeout"     // no answer, or a stall in the middle, in the time allowed
	KindCut       Kind = "cut"         // the stream ended before its end
	KindGarbled   Kind = "garbled"     // not what the protocol says
	KindEmpty     Kind = "empty"       // no choices, no text
	KindForbidden Kind = "forbidden"   // the program itself does not allow the call (budget, local only)
)

// Fault is the cause inside the errors of this package and its adapters. It
// never holds a key.
type Fault struct {
	Kind       Kind
	Status     int           // HTTP status, 0 if there was none
	RetryAfter time.Duration // as the server asked; 0 = it did not
	Detail     string        // what the server said, cut and without the key; for the log
	Reason     Reason        // more exactly, where it is known
}

// Reason is what exactly stands in the way, where people do different things about it.
type Reason string

// The reasons.
const (
	ReasonTLS    Reason = "tls"        // the certificate or the protocol
	ReasonProxy  Reason = "proxy"      // the proxy refuses or is not there
	ReasonName   Reason = "name"       // no such name in the network
	ReasonNobody Reason = "nobody"     // nobody listens there
	ReasonDims   Reason = "dimensions" // vectors of another length than expected
	ReasonSpend  Reason = "spend"      // the day's money is spent
	ReasonLocal  Reason = "local"      // an address elsewhere, and only this machine is allowed
)

func (f *Fault) Error() string {
	s := string(f.Kind)
	if f.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", f.Status)
	}
	if f.Detail != "" {
		s += ": " + f.Detail
	}
	return s
}

// Temporary says whether the same call may succeed later.
func (f *Fault) Temporary() bool {
	switch f.Kind {
	case KindLimited, KindServer, KindNetwork, KindTimeout, KindCut, KindGarbled, KindEmpty:
		return true
	}
	return false
}

// FaultOf gives the fault inside an error, nil if there is none.
func FaultOf(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return nil
}

var faultTexts = map[Kind]struct {
	code          digesto.Code
	message, hint string
}{
	KindKey:       {digesto.CodeUnavailable, "El servicio del modelo no acepta la clave", "Revise la clave del modelo y sus permisos en la configuración; «digesto doctor» la prueba."},
	KindUnknown:   {digesto.CodeUnavailable, "El servicio no conoce el modelo o la dirección", "Revise el nombre del modelo y la dirección base (suele acabar en /v1)."},
	KindRequest:   {digesto.CodeUnavailable, "El servicio del modelo no admite la petición", "Revise qué parámetros admite ese modelo en su documentación."},
	KindTooLong:   {digesto.CodeTooLarge, "La petición no cabe en el modelo", "Use un modelo con más contexto o reduzca los fragmentos que se le envían."},
	KindLimited:   {digesto.CodeLimited, "El servicio del modelo ha alcanzado su límite de uso", "Espere un poco y repita, o amplíe el límite o el saldo con su proveedor."},
	KindServer:    {digesto.CodeUnavailable, "El servicio del modelo ha fallado", "Repita más tarde; si persiste, consulte el estado del proveedor."},
	KindNetwork:   {digesto.CodeUnavailable, "No se puede conectar con el servicio del modelo", "Compruebe que el servidor está en marcha, la dirección, el certificado y el proxy."},
	KindTimeout:   {digesto.CodeUnavailable, "El modelo no respondió a tiempo", "Repita la pregunta o amplíe el tiempo de espera."},
	KindCut:       {digesto.CodeUnavailable, "La respuesta del modelo llegó incompleta", "Repita la pregunta."},
	KindGarbled:   {digesto.CodeUnavailable, "La respuesta del modelo no se entiende", "Compruebe que la dirección es de una API compatible."},
	KindEmpty:     {digesto.CodeUnavailable, "El modelo no respondió nada", "Repita la pregunta o pruebe otro modelo."},
	KindForbidden: {digesto.CodeLimited, "La configuración no permite esta llamada al modelo", "Revise los límites y el modo local en la configuración."},
}

// NewError makes the error of a fault, in words for people.
func NewError(f *Fault) error {
	t, ok := faultTexts[f.Kind]
	if !ok {
		t = faultTexts[KindServer]
	}
	if r, ok := reasonTexts[f.Reason]; ok {
		t.message, t.hint = r[0], r[1]
	}
	return &digesto.Error{Code: t.code, Message: t.message, Hint: t.hint, Err: f}
}

// reasonTexts say more than the kind does: what happened, what to do.
var reasonTexts = map[Reason][2]string{
	ReasonTLS:    {"No se puede establecer una conexión segura con el servicio del modelo", "Compruebe si la dirección es http o https; si el certificado es propio, indique su autoridad en «model.…ca»."},
	ReasonProxy:  {"El proxy no deja llegar al servicio del modelo", "Revise HTTPS_PROXY, HTTP_PROXY y NO_PROXY, y el usuario del proxy."},
	ReasonName:   {"La dirección del servicio del modelo no existe en la red", "Revise el nombre de la dirección y la conexión a la red."},
	ReasonSpend:  {"Se ha alcanzado el gasto máximo del día en modelos", "Espere a mañana (UTC) o amplíe «model.day_cost»; mientras, se responde sin modelo."},
	ReasonLocal:  {"El modo local no permite un servicio fuera de esta máquina", "Use un servidor en 127.0.0.1 o quite «model.local_only»."},
	ReasonNobody: {"No hay ningún servidor de modelos en esa dirección", "Arranque el servidor o corrija la dirección y el puerto."},
}

// WrongDims is the error of vectors that have another length than expected.
func WrongDims(got, want int) error {
	return &digesto.Error{Code: digesto.CodeInvalid,
		Message: fmt.Sprintf("El modelo de vectores da %d dimensiones y se esperaban %d", got, want),
		Hint:    "Corrija o quite «model.embedder.dims»; el índice de otro modelo se construye solo, al lado del que hay, con la próxima pregunta: digesto ask …",
		Err:     &Fault{Kind: KindRequest, Detail: "wrong dimensions", Reason: ReasonDims}}
}

// Cancelled is the error of a call whose context ended: a timeout if its time
// ran out, else a cancellation.
func Cancelled(ctx context.Context) error {
	cause := context.Cause(ctx)
	if f := FaultOf(cause); f != nil {
		return NewError(f)
	}
	if errors.Is(cause, context.DeadlineExceeded) {
		return NewError(&Fault{Kind: KindTimeout, Detail: "deadline exceeded"})
	}
	return &digesto.Error{Code: digesto.CodeCancelled, Message: "La llamada al modelo se canceló", Err: cause}
}
