package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"digesto/internal/long"
	"digesto/internal/pgtest"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/sys/unix"
)

// site is a network of its own: machines with an address each, and names that its name
// server knows. The test stands in it too, as the machine "gate".
type site struct {
	t     *testing.T
	id    string
	net   string // what the addresses begin with
	names map[string]string
}

// newSite makes it; where that is not possible the test skips.
func newSite(t *testing.T, machines ...string) *site {
	t.Helper()
	for _, tool := range []string{"ip", "haproxy"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("this needs haproxy and iproute2: ", err)
		}
	}
	s := &site{t: t, id: fmt.Sprintf("dg%05d", rand.IntN(100000)), net: fmt.Sprintf("10.%d.%d.", 100+rand.IntN(100), rand.IntN(256)), names: map[string]string{}}
	s.names["gate"], s.names["db"] = s.net+"1", s.net+"2"
	if out, err := exec.Command("ip", "link", "add", s.id, "type", "bridge").CombinedOutput(); err != nil {
		t.Skipf("no network can be made here: %s", out)
	}
	t.Cleanup(func() { s.ip("link", "del", s.id) })
	s.ip("addr", "add", s.names["gate"]+"/24", "dev", s.id)
	s.ip("addr", "add", s.names["db"]+"/24", "dev", s.id)
	s.ip("link", "set", s.id, "up")
	for i, m := range machines {
		s.names[m] = fmt.Sprintf("%s%d", s.net, 11+i)
		ns, here := s.namespace(m), fmt.Sprintf("%s-%d", s.id, i)
		s.ip("netns", "add", ns)
		t.Cleanup(func() { s.ip("netns", "del", ns) })
		s.ip("link", "add", here, "type", "veth", "peer", "name", "eth0", "netns", ns)
		s.ip("link", "set", here, "master", s.id, "up")
		s.ip("-n", ns, "addr", "add", s.names[m]+"/24", "dev", "eth0")
		s.ip("-n", ns, "link", "set", "eth0", "up")
		s.ip("-n", ns, "link", "set", "lo", "up")
		resolver := filepath.Join("/etc/netns", ns) // where ip netns exec looks for it
		t.Cleanup(func() { _ = os.RemoveAll(resolver); _ = os.Remove("/etc/netns") })
		if err := os.MkdirAll(resolver, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(resolver, "resolv.conf"), []byte("nameserver "+s.names["gate"]+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.answerNames()
	return s
}

func (s *site) namespace(machine string) string { return s.id + "-" + machine }

func (s *site) ip(args ...string) {
	s.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		s.t.Errorf("ip %q: %v %s", args, err, out)
	}
}

// answerNames is the name server of the site.
func (s *site) answerNames() {
	s.t.Helper()
	c, err := net.ListenPacket("udp4", s.names["gate"]+":53")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := c.ReadFrom(buf)
			if err != nil {
				return // closed
			}
			if out, err := s.named(buf[:n]); err == nil {
				_, _ = c.WriteTo(out, from) // it is asked again
			}
		}
	}()
}

func (s *site) named(query []byte) ([]byte, error) {
	var p dnsmessage.Parser
	h, err := p.Start(query)
	if err != nil {
		return nil, err
	}
	q, err := p.Question()
	if err != nil {
		return nil, err
	}
	m := dnsmessage.Message{Header: dnsmessage.Header{ID: h.ID, Response: true, Authoritative: true, RecursionDesired: h.RecursionDesired}, Questions: []dnsmessage.Question{q}}
	at, known := s.names[strings.TrimSuffix(q.Name.String(), ".")]
	switch {
	case !known:
		m.RCode = dnsmessage.RCodeNameError
	case q.Type == dnsmessage.TypeA:
		m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 1}, Body: &dnsmessage.AResource{A: netip.MustParseAddr(at).As4()}}}
	}
	return m.Pack()
}

// hears passes what comes to an address of the gate on to a server of this machine.
func (s *site) hears(address, server string) {
	s.t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return // closed
			}
			go func() {
				defer from.Close()
				to, err := net.Dial("tcp", server)
				if err != nil {
					return
				}
				defer to.Close()
				go func() { _, _ = io.Copy(to, from); _ = to.(*net.TCPConn).CloseWrite() }()
				_, _ = io.Copy(from, to)
			}()
		}
	}()
}

// starts runs a program on a machine; what it says is shown when the test fails.
func (s *site) starts(machine string, env []string, line ...string) *exec.Cmd {
	s.t.Helper()
	cmd := exec.Command("ip", append([]string{"netns", "exec", s.namespace(machine)}, line...)...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed, or waited for already
		if s.t.Failed() {
			s.t.Logf("%s, %q: %.4000s", machine, line, said.String())
		}
	})
	return cmd
}

// dial reaches an address as a machine does.
func (s *site) dial(machine string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		type dialled struct {
			net.Conn
			error
		}
		out := make(chan dialled)
		go func() {
			runtime.LockOSThread() // and never unlocked: the thread ends with this
			at, err := os.Open("/run/netns/" + s.namespace(machine))
			if err == nil {
				defer at.Close()
				err = unix.Setns(int(at.Fd()), unix.CLONE_NEWNET)
			}
			var c net.Conn
			if err == nil {
				c, err = (&net.Dialer{}).DialContext(ctx, network, address)
			}
			out <- dialled{c, err}
		}()
		d := <-out
		return d.Conn, d.error
	}
}

// deployment is what stands in deploy/nodes, as processes.
type deployment struct {
	site  *site
	nodes []*deployedNode
	proxy string // address for clients
	press *press
	db    *pgtest.Server
}

// deployedNode is a node, and how to reach it without the proxy.
type deployedNode struct {
	machine string
	env     []string
	line    []string
	address string
	grace   time.Duration
	cmd     *exec.Cmd
}

func (d *deployment) start(n *deployedNode) {
	n.cmd = d.site.starts(n.machine, n.env, append([]string{"digesto"}, n.line...)...)
}

// stop ends a node as its service is stopped, within the time that the service gives.
func (d *deployment) stop(n *deployedNode) {
	t := d.site.t
	t.Helper()
	began := time.Now()
	_ = n.cmd.Process.Signal(syscall.SIGTERM)
	if err := n.cmd.Wait(); err != nil {
		t.Errorf("%s does not end in order: %v", n.machine, err)
	}
	if took := time.Since(began); took > n.grace {
		t.Errorf("%s ends after %s, and is killed after %s", n.machine, took, n.grace)
	}
}

// serves waits until a node is ready with a law.
func (d *deployment) serves(n *deployedNode, hash string) {
	t := d.site.t
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: d.site.dial(n.machine), DisableKeepAlives: true}, Timeout: 5 * time.Second}
	var got readiness
	for until := time.Now().Add(90 * time.Second); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
		got = readiness{}
		if res, err := client.Get("http://" + n.address + "/readyz"); err == nil {
			_ = json.NewDecoder(res.Body).Decode(&got)
			got.status = res.StatusCode
			res.Body.Close()
		}
		if got.status == 200 && got.Corpus == hash {
			return
		}
	}
	t.Fatalf("%s does not serve %.12s: %+v", n.address, hash, got)
}

// inquirer is somebody at a browser who asks and asks again, through the proxy.
type inquirer struct {
	d       *deployment
	client  *http.Client
	session string
	asked   []string
	slowest time.Duration
	told    []string       // why
	again   map[string]int // requests that were made again, by what was going on
}

// ask puts a question until it is answered, half a minute long, with one key: it is the
// same question however often it is sent.
func (v *inquirer) ask(question string, going func() string) error {
	key := fmt.Sprintf("%d", rand.Int64())
	began := time.Now()
	for {
		err := v.once(question, key)
		v.slowest = max(v.slowest, time.Since(began))
		if err == nil {
			v.asked = append(v.asked, question)
			return nil
		}
		v.again[going()]++
		v.told = append(v.told, err.Error())
		if time.Since(began) > 30*time.Second {
			return err
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func (v *inquirer) once(question, key string) error {
	body, _ := json.Marshal(map[string]string{"question": question, "session_id": v.session, "pack": "laboral"})
	req, _ := http.NewRequest("POST", v.d.proxy+"/v1/ask", bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	res, err := v.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	var a struct {
		Citations []struct{ Quote string }
		Meta      struct {
			Session string `json:"session_id"`
			Outcome string
			Corpus  string
		}
	}
	if err != nil || res.StatusCode != 200 || json.Unmarshal(raw, &a) != nil || a.Meta.Session == "" || v.session != "" && v.session != a.Meta.Session {
		return fmt.Errorf("%d %w %.300s", res.StatusCode, err, raw)
	}
	v.session = a.Meta.Session
	if word := v.d.press.words[a.Meta.Corpus]; a.Meta.Outcome != "answer" || word == "" || len(a.Citations) == 0 || !strings.Contains(a.Citations[0].Quote, word+" días") {
		v.d.site.t.Errorf("law %.12s with %q: %.600s", a.Meta.Corpus, word, raw)
	}
	return nil
}

// whole proves that a conversation holds every question and its answer once and in order.
func (v *inquirer) whole() error {
	res, err := v.client.Get(v.d.proxy + "/v1/conversations/" + v.session + "/messages")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var list struct {
		Messages []struct {
			Seq     int64
			Role    string
			Content string
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil || len(list.Messages) != 2*len(v.asked) {
		return fmt.Errorf("%d messages of %d questions: %w", len(list.Messages), len(v.asked), err)
	}
	for i, m := range list.Messages {
		if m.Seq != int64(i)+1 || m.Role != []string{"user", "assistant"}[i%2] || i%2 == 0 && m.Content != v.asked[i/2] {
			return fmt.Errorf("place %d: %+v", i, m)
		}
	}
	return nil
}

// TestDeployed runs what deploy/nodes holds, whole: two nodes, HAProxy and PostgreSQL as
// processes, each machine with an address and names of its own, under the load of people
// who hold conversations. Nodes are replaced in turn and the law is changed, and nobody
// notices; a node is killed, and the database, and who asks again is answered once.
func TestDeployed(t *testing.T) {
	long.Only(t, "half a minute for each form, as root")
	t.Run("compose", func(t *testing.T) {
		d := newDeployment(t, "node1", "node2", "proxy")
		vars := map[string]string{"POSTGRES_PASSWORD": "prueba", "DIGESTO_FOLLOW": d.published(t), "DIGESTO_FOLLOW_KEY": d.press.public()}
		for name, s := range composed(t).Services {
			if !strings.HasPrefix(s.Image, "digesto") {
				continue
			}
			_, port, _ := strings.Cut(s.Environment["DIGESTO_ADDR"], ":")
			n := &deployedNode{machine: name, line: s.Command, address: net.JoinHostPort(d.site.names[name], port), grace: s.Grace}
			for k, v := range s.Environment {
				value := os.Expand(v, func(name string) string { // ${NAME:?} and ${NAME:-}
					name, _, _ = strings.Cut(name, ":")
					return vars[name]
				})
				if k == "DIGESTO_DATA" {
					value = filepath.Join(t.TempDir(), name)
				}
				n.env = append(n.env, k+"="+value)
			}
			d.nodes = append(d.nodes, n)
		}
		d.site.starts("proxy", nil, "haproxy", "-db", "-f", filepath.Join(deployDir, "nodes/haproxy.cfg"))
		d.proxy = "http://" + d.site.names["proxy"] + ":8080"
		d.run()
	})
	t.Run("units", func(t *testing.T) {
		d := newDeployment(t, "machine")
		unit, cfg := deployed(t, "nodes/digesto@.service"), deployed(t, "nodes/haproxy.cfg")
		address := "postgres://digesto:prueba@db:5432/digesto?sslmode=disable"
		settings := []string{"DIGESTO_STORE=" + address, "DIGESTO_INDEX=" + address, "DIGESTO_FOLLOW=" + d.published(t), "DIGESTO_FOLLOW_KEY=" + d.press.public()} // /etc/digesto/nodes
		for i, port := range []string{"8081", "8082"} {
			text := strings.ReplaceAll(unit, "%i", port)
			line := strings.Fields(regexp.MustCompile(`(?m)^ExecStart=/usr/bin/digesto (.*)$`).FindStringSubmatch(text)[1])
			stop := regexp.MustCompile(`(?m)^TimeoutStopSec=(\d+)$`).FindStringSubmatch(text)[1]
			grace, err := time.ParseDuration(stop + "s")
			if err != nil {
				t.Fatal(err)
			}
			d.nodes = append(d.nodes, &deployedNode{machine: "machine", env: append([]string{"DIGESTO_DATA=" + filepath.Join(t.TempDir(), port)}, settings...), line: line, address: "127.0.0.1:" + port, grace: grace})
			name := fmt.Sprintf("node%d", i+1)
			cfg = strings.Replace(cfg, "server "+name+" "+name+":8080", "server "+name+" 127.0.0.1:"+port, 1)
		}
		file := filepath.Join(t.TempDir(), "haproxy.cfg")
		if err := os.WriteFile(file, []byte(cfg), 0o600); err != nil {
			t.Fatal(err)
		}
		d.site.starts("machine", nil, "haproxy", "-db", "-f", file)
		d.proxy = "http://" + d.site.names["machine"] + ":8080"
		d.run()
	})
}

func newDeployment(t *testing.T, machines ...string) *deployment {
	t.Helper()
	d := &deployment{db: pgtest.Own(t)}
	d.site = newSite(t, machines...)
	pgtest.Exec(t, d.db.Address, "CREATE DATABASE digesto")
	u, err := url.Parse(d.db.Address)
	if err != nil {
		t.Fatal(err)
	}
	d.site.hears(d.site.names["db"]+":5432", u.Host)
	return d
}

// published gives the address where the law is published.
func (d *deployment) published(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	d.press = newPress(t, folder, "diez", "veinte")
	l, err := net.Listen("tcp", d.site.names["gate"]+":0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.FileServer(http.Dir(folder))}}
	srv.Start()
	t.Cleanup(srv.Close)
	return srv.URL
}

func (d *deployment) run() {
	t := d.site.t
	law := d.press.next()
	for _, n := range d.nodes {
		d.start(n)
	}
	for _, n := range d.nodes {
		d.serves(n, law)
	}
	time.Sleep(3 * time.Second) // the proxy has asked them twice
	var phase atomic.Value
	phase.Store("quiet")
	going := func() string { return phase.Load().(string) }
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var failed atomic.Int64
	people := make([]*inquirer, 16)
	for i := range people {
		jar, _ := cookiejar.New(nil) // never fails
		v := &inquirer{d: d, client: &http.Client{Jar: jar, Transport: &http.Transport{}, Timeout: time.Minute}, again: map[string]int{}}
		people[i] = v
		res, err := v.client.Get(d.proxy + "/")
		if err != nil || res.StatusCode != 200 {
			t.Fatalf("the page: %v %v", res, err)
		}
		res.Body.Close()
		wg.Go(func() {
			for turn := 0; ; turn++ {
				select {
				case <-stop:
					return
				default:
				}
				if err := v.ask(fmt.Sprintf("¿Cuántos días de descanso tiene el farero al año? (%d-%d)", i, turn), going); err != nil {
					failed.Add(1)
					t.Errorf("visitor %d, turn %d, %s: %v", i, turn, going(), err)
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
		})
	}
	calm := func() { time.Sleep(3 * time.Second) }
	calm()
	phase.Store("replaced")
	for _, n := range d.nodes {
		d.stop(n)
		d.start(n)
		d.serves(n, law)
		calm() // the proxy takes it back after two looks
	}
	phase.Store("law changed")
	law = d.press.next()
	for _, n := range d.nodes {
		d.serves(n, law)
	}
	phase.Store("node killed")
	n := d.nodes[0]
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait() // killed
	calm()
	d.start(n)
	d.serves(n, law)
	calm()
	phase.Store("database killed")
	d.db.Crash(t)
	d.db.Resume(t)
	for _, n := range d.nodes {
		d.serves(n, law)
	}
	calm()
	close(stop)
	wg.Wait()
	questions, slowest, again, why := 0, time.Duration(0), map[string]int{}, map[string]int{}
	for i, v := range people {
		if err := v.whole(); err != nil {
			t.Errorf("visitor %d: %v", i, err)
		}
		questions += len(v.asked)
		slowest = max(slowest, v.slowest)
		for _, e := range v.told {
			why[e]++
		}
		for what, n := range v.again {
			again[what] += n
		}
	}
	for what := range again {
		if !slices.Contains([]string{"node killed", "database killed"}, what) {
			t.Errorf("somebody had to ask again while %s", what)
		}
	}
	for _, n := range d.nodes {
		d.stop(n)
	}
	for e, n := range why {
		t.Logf("asked again, %d times: %s", n, e)
	}
	t.Logf("%d people, %d questions, the slowest %s; failed: %d; asked again: %v", len(people), questions, slowest.Round(time.Millisecond), failed.Load(), again)
}
