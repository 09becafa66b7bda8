package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptServer is a `digesto serve` that a script runs beside itself.
type scriptServer struct {
	cmd *exec.Cmd
	log lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string { l.mu.Lock(); defer l.mu.Unlock(); return l.b.String() }

// serveCommands are the commands of a script that talk to a server:
//
//	serve [FLAG…]                start it; its address is in $URL
//	log                          what it wrote on stderr so far, to stdout
//	sse [-k KEY] [-s SESSION] QUESTION  ask as a stream: the events to stdout; $SID is the session
//	http METHOD PATH [BODY]      a request: status and body to stdout
//	readenv NAME FILE            a variable from a file
//	stopserve                    end it
func serveCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	running := map[string]*scriptServer{}
	var mu sync.Mutex
	of := func(ts *testscript.TestScript) *scriptServer {
		mu.Lock()
		defer mu.Unlock()
		s := running[ts.Getenv("WORK")]
		if s == nil {
			s = &scriptServer{}
			running[ts.Getenv("WORK")] = s
		}
		return s
	}
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"serve":     func(ts *testscript.TestScript, _ bool, args []string) { of(ts).start(ts, args) },
		"stopserve": func(ts *testscript.TestScript, _ bool, _ []string) { of(ts).stop(ts) },
		"log": func(ts *testscript.TestScript, _ bool, _ []string) {
			_, _ = io.WriteString(ts.Stdout(), of(ts).log.String())
		},
		"readenv": func(ts *testscript.TestScript, _ bool, args []string) {
			ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
		},
		"sse":  scriptSSE,
		"http": scriptHTTP,
	}
}

func (s *scriptServer) start(ts *testscript.TestScript, args []string) {
	path := ""
	for dir := range strings.SplitSeq(ts.Getenv("PATH"), string(filepath.ListSeparator)) {
		if p := filepath.Join(dir, "digesto"); path == "" && exec.Command(p, "version").Run() == nil {
			path = p
		}
	}
	s.cmd = exec.Command(path, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	s.cmd.Dir, s.cmd.Env = ts.Getenv("WORK"), []string{"HOME=" + ts.Getenv("HOME"), "DIGESTO_DATA=" + ts.Getenv("DIGESTO_DATA"), "DIGESTO_PLANS=" + ts.Getenv("DIGESTO_PLANS"), "DIGESTO_PLAN=" + ts.Getenv("DIGESTO_PLAN"),
		"DIGESTO_NO_LOG=" + ts.Getenv("DIGESTO_NO_LOG"), "DIGESTO_LOG=" + ts.Getenv("DIGESTO_LOG")}
	s.cmd.Stderr = &s.log
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	ts.Check(err)
	ts.Defer(func() { s.stop(ts) })
	line, _ := bufio.NewReader(out).ReadString('\n')
	url := regexp.MustCompile(`http://\S+`).FindString(line)
	if url == "" {
		ts.Fatalf("no address: %q %s", line, s.log.String())
	}
	ts.Setenv("URL", url)
}

func (s *scriptServer) stop(ts *testscript.TestScript) {
	if s.cmd == nil || s.cmd.Process == nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	_ = s.cmd.Wait()
	s.cmd = nil
}

// scriptSSE asks a question as a stream; each event is a line "kind data".
func scriptSSE(ts *testscript.TestScript, _ bool, args []string) {
	body, header := map[string]any{}, map[string]string{"Content-Type": "application/json", "Accept": "text/event-stream"}
	for len(args) > 1 {
		switch args[0] {
		case "-k":
			header["Authorization"] = "Bearer " + args[1]
		case "-i":
			header["Idempotency-Key"] = args[1]
		case "-s":
			body["session_id"] = args[1]
		case "-p":
			body["pack"] = args[1]
		default:
			var v any
			if json.Unmarshal([]byte(args[1]), &v) != nil {
				v = args[1]
			}
			body[strings.TrimPrefix(args[0], "-")] = v
		}
		args = args[2:]
	}
	body["question"] = args[0]
	raw, _ := json.Marshal(body)
	res := scriptDo(ts, "POST", "/v1/ask", string(raw), header)
	defer res.Body.Close()
	kind, sc := "", bufio.NewScanner(res.Body)
	sc.Buffer(nil, 1<<20)
	if res.StatusCode != 200 {
		fmt.Fprintln(ts.Stdout(), res.StatusCode, "retry", res.Header.Get("Retry-After"))
	}
	for sc.Scan() {
		k, v, _ := strings.Cut(sc.Text(), ": ")
		switch k {
		case "event":
			kind = v
		case "data":
			fmt.Fprintln(ts.Stdout(), kind, v)
			var id struct {
				ID string `json:"session_id"`
			}
			if kind == "session" && json.Unmarshal([]byte(v), &id) == nil {
				ts.Setenv("SID", id.ID)
			}
		default:
			if res.StatusCode != 200 {
				fmt.Fprintln(ts.Stdout(), sc.Text())
			}
		}
	}
}

func scriptDo(ts *testscript.TestScript, method, path, body string, header map[string]string) *http.Response {
	req, err := http.NewRequest(method, ts.Getenv("URL")+path, strings.NewReader(body))
	ts.Check(err)
	for k, v := range header {
		req.Header.Set(k, v)
	}
	res, err := (&http.Client{Timeout: 30 * time.Second}).Do(req)
	ts.Check(err)
	return res
}

// scriptHTTP makes a request: http [-k KEY] METHOD PATH [BODY].
func scriptHTTP(ts *testscript.TestScript, _ bool, args []string) {
	header := map[string]string{"Content-Type": "application/json"}
	if args[0] == "-k" {
		header["Authorization"], args = "Bearer "+args[1], args[2:]
	}
	body := ""
	if len(args) > 2 {
		body = args[2]
	}
	res := scriptDo(ts, args[0], args[1], body, header)
	defer res.Body.Close()
	data, _ := io.ReadAll(res.Body)
	fmt.Fprintf(ts.Stdout(), "%d\n%s\n", res.StatusCode, data)
}
