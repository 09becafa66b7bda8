package server

import (
	"cmp"
	"encoding/json"

	"digesto"
	"digesto/corpus"
	"digesto/server/openai"
	"digesto/server/openapi"
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
		Form corpus.Form `json:"form,omitempty" jsonschema:"es, ar, pe o apa; sin él, todas."`
	}
	conversationsQuery struct {
		Q      string      `json:"q,omitempty" jsonschema:"Palabras del título o de los mensajes."`
		State  store.State `json:"state,omitempty" jsonschema:"archived, deleted o nada."`
		Limit  int         `json:"limit,omitempty" jsonschema:"De 1 a 100."`
		Cursor string      `json:"cursor,omitempty" jsonschema:"El «next_cursor» de la página anterior."`
	}
	foreverQuery struct {
		Forever bool `json:"forever,omitempty" jsonschema:"true borra sin vuelta atrás."`
	}
	exportQuery struct {
		Format openapi.ExportFormat `json:"format,omitempty" jsonschema:"md para Markdown, html para una página; json, o sin él, JSON."`
	}
	analyticsQuery struct {
		Days int  `json:"days,omitempty" jsonschema:"De 1 a 3660; sin él, 30."`
		All  bool `json:"all,omitempty" jsonschema:"true: lo de todos; solo para quien lleva el servidor."`
	}
)

// examples are bodies of requests, with a question of the packs at hand.
func (s *Server) examples() map[string]any {
	question, packName := "¿Qué plazo tengo para reclamar?", ""
	if len(s.opt.Packs) > 0 {
		question, packName = cmp.Or(s.opt.Packs[0].FirstQuestion, question), s.opt.Packs[0].Name
	}
	with := func(m map[string]any) map[string]any {
		if packName != "" {
			m["pack"] = packName
		}
		return m
	}
	return map[string]any{
		"POST /v1/ask": with(map[string]any{"question": question}), "POST /v1/search": with(map[string]any{"text": question, "k": 5}),
		"POST /v1/verify":              map[string]any{"text": "Según el artículo 1 de la ley: «…»."},
		"POST /v1/chat/completions":    map[string]any{"model": openai.Model, "messages": []map[string]string{{"role": "user", "content": question}}},
		"POST /v1/responses":           map[string]any{"model": openai.Model, "input": question},
		"PATCH /v1/conversations/{id}": map[string]any{"title": "Mi asunto"}, "POST /v1/conversations/{id}/messages/{seq}/feedback": map[string]any{"rating": 1, "comment": "Lo comprobé"},
		"POST /v1/corpus/job": map[string]any{"do": "update"},
		"GET /v1/norms":       with(map[string]any{"limit": 20}), "GET /v1/norms/{norm}/{unit}": map[string]any{"as_of": "2025-01-01"},
		"GET /v1/norms/{norm}/{unit}/diff": map[string]any{"from": "2020-01-01", "to": "2025-01-01"}, "GET /v1/norms/{norm}/{unit}/citation": map[string]any{"form": "apa"},
		"GET /v1/conversations": map[string]any{"limit": 20}, "GET /v1/conversations/{id}/export": map[string]any{"format": "md"}, "GET /v1/analytics": map[string]any{"days": 30},
	}
}

// given are examples of what stands in paths: a norm of the packs at hand and an article.
func (s *Server) given() map[string]any {
	out := map[string]any{"unit": "a1", "model": openai.Model, "seq": 2}
	for _, p := range s.opt.Packs {
		if len(p.Principal) > 0 {
			out["norm"] = p.Principal[0]
			break
		}
	}
	return out
}

// apiDocs describes every route of the API that this package answers, by its
// pattern; the wiring's routes bring their own.
func apiDocs() map[string]*openapi.Doc {
	return map[string]*openapi.Doc{
		"POST /v1/ask":                                        {Summary: "Una pregunta, una respuesta comprobada; como eventos con «Accept: text/event-stream»", About: "Responde con las palabras de la ley, cada una en «citations» con su artículo, su versión y su sitio. Si ningún texto lo sostiene, «refusal» es true y «meta.missing» dice qué falta; si puede ser de varias cosas, «meta.options» o «meta.readings» las ofrecen. Con «session_id» la conversación sigue; con «Idempotency-Key» se repite sin preguntar dos veces.", Either: []string{"question", "choice"}, Body: digesto.Question{}, Reply: digesto.Answer{}, Event: openapi.EventForm{}},
		"POST /v1/search":                                     {Summary: "Solo la búsqueda", About: "Los artículos que mejor responden, en orden, sin redactar nada.", Body: searchBody{}, Reply: searchResult{}},
		"GET /v1/norms":                                       {Summary: "Las normas instaladas", Query: normsQuery{}, Reply: normList{}},
		"GET /v1/norms/{norm}":                                {Summary: "Una norma y su índice", Reply: normBody{}},
		"GET /v1/norms/{norm}/{unit}":                         {Summary: "El texto de un artículo en un día", About: "Sin «as_of», el vigente. «valid_from» y «valid_to» dicen desde y hasta cuándo rige, cuando la fuente lo dice.", Query: asOfQuery{}, Reply: unitBody{}},
		"GET /v1/norms/{norm}/{unit}/versions":                {Summary: "Las redacciones de un artículo", Reply: versionsBody{}},
		"GET /v1/norms/{norm}/{unit}/diff":                    {Summary: "Qué cambió entre dos días", About: "Palabra por palabra, entre las redacciones que regían esos dos días.", Query: diffQuery{}, Reply: diffBody{}},
		"GET /v1/norms/{norm}/relations":                      {Summary: "Qué normas la cambiaron y cuáles cambió o derogó", Reply: amendmentsBody{}},
		"GET /v1/norms/{norm}/{unit}/relations":               {Summary: "Quién lo cita, qué cita, qué lo modificó", Reply: relationsBody{}},
		"GET /v1/norms/{norm}/{unit}/citation":                {Summary: "La cita formal", Query: formQuery{}, Reply: formsBody{}},
		"GET /v1/contract":                                    {Summary: "El JSON Schema de la respuesta", Reply: map[string]any{}, Media: "application/schema+json"},
		"GET /v1/packs":                                       {Summary: "Los paquetes", Reply: packList{}},
		"POST /v1/chat/completions":                           {Summary: "La misma respuesta en la forma de OpenAI", About: "Los mensajes anteriores son la conversación. El campo «digesto» lleva la respuesta entera de «/v1/ask»; «annotations», una cita por marca. «temperature», «tools» y otros parecidos se aceptan y no cambian nada.", Body: openai.ChatRequest{}, Loose: true, Reply: openai.ChatResponse{}, Event: openapi.EventForm{}, Fault: openai.ChatFault{}},
		"POST /v1/responses":                                  {Summary: "La misma respuesta en la forma «responses» de OpenAI; solo texto, sin flujo", About: "Los que piden «stream» reciben un 400.", Body: openai.ResponsesRequest{}, Loose: true, Reply: openai.ResponsesReply{}, Fault: openai.ChatFault{}},
		"GET /v1/models":                                      {Summary: "Los paquetes como modelos", Reply: openai.ChatModels{}, Fault: openai.ChatFault{}},
		"GET /v1/models/{model}":                              {Summary: "Un paquete como modelo", Reply: openai.ChatModel{}, Fault: openai.ChatFault{}},
		"GET /v1/corpus/job":                                  {Summary: "Los textos oficiales que se están instalando o actualizando, o cómo acabó lo último; como eventos con «Accept: text/event-stream»; para quien lleva el servidor", Reply: Job{}, Event: openapi.EventForm{}},
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
		"POST /v1/conversations/{id}/messages/{seq}/feedback": {Summary: "Valora una respuesta", About: "1, sirve; -1, algo está mal. Cuenta en la analítica, y las que fallan esperan a quien las revise.", Body: feedbackBody{}},
		"GET /v1/conversations/{id}/export":                   {Summary: "La conversación como fichero", Query: exportQuery{}, Reply: store.Export{}, Also: []string{"text/markdown", "text/html"}},
		"GET /v1/traces/{id}":                                 {Summary: "La traza de una respuesta", Reply: map[string]any{}},
		"/mcp":                                                {Summary: "Model Context Protocol (HTTP con flujo)", About: "Herramientas, artículos como recursos («digesto://ley/NORMA/ARTÍCULO») y plantillas de preguntas; cada sesión es una conversación.", Body: json.RawMessage(nil), Reply: json.RawMessage(nil), Fault: json.RawMessage(nil), OrProblem: true},
		"GET /healthz":                                        {Summary: "El proceso vive", Reply: healthBody{}},
		"GET /readyz":                                         {Summary: "Con qué se puede contestar", Reply: readyBody{}},
		"GET /metrics":                                        {Summary: "Medidas en el formato de texto de Prometheus", Reply: "", Media: "text/plain"},
		"GET /openapi.json":                                   {Summary: "Esta descripción (OpenAPI 3.1)", Reply: map[string]any{}},
	}
}
