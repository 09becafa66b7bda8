package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"digesto/model"

	api "github.com/sashabaranov/go-openai"
)

// TestEventsAgreeWithTheLibrary reads events of every shape that servers send and
// compares with the library's own types.
func TestEventsAgreeWithTheLibrary(t *testing.T) {
	for _, raw := range []string{
		`{"choices":[{"index":0,"delta":{"role":"assistant","content":"Hola"},"finish_reason":null}],"model":"m"}`,
		`{"model":"m","choices":[{"delta":{"content":"\"a\\\n\u00f1\ud83d\ude00"}}]}`,
		`{"choices":[{"index":1,"delta":{"content":"otra"}},{"index":0,"delta":{"content":"esta"}}]}`,
		`{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7,"prompt_tokens_details":{"cached_tokens":1}}}`,
		`{"choices":[{"index":0,"delta":{},"finish_reason":"length"}],"usage":null}`,
		`{"choices":[{"index":0,"delta":{"content":null,"refusal":"no puedo"}}]}`,
		`{"choices":null,"id":null}`,
		`{"id":"x","object":"chat.completion.chunk","created":1,"x_extra":{"a":[1,2,{"b":3}]},"choices":[{"index":0,"logprobs":{"content":[{"token":"a"}]},"delta":{"tool_calls":[],"content":"b"}}]}`,
	} {
		e := newEvents(strings.NewReader(""))
		if err := e.event([]byte(raw)); err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		var r api.ChatCompletionStreamResponse
		if err := json.Unmarshal([]byte(raw), &r); err != nil {
			t.Fatal(err)
		}
		want, finish := "", model.Finish("")
		for _, c := range r.Choices {
			if c.Index != 0 {
				continue
			}
			want += c.Delta.Content
			if c.Delta.Refusal != "" {
				finish = model.FinishFilter
			} else if c.FinishReason != "" {
				finish = finishOf(c.FinishReason)
			}
		}
		usage := model.Usage{}
		if r.Usage != nil {
			usage = usageOf(r.Usage)
		}
		if string(e.piece) != want || e.out.Finish != finish || e.out.Usage != usage || e.out.Model != r.Model {
			t.Errorf("%s: %q %+v, want %q %s %+v %s", raw, e.piece, e.out, want, finish, usage, r.Model)
		}
	}
}

// endless is a stream of n pieces that is made as it is read.
type endless struct {
	n    int
	rest []byte
	line []byte
}

func (s *endless) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		if s.n == 0 {
			return 0, io.EOF
		}
		s.n--
		s.rest = s.line
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

var pieceLine = []byte(`data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"palabra "},"finish_reason":null}]}` + "\n\n")

// TestAPieceCostsNothing counts what is allocated for a stream of a hundred and of
// ten thousand pieces: the difference is the growth of the text alone.
func TestAPieceCostsNothing(t *testing.T) {
	count := func(n int) float64 {
		return testing.AllocsPerRun(5, func() {
			e := newEvents(&endless{n: n, line: pieceLine})
			if err := e.read(func(string) error { return nil }); err != nil || e.text.Len() != 8*n {
				t.Fatal(err)
			}
		})
	}
	few, many := count(100), count(10000)
	t.Logf("%.0f allocations for 100 pieces, %.0f for 10,000", few, many)
	if many-few > 30 {
		t.Errorf("%.0f allocations more for 9,900 pieces more", many-few)
	}
}

// BenchmarkEvents reads streams of growing length: the allocations stay the same
// but for those of the text itself, which doubles its room as it grows.
func BenchmarkEvents(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("pieces=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := newEvents(&endless{n: n, line: pieceLine}).read(func(string) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/piece")
		})
	}
}

// FuzzEvents reads any bytes as a stream.
func FuzzEvents(f *testing.F) {
	f.Add(string(pieceLine) + "data: [DONE]\n")
	f.Add(`{"error":{"message":"x"}}`)
	f.Add("data: {\"error\":{\"message\":\"x\",\"code\":3}}\n\n")
	f.Fuzz(func(t *testing.T, in string) {
		if len(in) > 1<<16 {
			t.Skip()
		}
		e := newEvents(strings.NewReader(in))
		got := ""
		err := e.read(func(s string) error { got += s; return nil })
		if err == nil && got != e.text.String() {
			t.Fatalf("pieces %q, text %q", got, e.text.String())
		}
	})
}
