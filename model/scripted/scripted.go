// Package scripted is a model that knows where the answers to some questions stand and
// plays the part of a strong one: it chooses the right place nine times of ten, and writes
// with the faults that strong models have. It measures what is built around models: what a
// better one would be worth, and that its faults reach nobody.
package scripted

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"digesto/model"
	"digesto/text/lazyregexp"
)

// Known is where the answer to a question stands.
type Known struct {
	Titles   []string // of the places that answer, as candidates are titled; none: nothing answers
	Contains []string // words of theirs that answer, any of them
}

// Strong implements [model.Generator]. Make it with [New].
type Strong struct {
	known map[string]Known
	right float64

	mu      sync.Mutex
	offered map[string]bool
	faults  map[string]int
}

// New makes a model that chooses rightly in a share of the questions, 0–1.
func New(right float64) *Strong {
	return &Strong{known: map[string]Known{}, right: right, offered: map[string]bool{}, faults: map[string]int{}}
}

// Learn tells it where the answer to a question stands.
func (s *Strong) Learn(question string, k Known) { s.known[key(question)] = k }

// Offered says whether one of the right places of a question was among the candidates that
// it was shown.
func (s *Strong) Offered(question string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.offered[key(question)]
}

// Faults counts the drafts that it wrote, by the fault put into them; "" = none.
func (s *Strong) Faults() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int{}
	for k, v := range s.faults {
		out[k] = v
	}
	return out
}

// keyRunes is how much of a question tells it from others: prompts cut it.
const keyRunes = 300

func key(question string) string {
	r := []rune(strings.Join(strings.Fields(question), " "))
	return strings.TrimRight(string(r[:min(len(r), keyRunes)]), " …")
}

// draw is a number 0–1 that stays the same for a question and a purpose.
func draw(question, purpose string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose + "\x00" + question))
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	return float64((x^x>>33)>>11) / (1 << 53)
}

// Generate answers the prompts of reading, judging and writing.
func (s *Strong) Generate(ctx context.Context, req model.Request, emit func(string) error) (model.Response, error) {
	if ctx.Err() != nil {
		return model.Response{}, model.Cancelled(ctx)
	}
	last := req.Messages[len(req.Messages)-1].Text
	var out any
	switch {
	case strings.HasPrefix(last, "PREGUNTA: "):
		out = s.judge(last, strings.Contains(string(req.Schema), "mejores"))
	case strings.Contains(string(req.Schema), `"terms"`):
		out = map[string]any{"terms": []string{}}
	default:
		all := ""
		for _, m := range req.Messages[:len(req.Messages)-1] {
			all += m.Text + "\n"
		}
		out = s.write(last, all)
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return model.Response{}, err
	}
	if emit != nil {
		if err := emit(string(raw)); err != nil {
			return model.Response{}, err
		}
	}
	return model.Response{Text: string(raw), Finish: model.FinishStop, Model: "guion", Usage: model.EstimateUsage(req, string(raw))}, nil
}

var offer = lazyregexp.New(`(?m)^([A-J])\) (.*)$`)

// judge chooses among the lines of a prompt.
func (s *Strong) judge(prompt string, several bool) any {
	head, rest, _ := strings.Cut(prompt, "\n\nREGLAS:\n")
	question := key(strings.TrimPrefix(head, "PREGUNTA: "))
	var right, wrong []string
	for _, m := range offer.FindAllStringSubmatch(rest, -1) {
		if slices.ContainsFunc(s.known[question].Titles, func(t string) bool { return titled(m[2], t) }) {
			right = append(right, m[1])
		} else {
			wrong = append(wrong, m[1])
		}
	}
	if len(right) > 0 {
		s.mu.Lock()
		s.offered[question] = true
		s.mu.Unlock()
	}
	// It errs in the same way each time that it is asked about the same.
	choice := right
	if d := draw(question, "judge"); d >= s.right {
		choice = nil
		if n := len(wrong); n > 0 && (len(right) == 0 || d < (1+s.right)/2) {
			k := int(draw(question, "which") * float64(n))
			choice = wrong[k : k+1]
		}
	}
	if several {
		return map[string]any{"mejores": append([]string{}, choice[:min(len(choice), 3)]...)}
	}
	if len(choice) == 0 {
		return map[string]any{"respuesta": "N"}
	}
	return map[string]any{"respuesta": choice[0]}
}

// titled says that a line begins with a title, whole or cut short.
func titled(line, title string) bool {
	title = strings.Join(strings.Fields(title), " ")
	if strings.HasPrefix(line, title+": ") {
		return true
	}
	head, _, cut := strings.Cut(line, "…: ")
	return cut && strings.HasPrefix(title, head)
}

var (
	source = lazyregexp.New(`(?s)(?:^|\n)(?:\[Fuente \d+ — [^\]]*\]|\[C\d+\]|Documento \d+)\n(.*?)(?:\n---\n|\n\[C\d+\]\n|\nDocumento \d+\n|$)`)
	named  = lazyregexp.New(`(?m)^(?:Documento|Ley): (.+)$`)
	said   = lazyregexp.New(`(?s)(?:Texto|Contenido): (.*?)(?:\nFuente: |$)`)
)

// faulty are the faults of drafts, each in some seven of a hundred.
var faulty = []string{"paraphrased quote", "wrong article", "invented paragraph", "over-long"}

const faultShare = .07

// write drafts an answer from the first source that holds words which answer, else from
// the first.
func (s *Strong) write(question, prompt string) any {
	k := s.known[key(question)]
	doc, text := "", ""
	for _, m := range source.FindAllStringSubmatch(prompt+"\n---\n", -1) {
		n, t := named.FindStringSubmatch(m[1]), said.FindStringSubmatch(m[1])
		if n == nil || t == nil {
			continue
		}
		holds := slices.ContainsFunc(k.Contains, func(w string) bool { return strings.Contains(t[1], w) })
		if text == "" || holds {
			doc, text = n[1], strings.TrimSpace(t[1])
		}
		if holds {
			break
		}
	}
	quote := quoteOf(text, k.Contains)
	answer := "En tu caso se aplica esto: " + strings.TrimRight(quote, ".;:,") + "."
	fault := ""
	if d := draw(question, "write"); d < faultShare*float64(len(faulty)) {
		fault = faulty[int(d/faultShare)]
	}
	switch fault {
	case "paraphrased quote":
		w := strings.Fields(quote)
		slices.Reverse(w[len(w)/2:])
		quote = strings.Join(w, " ")
	case "wrong article":
		answer = "Lo dice el artículo 987. " + answer
	case "invented paragraph":
		answer += "\n\nAdemás, puedes pedir una indemnización de 4.321 euros en un plazo de 77 días, según la Ley 99/2031."
	case "over-long":
		answer += strings.Repeat(" Conviene guardar todos los papeles y pedir consejo antes de firmar nada.", 40)
	}
	s.mu.Lock()
	s.faults[fault]++
	s.mu.Unlock()
	return map[string]any{"answer": answer, "citations": []any{map[string]any{"quote": quote, "source": doc, "page": nil}}, "confidence": .95, "refusal": false, "notes": nil}
}

// sentenceEnd ends a sentence: a point inside a figure does not.
var sentenceEnd = lazyregexp.New(`\.\s|\n`)

// quoteOf takes the sentence with some of the words, or the first one, as much of it as
// may be quoted.
func quoteOf(text string, words []string) string {
	at := 0
	for _, w := range words {
		if i := strings.Index(text, w); i >= 0 {
			at = i
			break
		}
	}
	from, to := 0, len(text)
	for _, m := range sentenceEnd.FindAllStringIndex(text, -1) {
		if m[1] <= at {
			from = m[1]
		} else {
			to = m[1]
			break
		}
	}
	r := []rune(strings.TrimSpace(text[from:to]))
	if len(r) < 20 {
		r = []rune(strings.TrimSpace(text))
	}
	if len(r) <= longest {
		return string(r)
	}
	whole := string(r[:longest])
	return strings.TrimSpace(whole[:strings.LastIndexByte(whole, ' ')])
}

// longest is how much is quoted, in runes.
const longest = 480
