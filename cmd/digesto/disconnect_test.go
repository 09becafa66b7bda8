package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestClientThatLeaves cuts the connection while the model is still writing, by
// both forms of a question: the answer is finished, stored under its question,
// and there when the conversation is loaded again.
func TestClientThatLeaves(t *testing.T) {
	asked, goOn := make(chan struct{}, 16), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-goOn
		stubServe(w, r)
	}))
	defer slow.Close()
	base := serveWith(t, map[string]string{"DIGESTO_DATA": t.TempDir(), "DIGESTO_MODEL_URL": slow.URL + "/v1", "DIGESTO_MODEL_KEY": "clave-buena", "DIGESTO_MODEL_NAME": "fiel"})
	for _, accept := range []string{"text/event-stream", "application/json"} {
		conn := rawAsk(t, base, accept)
		select {
		case <-asked:
		case <-time.After(20 * time.Second):
			t.Fatal("no model was asked")
		}
		_ = conn.(*net.TCPConn).SetLinger(0) // a reset, not an orderly end
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(50 * time.Millisecond) // the server sees both resets
	close(goOn)
	for _, session := range listed(t, base, 2) {
		var got []string
		for deadline := time.Now().Add(20 * time.Second); len(got) < 2 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			got = messageTypesOf(t, base, session)
		}
		if strings.Join(got, " ") != "user: assistant:answer" {
			t.Errorf("%s holds %q", session, got)
		}
	}
}

// rawAsk asks over a connection of its own and gives it without reading the answer.
func rawAsk(t *testing.T, base, accept string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	body := `{"question":"` + holidays + `","pack":"laboral"}`
	_, err = fmt.Fprintf(conn, "POST /v1/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: %s\r\nContent-Length: %d\r\n\r\n%s", accept, len(body), body)
	if err != nil {
		t.Fatal(err)
	}
	if accept == "text/event-stream" { // the conversation is known before the model is asked
		for r := bufio.NewReader(conn); ; {
			l, err := r.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(l, "event: ") && l != "event: session\n" {
				t.Fatalf("first event %q", l)
			}
			if strings.HasPrefix(l, "data: ") {
				break
			}
		}
	}
	return conn
}

// listed gives the conversations once there are n of them.
func listed(t *testing.T, base string, n int) (ids []string) {
	t.Helper()
	var page struct {
		Conversations []struct{ ID string }
	}
	getJSON(t, base+"/v1/conversations", &page)
	for _, c := range page.Conversations {
		ids = append(ids, c.ID)
	}
	if len(ids) != n {
		t.Fatalf("conversations %q", ids)
	}
	return ids
}

func messageTypesOf(t *testing.T, base, session string) (out []string) {
	t.Helper()
	var list struct {
		Messages []struct {
			Role     string
			Metadata map[string]any
		}
	}
	getJSON(t, base+"/v1/conversations/"+session+"/messages", &list)
	for _, m := range list.Messages {
		kind, _ := m.Metadata["message_type"].(string)
		out = append(out, m.Role+":"+kind)
	}
	return out
}

func getJSON(t *testing.T, url string, v any) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(v); err != nil {
		t.Fatal(err)
	}
}

// serveWith runs `digesto serve` in process with an environment and gives its address.
func serveWith(t *testing.T, vars map[string]string, flags ...string) string {
	t.Helper()
	var out, errs syncBuffer
	e := env{in: strings.NewReader(""), out: &out, err: &errs, lookup: func(k string) (string, bool) { v, ok := vars[k]; return v, ok }}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() { done <- run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0"}, flags...), e) }()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != 0 {
			t.Errorf("serve ends with %d: %s", code, errs.String())
		}
	})
	url := regexp.MustCompile(`http://\S+`)
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if u := url.FindString(out.String()); u != "" {
			return u
		}
	}
	t.Fatalf("no address: %s", errs.String())
	return ""
}
