package digesto

import "strings"

// Outcome is how a question ended. Refusals are outcomes, not errors.
type Outcome string

// The outcomes.
const (
	OutcomeAnswer        Outcome = "answer"
	OutcomeRefusal       Outcome = "refusal"
	OutcomeClarification Outcome = "clarification"
	OutcomeNonLegal      Outcome = "non_legal"
	OutcomeReformulate   Outcome = "reformulate_request"
	OutcomeOutOfScope    Outcome = "out_of_scope"
	OutcomeAdvice        Outcome = "advice"
)

// Question is what a person or program asks.
type Question struct {
	Text         string            `json:"question,omitempty"`
	Pack         string            `json:"pack,omitempty"`
	Conversation string            `json:"session_id,omitempty"` // of an earlier answer, or "new"
	AsOf         Date              `json:"as_of,omitempty"`      // empty = today, by the caller's clock
	Territory    string            `json:"territory,omitempty"`
	ChatType     string            `json:"chat_type,omitempty"`
	Filters      map[string]string `json:"filters,omitempty"`
	// History holds the messages of the conversation before this one, oldest
	// first: given by the caller, or filled in from the store.
	History []Message `json:"history,omitempty"`
	// Window is how many earlier messages count; 0 = as the pack says.
	Window int `json:"window,omitempty"`
	// Tone is how the answer is worded ("formal", "academico", "conciso"); it
	// changes no citation. Empty = as the pack words it.
	// "sencillo" leaves only short, plain sentences, each with the same verified citation.
	Tone  string `json:"tone,omitempty"`
	Flags Flags  `json:"flags,omitzero"`
	// Choice takes the reading of that number, from 1, that the message before offered; the
	// text may be empty then. 0 = none.
	Choice int    `json:"choice,omitempty" jsonschema:"De 0 a 100. Número de la lectura que se escoge de las que ofreció la respuesta anterior; 0, ninguna."`
	User   string `json:"-"` // who asks
	Key    string `json:"-"` // idempotency key of the request
}

// Flags switch parts of the retrieval and of the writer's prompt, on any pack. The zero
// value of each leaves it as the program's settings and the pack say.
type Flags struct {
	// Enabled false answers from the pack's fiches by direct look-up, without a search. Default true.
	Enabled *bool `json:"RAG_ENABLED,omitempty"`
	// Strategy orders what was found: "heuristic" (default), "model" (or "gemini"), "cross", "none".
	Strategy string `json:"RAG_RERANK_STRATEGY,omitempty"`
	// Grounded false gives the writer the classic prompt; its answer is verified all the same. Default true.
	Grounded *bool `json:"RAG_GROUNDED_PROMPTING,omitempty"`
	// MaxChunks is how many passages an answer may be written from; default as the pack says, else 4.
	MaxChunks int `json:"RAG_MAX_CHUNKS_IN_PROMPT,omitempty"`
}

// Over gives the flags with what they leave open taken from others.
func (f Flags) Over(base Flags) Flags {
	if f.Enabled == nil {
		f.Enabled = base.Enabled
	}
	if f.Strategy == "" {
		f.Strategy = base.Strategy
	}
	if f.Grounded == nil {
		f.Grounded = base.Grounded
	}
	if f.MaxChunks == 0 {
		f.MaxChunks = base.MaxChunks
	}
	return f
}

// Message is an earlier message of a conversation.
type Message struct {
	Role string `json:"role"` // "user" or "assistant"
	Text string `json:"text"`
	Type string `json:"message_type,omitempty"` // how an answer ended ("clarification", "refusal"…); empty for the user's
	// What an answer stood on: the pack, the question made self-contained, the
	// question that its row of follow-ups began with, the norms cited.
	Pack  string   `json:"pack,omitempty"`
	Query string   `json:"query,omitempty"`
	Topic string   `json:"topic,omitempty"`
	Norms []string `json:"norms,omitempty"`
	// Named is the pack that the client named with the question, NoPack = none; empty where
	// that is not known.
	Named string `json:"named,omitempty"`
	// Places are the units cited or offered (NORM/unit), in their order.
	Places []string `json:"places,omitempty"`
	// Readings are the questions that a clarification offered, in its order.
	Readings []string `json:"readings,omitempty"`
}

// NoPack stands in [Message.Named] for a question that was put to no pack.
const NoPack = "*"

// Answer is the wire form of every answer: the five fields of the contract and
// the envelope. See docs/contract.md for the rules that bind them.
type Answer struct {
	Answer     string     `json:"answer"`
	Citations  []Citation `json:"citations"`
	Confidence float64    `json:"confidence"`
	Refusal    bool       `json:"refusal"`
	Notes      *string    `json:"notes"`
	ParseError bool       `json:"_parse_error,omitempty"`
	Meta       *Meta      `json:"meta,omitempty"`
}

// Citation is one verbatim quotation and the place it was taken from.
type Citation struct {
	Quote  string `json:"quote"`
	Source string `json:"source"` // registered document name
	Page   *int   `json:"page"`   // physical page, null where the source has none
	Ref    *Ref   `json:"ref,omitempty"`
}

// Ref locates a quotation in the corpus: the stored text of a version of a
// unit, in code points.
type Ref struct {
	Document  string   `json:"document"` // norm id
	IDs       []string `json:"ids,omitempty"`
	Unit      string   `json:"unit"`
	Label     string   `json:"label"` // mark in the answer: "C1"
	Title     string   `json:"title"` // formal name of the place: "Artículo 38. Vacaciones anuales — Real Decreto Legislativo 2/2015…"
	Path      []string `json:"path,omitempty"`
	Version   string   `json:"version"`
	ValidFrom *Date    `json:"valid_from"` // null = unknown
	ValidTo   *Date    `json:"valid_to"`   // null = none known
	Start     int      `json:"start"`
	End       int      `json:"end"`
	SHA256    string   `json:"sha256"`              // of the version's text
	Place     string   `json:"place,omitempty"`     // for a source line: "Ley 20.744 de Contrato de Trabajo, art. 245"
	URL       string   `json:"url,omitempty"`       // of an official text: at the article where the publisher has anchors
	CheckURL  string   `json:"check_url,omitempty"` // of a supplied text: where the publisher has the norm, per the packs
	Official  bool     `json:"official"`            // the text came from the publisher; false for supplied texts, fiches, our own tables
	Supplied  bool     `json:"supplied,omitempty"`  // somebody added the text; nothing proves who published it
}

// Meta is the envelope of an answer: how it came about.
type Meta struct {
	Contract   string         `json:"contract"`
	Outcome    Outcome        `json:"outcome"`
	Pack       string         `json:"pack"`
	Classes    []string       `json:"classes"`
	SessionID  string         `json:"session_id,omitempty"`
	TraceID    string         `json:"trace_id"`
	PromptType *string        `json:"prompt_type"`
	AsOf       Date           `json:"as_of"`
	Territory  string         `json:"territory,omitempty"`
	Corpus     string         `json:"corpus"` // snapshot hash, "embedded" when no law is installed
	ModelCalls ModelCalls     `json:"model_calls"`
	Models     Models         `json:"models,omitempty"` // by role: what stood in for a model, or what the model did
	Mode       string         `json:"mode"`             // "extractive", "calculator", "model"
	Degraded   []string       `json:"degraded"`
	ChunksUsed []string       `json:"chunks_used"`
	ElapsedMS  int64          `json:"elapsed_ms"`
	Steps      []Step         `json:"steps"`              // of a calculation
	Options    []string       `json:"options,omitempty"`  // of a clarification
	Readings   []Reading      `json:"readings,omitempty"` // of a clarification between places of the law, the likeliest first
	Missing    []string       `json:"missing,omitempty"`  // what would have to be installed
	AINotice   string         `json:"ai_notice"`
	Evidence   map[string]any `json:"evidence,omitempty"` // inputs of the evidence gate
	Queries    []string       `json:"queries,omitempty"`  // searches made, when not the question alone
	Grounds    []string       `json:"grounds,omitempty"`  // units the answer could be written from, in the order of the context
	Trace      []TraceStep    `json:"trace,omitempty"`    // what each stage did and how
	// Understood is what the question was taken as; Move what it did to its conversation
	// ("condition", "aspect", "correction", "pushback", "return", "talk"…; "" = it began one).
	Understood []Understood `json:"understood,omitempty"`
	Move       string       `json:"move,omitempty"`
	// Question is it made self-contained, where that is not as it was said; About the
	// question that the subject began with which it goes on with.
	Question string `json:"question,omitempty"`
	About    string `json:"about,omitempty"`
	// Next are questions of the same conversation that may be asked next.
	Next []string `json:"next,omitempty"`
}

// Understood is one thing that a question was taken as.
type Understood struct {
	Kind string `json:"kind"` // "who", "where", "when", "subject", "norm", "amount"
	Text string `json:"text"`
	From string `json:"from"` // "question", "conversation", "default"
}

// Told says in a line what a question was taken as ("vacaciones · ámbito"); "" = nothing is known.
func (m *Meta) Told() string {
	if m == nil {
		return ""
	}
	var out []string
	for _, u := range m.Understood {
		out = append(out, strings.Trim(u.Text, "¿?"))
	}
	return strings.Join(out, " · ")
}

// Reading is one way to understand a question, with its short answer and its proof.
type Reading struct {
	Text       string     `json:"text"`       // "Si pregunta: ¿…?": see [Reading.Question]
	Answer     string     `json:"answer"`     // in plain words
	Confidence float64    `json:"confidence"` // probability that it is what is asked and answers it, 0–1
	Citations  []Citation `json:"citations"`
}

// readingLead begins the text of every reading.
const readingLead = "Si pregunta: "

// NewReading is the reading of a question as another, plainer one.
func NewReading(question, answer string) Reading {
	return Reading{Text: readingLead + question, Answer: answer}
}

// Question is the question that a reading takes the asked one for.
func (r Reading) Question() string { return strings.TrimPrefix(r.Text, readingLead) }

// TraceStep says how one stage was done: by which means, and what came of it.
type TraceStep struct {
	Stage string `json:"stage"` // "decompose", "rerank", "expand", "evaluate", "write"
	How   string `json:"how"`   // "rules", "model", "heuristic", "skipped"
	Note  string `json:"note,omitempty"`
}

// ModelCalls counts the calls of each model role for one question.
type ModelCalls struct {
	Reader   int `json:"reader"`
	Writer   int `json:"writer"`
	Embedder int `json:"embedder"`
	Reranker int `json:"reranker"`
}

// Models says of each role ("reader", "writer", "embedder", "reranker") how its
// work was done.
type Models map[string]ModelUse

// ModelUse is how the work of one role was done for one question.
type ModelUse struct {
	Path       string  `json:"path"`                        // "model", or the deterministic path taken: "rules", "extractive", "words", "built-in", "features", "calculator", "none"
	Why        string  `json:"why,omitempty"`               // why no model did it: "absent", "not_needed", or the kind of fault
	Model      string  `json:"model,omitempty"`             // as the server names it
	Prompt     string  `json:"prompt,omitempty"`            // name and hash of the prompt's template
	Calls      int     `json:"calls,omitempty"`             // that left the process
	Cached     int     `json:"cached,omitempty"`            // answered from the cache
	In         int     `json:"prompt_tokens,omitempty"`     // tokens sent
	Out        int     `json:"completion_tokens,omitempty"` // tokens written
	Estimated  bool    `json:"estimated,omitempty"`         // some server did not count: bytes / 4
	Cost       float64 `json:"cost,omitempty"`              // in the currency of the configured prices
	ElapsedMS  int64   `json:"elapsed_ms,omitempty"`
	Proved     int     `json:"sentences_proved,omitempty"`  // of a writer: sentences that are shown
	Dropped    int     `json:"sentences_dropped,omitempty"` // … and that are not
	LastFault  string  `json:"fault,omitempty"`             // kind of the last failed call
	Deployment string  `json:"deployment,omitempty"`
}

// Step is one line of a calculation, with the source of each input.
type Step struct {
	Text   string `json:"text"`
	Result string `json:"result,omitempty"` // decimal string
	Unit   string `json:"unit,omitempty"`
	Source string `json:"source,omitempty"`
}

// Event is what a caller sees while a question is answered. Delta events carry
// only sentences already verified; the answer event is the truth.
type Event struct {
	Kind   string  `json:"kind"` // "session", "stage", "delta", "answer", "error", "done"
	Stage  string  `json:"stage,omitempty"`
	Text   string  `json:"text,omitempty"`
	Answer *Answer `json:"answer,omitempty"`
	ID     string  `json:"session_id,omitempty"`
}
