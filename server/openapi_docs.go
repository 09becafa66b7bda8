package server

import (
	"encoding/json"

	"digesto"
	"digesto/store"
)

// The parameters of queries, as the handlers read them.
type (
	asOfQuery struct {
		AsOf digesto.Date `json:"as_of,omitempty" jsonschema:"La ley que regía ese día, AAAA-MM-DD; sin él, el texto vigente."`
	}
	normsQuery struct {
		Pack      string `json:"pack,omitempty" jsonschema:"Solo las normas de ese paquete."`
		Q         string `json:"q,omitempty" jsonschema:"Palabras del título."`
		Territory string `json:"territory,omitempty" jsonschema:"Solo las de ese territorio, como lo dicen las normas: es-pv, ar-x…"`
		Limit     int    `json:"limit,omitempty" jsonschema:"De 1 a 1000."`
		After     string `json:"after,omitempty" jsonschema:"El «next» de la página anterior."`
	}
	diffQuery struct {
		From digesto.Date `json:"from" jsonschema:"Día del texto anterior, AAAA-MM-DD."`
		To   digesto.Date `json:"to,omitempty" jsonschema:"Día del texto posterior; sin él, el vigente."`
	}
	formQuery struct {
		asOfQuery
		Form string `json:"form,omitempty" jsonschema:"es, ar, pe o apa; sin él, todas."`
	}
	conversationsQuery struct {
		Q      string `json:"q,omitempty" jsonschema:"Palabras del título o de los mensajes."`
		State  string `json:"state,omitempty" jsonschema:"archived, deleted o nada."`
		Limit  int    `json:"limit,omitempty" jsonschema:"De 1 a 100."`
		Cursor string `json:"cursor,omitempty" jsonschema:"El «next_cursor» de la página anterior."`
	}
	foreverQuery struct {
		Forever bool `json:"forever,omitempty" jsonschema:"true borra sin vuelta atrás."`
	}
	exportQuery struct {
		Format string `json:"format,omitempty" jsonschema:"md para Markdown, html para una página; json, o sin él, JSON."`
	}
	analyticsQuery struct {
		Days int  `json:"days,omitempty" jsonschema:"De 1 a 3660; sin él, 30."`
		All  bool `json:"all,omitempty" jsonschema:"true: lo de todos; solo para quien lleva el servidor."`
	}
)

// apiDocs describes every route of the API that this package answers, by its
// pattern; the wiring's routes bring their own.
func apiDocs() map[string]*Doc {
	return map[string]*Doc{
		"POST /v1/ask":                                        {Summary: "Una pregunta, una respuesta comprobada; como eventos con «Accept: text/event-stream»", Body: digesto.Question{}, Reply: digesto.Answer{}, Event: ""},
		"POST /v1/search":                                     {Summary: "Solo la búsqueda", Body: searchBody{}, Reply: searchResult{}},
		"GET /v1/norms":                                       {Summary: "Las normas instaladas", Query: normsQuery{}, Reply: normList{}},
		"GET /v1/norms/{norm}":                                {Summary: "Una norma y su índice", Reply: normBody{}},
		"GET /v1/norms/{norm}/{unit}":                         {Summary: "El texto de un artículo en un día", Query: asOfQuery{}, Reply: unitBody{}},
		"GET /v1/norms/{norm}/{unit}/versions":                {Summary: "Las redacciones de un artículo", Reply: versionsBody{}},
		"GET /v1/norms/{norm}/{unit}/diff":                    {Summary: "Qué cambió entre dos días", Query: diffQuery{}, Reply: diffBody{}},
		"GET /v1/norms/{norm}/relations":                      {Summary: "Qué normas la cambiaron y cuáles cambió o derogó", Reply: amendmentsBody{}},
		"GET /v1/norms/{norm}/{unit}/relations":               {Summary: "Quién lo cita, qué cita, qué lo modificó", Reply: relationsBody{}},
		"GET /v1/norms/{norm}/{unit}/citation":                {Summary: "La cita formal", Query: formQuery{}, Reply: formsBody{}},
		"GET /v1/contract":                                    {Summary: "El JSON Schema de la respuesta", Reply: map[string]any{}, Media: "application/schema+json"},
		"GET /v1/packs":                                       {Summary: "Los paquetes", Reply: packList{}},
		"POST /v1/chat/completions":                           {Summary: "La misma respuesta en la forma de OpenAI", Body: chatRequest{}, Loose: true, Reply: chatResponse{}, Event: "", Fault: chatFault{}},
		"GET /v1/models":                                      {Summary: "Los paquetes como modelos", Reply: chatModels{}, Fault: chatFault{}},
		"GET /v1/models/{model}":                              {Summary: "Un paquete como modelo", Reply: chatModel{}, Fault: chatFault{}},
		"GET /v1/corpus/job":                                  {Summary: "Los textos oficiales que se están instalando o actualizando, o cómo acabó lo último; como eventos con «Accept: text/event-stream»; para quien lleva el servidor", Reply: Job{}, Event: ""},
		"POST /v1/corpus/job":                                 {Summary: "Instala los textos oficiales de un ámbito, o busca lo que ha cambiado; una cosa cada vez", Body: jobOrder{}, Reply: Job{}},
		"DELETE /v1/corpus/job":                               {Summary: "Para lo que se esté instalando o actualizando; la ley instalada queda como estaba", Reply: Job{}},
		"GET /v1/analytics":                                   {Summary: "Qué se ha preguntado y cómo acabó", Query: analyticsQuery{}, Reply: store.Analytics{}},
		"GET /v1/conversations":                               {Summary: "Las conversaciones, la última primero", Query: conversationsQuery{}, Reply: store.Page{}},
		"GET /v1/conversations/{id}":                          {Summary: "Una conversación", Reply: store.Conversation{}},
		"PATCH /v1/conversations/{id}":                        {Summary: "Cambia el título, archiva o comparte", Body: changeBody{}, Reply: store.Conversation{}},
		"DELETE /v1/conversations/{id}":                       {Summary: "Borra; se puede recuperar", Query: foreverQuery{}},
		"POST /v1/conversations/{id}/restore":                 {Summary: "Recupera lo borrado", Reply: store.Conversation{}},
		"GET /v1/conversations/{id}/messages":                 {Summary: "Los mensajes, el primero primero", Reply: messageList{}},
		"DELETE /v1/conversations/{id}/messages/{seq}":        {Summary: "Borra un mensaje"},
		"POST /v1/conversations/{id}/messages/{seq}/feedback": {Summary: "Valora una respuesta", Body: feedbackBody{}},
		"GET /v1/conversations/{id}/export":                   {Summary: "La conversación como fichero", Query: exportQuery{}, Reply: store.Export{}},
		"GET /v1/traces/{id}":                                 {Summary: "La traza de una respuesta", Reply: map[string]any{}},
		"/mcp":                                                {Summary: "Model Context Protocol (HTTP con flujo)", Body: json.RawMessage(nil), Reply: json.RawMessage(nil), Event: "", Fault: json.RawMessage(nil), OrProblem: true},
		"GET /healthz":                                        {Summary: "El proceso vive", Reply: healthBody{}},
		"GET /readyz":                                         {Summary: "Con qué se puede contestar", Reply: readyBody{}},
		"GET /metrics":                                        {Summary: "Medidas en el formato de texto de Prometheus", Reply: "", Media: "text/plain"},
		"GET /openapi.json":                                   {Summary: "Esta descripción (OpenAPI 3.1)", Reply: map[string]any{}},
	}
}
