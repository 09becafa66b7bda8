package rerank

import (
	"context"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/modeltest"

	"github.com/google/go-cmp/cmp"
)

func client(t *testing.T, change func(*Options), scripts ...modeltest.Script) (*Client, *modeltest.Server) {
	t.Helper()
	s := modeltest.NewServer(t, scripts...)
	opt := Options{URL: s.URL + "/rerank", Key: modeltest.Key, Model: "cruzado", Timeout: 500 * time.Millisecond}
	if change != nil {
		change(&opt)
	}
	c, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, s
}

func says(body string) modeltest.Script { return modeltest.Script{Pieces: []string{body}} }

func TestBothForms(t *testing.T) {
	docs := []string{"a", "b", "c"}
	want := []model.Ranked{{Index: 2, Score: 0.9}, {Index: 0, Score: 0.5}}
	for name, body := range map[string]string{
		"cohere": `{"id":"x","results":[{"index":2,"relevance_score":0.9},{"index":0,"relevance_score":0.5}]}`,
		"vllm":   `{"model":"m","results":[{"index":0,"relevance_score":0.5,"document":{"text":"a"}},{"index":2,"relevance_score":0.9}]}`,
		"voyage": `{"data":[{"index":0,"relevance_score":0.5},{"index":2,"relevance_score":0.9}]}`,
		"tei":    `[{"index":1,"score":-3},{"index":2,"score":0.9},{"index":0,"score":0.5}]`,
	} {
		c, s := client(t, nil, says(body))
		got, err := c.Rerank(t.Context(), "q", docs, 2)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
		call := s.Calls()[0]
		if call.Body["query"] != "q" || call.Body["top_n"] != 2.0 || len(call.Body["documents"].([]any)) != 3 || call.Auth != "Bearer "+modeltest.Key {
			t.Errorf("%s: sent %+v", name, call)
		}
	}
	c, s := client(t, nil, says("[]"))
	if got, err := c.Rerank(t.Context(), "q", nil, 5); got != nil || err != nil || len(s.Calls()) != 0 {
		t.Errorf("no documents: %v, %v", got, err)
	}
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		script modeltest.Script
		kind   model.Kind
	}{
		"repeated index": {says(`[{"index":1,"score":1},{"index":1,"score":2}]`), model.KindGarbled},
		"beyond":         {says(`[{"index":3,"score":1}]`), model.KindGarbled},
		"no index":       {says(`[{"score":1}]`), model.KindGarbled},
		"no score":       {says(`[{"index":1}]`), model.KindGarbled},
		"nothing":        {says(`{"results":[]}`), model.KindEmpty},
		"broken":         {says(`{"results":[{"ind`), model.KindGarbled},
		"a page":         {modeltest.Script{Fault: modeltest.FaultHTML}, model.KindGarbled},
		"slow":           {modeltest.Script{Fault: modeltest.FaultSlow}, model.KindTimeout},
		"refused":        {modeltest.Script{Fault: modeltest.FaultRefused}, model.KindNetwork},
		"moved":          {modeltest.Script{Fault: modeltest.FaultMoved}, model.KindUnknown},
		"401":            {modeltest.Script{Fault: modeltest.FaultStatus, Status: 401}, model.KindKey},
		"429":            {modeltest.Script{Fault: modeltest.FaultStatus, Status: 429, Header: map[string]string{"Retry-After": "3"}}, model.KindLimited},
		"500":            {modeltest.Script{Fault: modeltest.FaultStatus, Status: 500}, model.KindServer},
	} {
		cl, _ := client(t, nil, c.script)
		_, err := cl.Rerank(t.Context(), "q", []string{"a", "b", "c"}, 0)
		f := model.FaultOf(err)
		if f == nil || f.Kind != c.kind || strings.Contains(err.Error(), modeltest.Key) {
			t.Errorf("%s: %v", name, err)
		}
		if name == "429" && f.RetryAfter != 3*time.Second {
			t.Errorf("Retry-After is %v", f.RetryAfter)
		}
	}
	cl, _ := client(t, func(o *Options) { o.Timeout = time.Minute }, modeltest.Script{Fault: modeltest.FaultSlow})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := cl.Rerank(ctx, "q", []string{"a"}, 0); digesto.CodeOf(err) != digesto.CodeCancelled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{}, {URL: "ftp://x/y"}, {URL: "http://u:p@x/rerank"}, {URL: "http://x/rerank", Key: "a\nb"}} {
		if _, err := New(o); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%+v: %v", o, err)
		}
	}
	cl, _ := client(t, func(o *Options) { o.URL = "http://192.0.2.1/rerank"; o.LocalOnly = true }, says("[]"))
	if _, err := cl.Rerank(t.Context(), "q", []string{"a"}, 0); model.FaultOf(err) == nil || model.FaultOf(err).Kind != model.KindForbidden {
		t.Errorf("elsewhere: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`[{"index":1,"score":1}]`), 3)
	f.Add([]byte(`{"results":[{"index":0,"relevance_score":0.5}]}`), 3)
	f.Fuzz(func(t *testing.T, data []byte, docs int) {
		docs = max(0, docs%100)
		out, err := decode(data, docs, docs)
		if err == nil && (len(out) == 0 && docs > 0 || len(out) > docs) {
			t.Fatalf("%d results of %d documents", len(out), docs)
		}
	})
}
