package eval

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"digesto"
	"digesto/text"
	"digesto/verify"
)

// ExamUnit is a unit found for a question of an exam.
type ExamUnit struct {
	ID       string
	Headings string // of the norm, above it and its own
	Body     string
	Score    float64 // of the search, the best of its list = 1
	Exact    bool    // the question names it
}

// ExamOptions says how an exam is sat. Find is required.
type ExamOptions struct {
	// Find searches; asked is the stem, option the wording of one option or "".
	Find func(ctx context.Context, asked, option string, k int) ([]ExamUnit, error)
	// Weight is how much a stem tells (its idf); nil weighs all alike.
	Weight func(stem string) float64
	Masked bool      // the stem without the numbers of articles, where the file has it
	Out    io.Writer // receives one ExamLine a question; nil = nothing
}

// ExamQuestion is a line of the questions' file. Options may be any number from
// two; Correct counts from 0.
type ExamQuestion struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Masked   string   `json:"question_masked"`
	Options  []string `json:"options"`
	Correct  int      `json:"correct"`
	Verified bool     `json:"verified"`
	Negated  bool     `json:"negated"`
	Law      string   `json:"law"`
	Article  string   `json:"article"`
}

// ExamLine is what was chosen for one question and on which words.
type ExamLine struct {
	ID       string          `json:"_id"`
	Chosen   int             `json:"chosen"` // −1 = abstains
	Correct  int             `json:"correct"`
	Right    bool            `json:"right"`
	Share    float64         `json:"confidence"` // of the chosen option, 0–1
	Inverted bool            `json:"inverted"`   // the one that the law does not say was asked for
	Unit     string          `json:"unit"`       // where the words that decide stand
	Quote    string          `json:"quote"`
	Options  []OptionSupport `json:"options"`
}

// OptionSupport is the evidence for one option.
type OptionSupport struct {
	Score float64        `json:"score"`
	Unit  string         `json:"unit"`
	Prior float64        `json:"prior"` // of the unit for the question, 0–1
	Part  verify.Support `json:"support"`
	quote string
}

// ExamReport is the result of an exam.
type ExamReport struct {
	Metrics   ExamMetrics            `json:"metrics"`
	Questions int                    `json:"questions"`
	Groups    map[string]ExamMetrics `json:"groups,omitempty"`
}

// ExamMetrics are shares of the questions; Score is the official one: a wrong
// answer takes away a third of a right one (in general, 1/(options−1)).
type ExamMetrics struct {
	Accuracy  float64 `json:"accuracy"` // right of all
	Answered  float64 `json:"answered"`
	Precision float64 `json:"precision"` // right of the answered
	Score     float64 `json:"score"`
	N         int     `json:"n"`
}

// ReadExam reads a questions' file.
func ReadExam(path string) ([]ExamQuestion, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "No se puede leer " + path, Hint: "Se espera JSON Lines con id, question, options y correct.", Err: err}
	}
	var out []ExamQuestion
	err = eachLine(path, bytes.TrimSpace(data), func(line []byte) error {
		var q ExamQuestion
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if q.Question == "" || len(q.Options) < 2 || q.Correct < 0 || q.Correct >= len(q.Options) {
			return fmt.Errorf("faltan question, options o correct")
		}
		q.ID = cmp.Or(q.ID, fmt.Sprint(len(out)+1))
		out = append(out, q)
		return nil
	})
	if err == nil && len(out) == 0 {
		err = &digesto.Error{Code: digesto.CodeInvalid, Message: path + " no tiene preguntas", Hint: "Se espera JSON Lines con id, question, options y correct."}
	}
	return out, err
}

// Exam chooses for each question the option that the law found supports, by
// words alone, and measures. Verified questions without a negation are a group
// of their own ("plain"), the others another ("negated").
func Exam(ctx context.Context, questions []ExamQuestion, opt ExamOptions) (ExamReport, error) {
	s := &sitting{opt: opt, an: &text.Analyser{}, passages: map[string]*verify.Passage{}}
	var enc *json.Encoder
	if opt.Out != nil {
		enc = json.NewEncoder(opt.Out)
		enc.SetEscapeHTML(false)
	}
	tally := map[string]*examTally{"": {}, "plain": {}, "negated": {}}
	for _, q := range questions {
		line, err := s.answer(ctx, q)
		if err != nil {
			return ExamReport{}, err
		}
		tally[""].add(line, len(q.Options))
		switch {
		case q.Negated:
			tally["negated"].add(line, len(q.Options))
		case q.Verified:
			tally["plain"].add(line, len(q.Options))
		}
		if enc != nil {
			if err := enc.Encode(line); err != nil {
				return ExamReport{}, err
			}
		}
	}
	rep := ExamReport{Metrics: tally[""].metrics(), Questions: len(questions), Groups: map[string]ExamMetrics{}}
	for name, t := range tally {
		if name != "" && t.n > 0 {
			rep.Groups[name] = t.metrics()
		}
	}
	return rep, nil
}

type examTally struct {
	n, right, answered int
	score              float64
}

func (t *examTally) add(l ExamLine, options int) {
	t.n++
	switch {
	case l.Right:
		t.right++
		t.answered++
		t.score++
	case l.Chosen >= 0:
		t.answered++
		t.score -= 1 / float64(options-1)
	}
}

func (t *examTally) metrics() ExamMetrics {
	n := float64(max(1, t.n))
	return ExamMetrics{
		Accuracy: round4(float64(t.right) / n), Answered: round4(float64(t.answered) / n), Precision: round4(float64(t.right) / float64(max(1, t.answered))),
		Score: round4(t.score / n), N: t.n,
	}
}

func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// sitting is one run of an exam: units are read once.
type sitting struct {
	opt      ExamOptions
	an       *text.Analyser
	passages map[string]*verify.Passage
}

// Counts of units looked at: for the stem, and for the stem with each option.
const (
	examUnits       = 10
	examOptionUnits = 4
)

func (s *sitting) answer(ctx context.Context, q ExamQuestion) (ExamLine, error) {
	asked := q.Question
	if s.opt.Masked && q.Masked != "" {
		asked = q.Masked
	}
	units, err := s.units(ctx, asked, q.Options)
	if err != nil {
		return ExamLine{}, err
	}
	line := ExamLine{ID: q.ID, Chosen: -1, Correct: q.Correct}
	weight := s.weights(q.Options)
	for _, o := range q.Options {
		line.Options = append(line.Options, s.best(verify.NewClaim(s.an, matter(asked), o, weight), units))
	}
	line.choose(asked, q.Options)
	line.Right = line.Chosen == q.Correct
	return line, nil
}

// units gathers what is found for the stem and for the stem with each option.
func (s *sitting) units(ctx context.Context, asked string, options []string) ([]ExamUnit, error) {
	list, err := s.opt.Find(ctx, asked, "", examUnits)
	if err != nil {
		return nil, err
	}
	for _, o := range options {
		more, err := s.opt.Find(ctx, asked, o, examOptionUnits)
		if err != nil {
			return nil, err
		}
		for _, u := range more {
			k := slices.IndexFunc(list, func(x ExamUnit) bool { return x.ID == u.ID })
			if k < 0 {
				u.Score *= optionShare
				list = append(list, u)
			}
		}
	}
	return list, nil
}

// optionShare is what a unit counts that only the words of an option found.
const optionShare = .5

// weights gives a stem the more weight the fewer options hold it: what all of
// them say decides nothing.
func (s *sitting) weights(options []string) func(string) float64 {
	in := map[string]int{}
	for _, o := range options {
		seen := map[string]bool{}
		for _, t := range s.an.Terms(o) {
			if t.Stem != "" && !seen[t.Stem] {
				seen[t.Stem] = true
				in[t.Stem]++
			}
		}
	}
	n := len(options)
	return func(stem string) float64 {
		w := 1.0
		if s.opt.Weight != nil {
			w = s.opt.Weight(stem)
		}
		if k := in[stem]; k == n && n > 1 {
			w *= .25
		} else if k > 1 {
			w *= 1 - .5*float64(k-1)/float64(n-1)
		}
		return w
	}
}

func (s *sitting) passage(u ExamUnit) *verify.Passage {
	p := s.passages[u.ID]
	if p == nil {
		p = verify.NewPassage(s.an, u.Headings, u.Body)
		s.passages[u.ID] = p
	}
	return p
}

// best finds the unit that supports a claim best.
func (s *sitting) best(c *verify.Claim, units []ExamUnit) OptionSupport {
	out := OptionSupport{Score: math.Inf(-1)}
	for _, u := range units {
		part, ok := s.passage(u).Check(c)
		if !ok {
			continue
		}
		prior := u.Score
		if u.Exact {
			prior = 1.3
		}
		if v := optionScore(part, prior); v > out.Score {
			out = OptionSupport{Score: v, Unit: u.ID, Prior: prior, Part: part, quote: slice(u.Body, part.Start, part.End)}
		}
	}
	if math.IsInf(out.Score, -1) {
		out.Score = 0
	}
	return out
}

func slice(s string, from, to int) string {
	q, _ := verify.Slice(s, from, to)
	return q
}

// optionScore weighs the support of a claim in a unit and the unit's own place.
func optionScore(s verify.Support, prior float64) float64 { return s.Score + .8*prior }
