package mcp

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"digesto"
	"digesto/conversation"
)

// AskArgs are the arguments of ask.
type AskArgs struct {
	Question  string `json:"question" jsonschema:"La pregunta completa, en español."`
	Pack      string `json:"pack,omitempty" jsonschema:"Ámbito en que se responde; sin él, se detecta por la pregunta."`
	AsOf      string `json:"as_of,omitempty" jsonschema:"Día de la ley que se aplica, AAAA-MM-DD; sin él, hoy."`
	Territory string `json:"territory,omitempty" jsonschema:"Territorio: comunidad, provincia o ciudad."`
	// Messages are those of the conversation before the question.
	Messages []Message `json:"messages,omitempty" jsonschema:"Los mensajes anteriores de la conversación, del más antiguo al más reciente, con cada respuesta («answer») tal como se dio: así se entiende «¿y las sanciones?»."`
}

// Message is one message of a conversation.
type Message struct {
	Role    string `json:"role" jsonschema:"user o assistant."`
	Content string `json:"content" jsonschema:"Lo que se dijo."`
}

// SearchArgs are the arguments of search.
type SearchArgs struct {
	Text       string   `json:"text" jsonschema:"Lo que se busca: palabras o una pregunta."`
	Pack       string   `json:"pack,omitempty" jsonschema:"Busca solo en ese ámbito."`
	Collection []string `json:"collection,omitempty" jsonschema:"Busca solo en esas colecciones."`
	AsOf       string   `json:"as_of,omitempty" jsonschema:"Busca en los textos de ese día, AAAA-MM-DD; sin él, en los vigentes."`
	K          int      `json:"k,omitempty" jsonschema:"Cuántos resultados, de 1 a 100; sin él, 10."`
}

// ArticleArgs are the arguments of article.
type ArticleArgs struct {
	Norm string `json:"norm" jsonschema:"Identificador, número o nombre usual de la norma."`
	Unit string `json:"unit" jsonschema:"Artículo o disposición: 38, 3 bis, a38, disposición transitoria 5…"`
	AsOf string `json:"as_of,omitempty" jsonschema:"El texto que regía ese día, AAAA-MM-DD; sin él, el vigente."`
}

// CoverageArgs are the arguments of coverage.
type CoverageArgs struct {
	Pack string `json:"pack,omitempty" jsonschema:"Solo ese ámbito; sin él, todos."`
}

// Article is the text of a unit in one version, with what a citation needs.
type Article struct {
	Norm      string        `json:"norm"`
	Title     string        `json:"title"` // of the norm
	Unit      string        `json:"unit"`
	Label     string        `json:"label"`
	Rubric    string        `json:"rubric,omitempty"`
	Path      []string      `json:"path,omitempty"`
	AsOf      digesto.Date  `json:"as_of"`
	Text      string        `json:"text"`
	Version   string        `json:"version"`
	ValidFrom *digesto.Date `json:"valid_from"` // null = unknown
	ValidTo   *digesto.Date `json:"valid_to"`   // null = none known
	Current   bool          `json:"current"`
	TextAsOf  digesto.Date  `json:"text_as_of,omitempty"` // last reform that the stored norm has in it
	Page      *int          `json:"page"`                 // first physical page, null where the source has none
	Notes     []string      `json:"notes,omitempty"`
	Versions  []string      `json:"versions"`
	SHA256    string        `json:"sha256"`
	Source    string        `json:"source"`
	URL       string        `json:"url,omitempty"`
	CheckURL  string        `json:"check_url,omitempty"`
	Official  bool          `json:"official"`
	Supplied  bool          `json:"supplied,omitempty"`
}

// ArticleOf fills an article from what a library holds.
func ArticleOf(n digesto.Norm, u digesto.Unit, v digesto.Version, at digesto.Date) Article {
	a := Article{Norm: n.ID, Title: cmp.Or(n.Name, n.Title), Unit: u.ID, Label: u.Label, Rubric: u.Rubric, Path: u.Path, AsOf: at,
		Text: v.Text, Version: v.ID, Current: v.Current, TextAsOf: n.TextAsOf, Notes: v.Notes, Versions: []string{},
		SHA256: v.SHA256, Source: n.Source, URL: n.URL, CheckURL: n.Page, Official: n.Official, Supplied: n.Supplied}
	if v.ValidFrom != "" {
		a.ValidFrom = &v.ValidFrom
	}
	if v.ValidTo != "" {
		a.ValidTo = &v.ValidTo
	}
	if len(v.Pages) > 0 {
		a.Page = &v.Pages[0].Page
	}
	for _, v := range u.Versions {
		a.Versions = append(a.Versions, v.ID)
	}
	return a
}

// addTools offers what the options have functions for.
func (s *Server) addTools() error {
	packs := map[string][]string{"pack": nil}
	for _, p := range s.opt.Packs {
		packs["pack"] = append(packs["pack"], p.Name)
	}
	err := Add(s, Tool{"ask", "Preguntar a la ley", "Responde una pregunta jurídica con citas literales, situadas y fechadas, o la rechaza y dice qué falta y dónde preguntar. " +
		"Da «answer», «citations», «confidence», «refusal» y «notes»; «meta» dice cómo se llegó a ello.", packs}, s.ask)
	if s.opt.Search != nil {
		err = errors.Join(err, Add(s, Tool{"search", "Buscar en los textos", "Busca en los textos instalados, sin redactar respuesta: las unidades más cercanas con su texto y su lugar. " +
			"Para citar, compruebe la versión con «article».", packs}, s.search))
	}
	if s.opt.Article != nil {
		err = errors.Join(err, Add(s, Tool{"article", "Leer un artículo", "El texto literal de un artículo o disposición en la versión vigente o en la de un día, con sus fechas, versiones y enlace.", nil}, s.article))
	}
	if s.opt.Coverage != nil {
		err = errors.Join(err, Add(s, Tool{"coverage", "Qué está instalado", "Qué normas, versiones y fechas hay instaladas por ámbito, y qué falta.", packs}, s.opt.Coverage))
	}
	return err
}

func (s *Server) ask(ctx context.Context, in AskArgs) (digesto.Answer, error) {
	q := digesto.Question{Text: strings.TrimSpace(in.Question), Pack: in.Pack, AsOf: digesto.Date(in.AsOf), Territory: in.Territory}
	if q.Text == "" {
		return digesto.Answer{}, invalid("la pregunta está vacía", "escríbala en «question»")
	}
	if err := checkDate(in.AsOf); err != nil {
		return digesto.Answer{}, err
	}
	if q.Pack == "" {
		q.Pack = s.opt.Pack
	}
	if len(in.Messages) > maxMessages {
		return digesto.Answer{}, invalid("hay demasiados mensajes anteriores", "envíe solo los últimos")
	}
	said := ""
	for _, m := range in.Messages {
		x := digesto.Message{Role: m.Role, Text: m.Content}
		if m.Role == "user" {
			said = m.Content
		} else if a, ok := s.given.Get(exchange(said, m.Content)); ok {
			conversation.Recall(&x, a)
		}
		q.History = append(q.History, x)
	}
	a, err := s.opt.Engine.Ask(ctx, q, func(digesto.Event) {})
	if err == nil && a.Meta != nil {
		s.given.Put(exchange(in.Question, a.Answer), a, answerBytes)
	}
	return a, err
}

// exchange names a question with its answer among those given.
func exchange(question, answer string) string {
	return strings.TrimSpace(question) + "\x00" + strings.TrimSpace(answer)
}

// Answers are remembered, about so many bytes each, for the conversations that go on from them.
const (
	answerBytes = 16 << 10
	givenBytes  = 256 * answerBytes
)

// maxMessages is how many earlier messages a question may come with.
const maxMessages = 50

func (s *Server) search(ctx context.Context, in SearchArgs) (any, error) {
	if strings.TrimSpace(in.Text) == "" {
		return nil, invalid("falta el texto que se busca", "escríbalo en «text»")
	}
	if in.K < 0 || in.K > 100 {
		return nil, invalid("«k» no vale", "use un número de 1 a 100")
	}
	if in.K == 0 {
		in.K = 10
	}
	if err := checkDate(in.AsOf); err != nil {
		return nil, err
	}
	return s.opt.Search(ctx, in)
}

func (s *Server) article(ctx context.Context, in ArticleArgs) (Article, error) {
	if err := checkDate(in.AsOf); err != nil {
		return Article{}, err
	}
	return s.opt.Article(ctx, in)
}

// checkDate refuses what is not a day written AAAA-MM-DD; "" passes.
func checkDate(d string) error {
	if t, err := time.Parse(time.DateOnly, d); d != "" && (err != nil || t.Format(time.DateOnly) != d) {
		r := []rune(d)
		return invalid("«as_of» no es una fecha válida: «"+string(r[:min(len(r), 20)])+"»", "escríbala como AAAA-MM-DD, por ejemplo 2026-03-01")
	}
	return nil
}
