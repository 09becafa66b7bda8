package main

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"digesto/app"

	"go.yaml.in/yaml/v3"
)

const deployDir = "../../deploy"

func deployed(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(deployDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// accepts parses a command line as the program does, without running it.
func accepts(t *testing.T, where string, args []string) serveCmd {
	t.Helper()
	var c cli
	e, _, _ := testEnv(nil)
	p, err := newParser(&c, newApp(context.Background(), e))
	if err == nil {
		_, err = p.Parse(args)
	}
	if err != nil {
		t.Errorf("%s: the program does not take %q: %v", where, args, err)
	}
	return c.Serve
}

func knownVariable(name string) bool {
	return slices.ContainsFunc(app.KnownSettings(), func(s app.Setting) bool { return s.Env == name })
}

// shutdown is what a server may need to end after its drain, see server.Serve.
const shutdown = 10 * time.Second

// composeFile is what is read of compose.yaml.
type composeFile struct {
	Services map[string]struct {
		Image       string
		Command     []string
		Environment map[string]string
		Volumes     []string
		Ports       []string
		DependsOn   any           `yaml:"depends_on"`
		Grace       time.Duration `yaml:"stop_grace_period"`
	}
	Volumes map[string]any
}

func composed(t *testing.T) (file composeFile) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(deployed(t, "nodes/compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestCompose: the nodes take the commands and settings there are, the proxy asks and
// sends where they listen, and nothing is killed while it still answers.
func TestCompose(t *testing.T) {
	file := composed(t)
	proxy := deployed(t, "nodes/haproxy.cfg")
	servers := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\s+server (\S+) (\S+):(\d+)`).FindAllStringSubmatch(proxy, -1) {
		servers[m[2]] = m[3]
	}
	seen := map[string]bool{} // data volumes: each node has its own
	for name, s := range file.Services {
		for _, v := range s.Volumes {
			if at, _, _ := strings.Cut(v, ":"); !strings.HasPrefix(at, ".") {
				if _, ok := file.Volumes[at]; !ok || seen[at] {
					t.Errorf("%s: volume %s is not declared, or another's", name, at)
				}
				seen[at] = true
			}
		}
		if !strings.HasPrefix(s.Image, "digesto") {
			continue
		}
		c := accepts(t, name, s.Command)
		if s.Grace < c.Drain+shutdown || c.Drain < 2*time.Second {
			t.Errorf("%s: %s to drain, killed after %s", name, c.Drain, s.Grace)
		}
		for v := range s.Environment {
			if !knownVariable(v) {
				t.Errorf("%s: nobody reads %s", name, v)
			}
		}
		_, port, _ := strings.Cut(s.Environment["DIGESTO_ADDR"], ":")
		if servers[name] != port || port == "" || !strings.HasPrefix(s.Environment["DIGESTO_ADDR"], "0.0.0.0:") {
			t.Errorf("%s listens at %q, the proxy sends to port %q", name, s.Environment["DIGESTO_ADDR"], servers[name])
		}
		if s.Environment["DIGESTO_DATA"] == "" || !strings.HasSuffix(s.Volumes[0], ":"+s.Environment["DIGESTO_DATA"]) || !strings.Contains(deployed(t, "Containerfile"), `VOLUME ["`+s.Environment["DIGESTO_DATA"]+`"]`) {
			t.Errorf("%s keeps its data in %q, which is not its volume %q", name, s.Environment["DIGESTO_DATA"], s.Volumes)
		}
		delete(servers, name)
	}
	if len(servers) > 0 {
		t.Errorf("the proxy sends to nobody: %v", slices.Collect(maps.Keys(servers)))
	}
	bind := regexp.MustCompile(`(?m)^\s+bind :(\d+)`).FindStringSubmatch(proxy)
	if p := file.Services["proxy"]; bind == nil || len(p.Ports) != 1 || !strings.HasSuffix(p.Ports[0], ":"+bind[1]) {
		t.Errorf("the proxy listens at %q, published is %q", bind, p.Ports)
	}
	if m := regexp.MustCompile(`httpchk GET (\S+)`).FindStringSubmatch(proxy); m == nil || m[1] != "/readyz" {
		t.Errorf("the proxy asks %q", m)
	}
	if !strings.Contains(proxy, "retry-on conn-failure\n") { // more would ask a question twice
		t.Error("the proxy repeats what a node may have taken")
	}
}

// TestUnits: the services start the program with what it takes, wait for it to end, and the
// one of several nodes is shut in as the one of a single server is.
func TestUnits(t *testing.T) {
	hardening := map[string]string{}
	for _, unit := range []string{"digesto.service", "nodes/digesto@.service"} {
		text := deployed(t, unit)
		values := map[string][]string{}
		for _, m := range regexp.MustCompile(`(?m)^(\w+)=(.*)$`).FindAllStringSubmatch(text, -1) {
			values[m[1]] = append(values[m[1]], m[2])
		}
		line := strings.Fields(strings.ReplaceAll(values["ExecStart"][0], "%i", "8081"))
		c := accepts(t, unit, line[1:])
		if line[0] != "/usr/bin/digesto" || !strings.Contains(deployed(t, "nfpm.yaml"), line[0]) {
			t.Errorf("%s starts %s, which no package installs", unit, line[0])
		}
		if n, err := strconv.Atoi(values["TimeoutStopSec"][0]); err != nil || time.Duration(n)*time.Second < c.Drain+shutdown {
			t.Errorf("%s is killed after %s s", unit, values["TimeoutStopSec"])
		}
		for _, v := range values["Environment"] {
			if name, value, _ := strings.Cut(v, "="); !knownVariable(name) || name == "DIGESTO_DATA" && value != "/var/lib/"+values["StateDirectory"][0] {
				t.Errorf("%s: %s is read by nobody, or not the folder that it may write in", unit, v)
			}
		}
		shut := text[strings.Index(text, "NoNewPrivileges"):strings.Index(text, "[Install]")]
		hardening[shut] = unit
	}
	if len(hardening) != 1 {
		t.Errorf("the services are not shut in alike: %v", slices.Collect(maps.Values(hardening)))
	}
}

// TestUnitsVerified has systemd read the units, where there is one.
func TestUnitsVerified(t *testing.T) {
	tool, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze here: ", err)
	}
	dir := t.TempDir()
	for unit, as := range map[string]string{"digesto.service": "digesto.service", "nodes/digesto@.service": "digesto@8081.service"} {
		path := filepath.Join(dir, as)
		text := strings.ReplaceAll(deployed(t, unit), "/usr/bin/digesto", "/bin/true") // the program is not installed here
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(tool, "verify", "--man=no", path).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", unit, err, out)
		}
	}
}
