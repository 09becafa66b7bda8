package qdrantfake_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"digesto/internal/qdrantfake"
	"digesto/internal/shareddata"
)

// exchange is one of the recordings.
type exchange struct {
	Name, Method, Path string
	Request            struct {
		Headers map[string]*string
		Body    json.RawMessage
		Text    *string `json:"body_text"`
		Base64  *string `json:"body_base64"`
		Elided  any     `json:"body_elided"`
	}
	Response struct {
		Status int
		Body   json.RawMessage
		Text   string `json:"body_text"`
	}
}

// held are the exchanges that the fake must answer as recorded: those that make the
// articles that all others are about, the reading ones, and errors that the program reads.
var held = regexp.MustCompile(`^(02[123]|03[8]|06[0145]|068|074|08[012]|095|113|114|124|125|132|1[6-9]\d|[23]\d\d|4[0-3]\d|48[0138]|489|490)-`)

// foreign are those among them that are about what the fake does not know to be asked for.
var foreign = []string{"idf", "query-by-", "groups", "facet", "2-shards", "old", "json-null", "utf8", "object-not-list", "match-integer-as-float", "match-null",
	"range-date", "range-number-on-date", "is-null", "is-empty", "as-of-mustnot", "key-missing", "u64max", "repeated", "missing-field", "scroll-filter", "empty-body", "get-one", "bad-id"}

// chance are answers of which only the status counts: the fake is always done at once.
var chance = []string{"nowait"}

// TestRecordings plays what a real server was asked, in order, and compares what it answered.
func TestRecordings(t *testing.T) {
	dir := shareddata.Dir(t, "recordings/qdrant/exchanges")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Skip("no recordings")
	}
	slices.Sort(files)
	fake := qdrantfake.New()
	server := httptest.NewServer(fake)
	defer server.Close()
	same, left := 0, 0
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var x exchange
		if json.Unmarshal(raw, &x) != nil || !held.MatchString(x.Name) {
			continue
		}
		body, ok := x.body()
		if !ok || named(foreign, x.Name) {
			left++
			continue
		}
		status, got := send(t, server.URL, &x, body)
		if status == 501 {
			left++
			continue
		}
		if why := differs(&x, status, got); why != "" {
			t.Errorf("%s %s %s: %s", x.Name, x.Method, x.Path, why)
		} else {
			same++
		}
	}
	t.Logf("%d answers as recorded, %d of what the fake does not know", same, left)
	if same < 80 {
		t.Errorf("only %d answers compared", same)
	}
}

func named(list []string, name string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(name, s) })
}

func (x *exchange) body() ([]byte, bool) {
	switch {
	case x.Request.Elided != nil:
		return nil, false
	case x.Request.Text != nil:
		return []byte(*x.Request.Text), true
	case x.Request.Base64 != nil:
		raw, err := base64.StdEncoding.DecodeString(*x.Request.Base64)
		return raw, err == nil
	}
	if string(x.Request.Body) == "null" && x.Name != "250-query-json-null" {
		return nil, true
	}
	return x.Request.Body, true
}

func send(t *testing.T, base string, x *exchange, body []byte) (int, []byte) {
	req, err := http.NewRequest(x.Method, base+x.Path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var b bytes.Buffer
	_, _ = b.ReadFrom(res.Body)
	return res.StatusCode, b.Bytes()
}

// relied are the texts of errors that the program reads.
var relied = []string{"ector dimension", "doesn't exist", "already exists", "Not existing vector name", "Conversion between sparse"}

func differs(x *exchange, status int, got []byte) string {
	if status != x.Response.Status {
		return fmt.Sprintf("status %d, recorded %d (%.200s)", status, x.Response.Status, x.Response.Body)
	}
	if len(x.Response.Body) == 0 || string(x.Response.Body) == "null" {
		if x.Response.Text != strings.TrimSpace(string(got)) {
			return fmt.Sprintf("%q, recorded %q", got, x.Response.Text)
		}
		return ""
	}
	var a, b struct {
		Result any
		Status any
	}
	if json.Unmarshal(got, &a) != nil || json.Unmarshal(x.Response.Body, &b) != nil {
		return "unreadable"
	}
	if status != 200 {
		for _, s := range relied {
			if strings.Contains(fmt.Sprint(b.Status), s) != strings.Contains(fmt.Sprint(a.Status), s) {
				return fmt.Sprintf("%v, recorded %v", a.Status, b.Status)
			}
		}
		return ""
	}
	if named(chance, x.Name) {
		return ""
	}
	if !alike(ordered(a.Result), ordered(b.Result)) {
		return fmt.Sprintf("\n got %.700s\nwant %.700s", got, x.Response.Body)
	}
	return ""
}

// ordered puts equal scores, and lists without an order, in one order.
func ordered(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			if k != "version" && k != "operation_id" {
				out[k] = ordered(e)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = ordered(v[i])
		}
		// who is among those that tie with the last is chance when a limit cut them off
		if last, ok := scoreOf(out); ok {
			for i := range out {
				if m := out[i].(map[string]any); math.Abs(m["score"].(float64)-last) < 1e-6 {
					out[i] = map[string]any{"score": m["score"]}
				}
			}
		}
		slices.SortStableFunc(out, func(a, b any) int {
			x, ok := a.(map[string]any)
			y, ok2 := b.(map[string]any)
			if !ok || !ok2 {
				return 0
			}
			p, _ := x["score"].(float64)
			q, _ := y["score"].(float64)
			if math.Abs(p-q) > 1e-6 {
				return 0 // these have an order, which must be the server's
			}
			return strings.Compare(fmt.Sprint(x["id"], x["name"], x["alias_name"]), fmt.Sprint(y["id"], y["name"], y["alias_name"]))
		})
		return out
	}
	return v
}

// scoreOf gives the score of the last of a ranked list.
func scoreOf(list []any) (float64, bool) {
	if len(list) == 0 {
		return 0, false
	}
	m, _ := list[len(list)-1].(map[string]any)
	f, ok := m["score"].(float64)
	return f, ok
}

// alike compares; numbers to the seventh figure, as float32 has them.
func alike(a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && math.Abs(x-y) <= 2e-7*max(1, math.Abs(x))
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			if !alike(x[k], y[k]) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !alike(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	return fmt.Sprint(a) == fmt.Sprint(b)
}
