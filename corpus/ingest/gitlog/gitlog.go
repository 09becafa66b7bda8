// Package gitlog reads the history of files kept in a git repository, one commit a
// reform: which texts a file had, and what the messages say of day and reforming norm.
package gitlog

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git names texts so
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"digesto"
	"digesto/corpus/ingest/line"
)

// Bounds of a history: states of one file (more cannot be woven), bytes of the
// list of commits, and folders looked at.
const (
	maxStates   = 60
	maxGitLog   = 512 << 20
	maxPathArgs = 200
)

// State is what a history tells of one text: which it was, when, by what norm.
type State struct {
	Day    digesto.Date // of the message; "" = the text's own head says it
	By     string       // norm that brought it
	Blob   string       // "" = the file as it stands
	Before string       // blob of the text before; "" = the first
}

// Key is what of a state decides how its text is read.
func (s *State) Key() string {
	if s == nil || *s == (State{}) {
		return ""
	}
	return "\x00" + string(s.Day) + s.By + s.Before
}

// Repo reads one repository by the program git, as it is here: nothing is
// fetched, no hook and no filter of the repository's own settings is run.
type Repo struct {
	Program, Top string

	mu  sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (r *Repo) command(ctx context.Context, args ...string) *exec.Cmd {
	safe := []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.allow=never", "-c", "core.quotePath=false", "-c", "log.showSignature=false", "--no-pager", "-C", r.Top}
	cmd := exec.CommandContext(ctx, r.Program, append(safe, args...)...)
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	return cmd
}

// logForm is the head of a commit in the list; the files it changed follow.
const logForm = "%x01%(trailers:key=Source-Id,valueonly,separator=%x2C)%x02%(trailers:key=Source-Date,valueonly,separator=%x2C)"

// States lists, for each file wanted, its texts from the newest to the oldest.
func (r *Repo) States(ctx context.Context, wanted map[string]int) (map[string][]State, error) {
	args := []string{"log", "--first-parent", "-m", "--no-renames", "--no-ext-diff", "--raw", "--no-abbrev", "-z", "--format=" + logForm, "--"}
	if len(wanted) <= maxPathArgs {
		for rel := range wanted {
			args = append(args, ":(literal)"+rel)
		}
	}
	cmd := r.command(ctx, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(pipe, maxGitLog+1))
	if len(data) > maxGitLog {
		_ = cmd.Process.Kill()
		err = errors.New("es demasiado larga")
	}
	if wait := cmd.Wait(); wait != nil && err == nil {
		said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		if strings.Contains(said, "does not have any commits") {
			return nil, nil
		}
		err = fmt.Errorf("git dice: %s", line.Clip(said, 200))
	}
	if err != nil {
		return nil, err
	}
	return parseGitLog(string(data), func(rel string) bool { _, ok := wanted[rel]; return ok }), nil
}

// parseGitLog reads the list of commits: a head, then for each file its modes, its
// texts before and after, and its name, all apart by zero bytes.
func parseGitLog(s string, wanted func(string) bool) map[string][]State {
	out := map[string][]State{}
	var head State
	fields := strings.Split(s, "\x00")
	for i := 0; i < len(fields); i++ {
		f := strings.TrimLeft(fields[i], "\n")
		if rest, ok := strings.CutPrefix(f, "\x01"); ok {
			by, day, _ := strings.Cut(rest, "\x02")
			head = State{By: strings.TrimSpace(by)}
			if line.OfficialID.FindString(head.By) != head.By {
				head.By = ""
			}
			if day = strings.TrimSpace(day); line.IsoDate.MatchString(day) {
				head.Day = digesto.Date(day)
			}
			continue
		}
		m := strings.Fields(f)
		if !strings.HasPrefix(f, ":") || len(m) != 5 || i+1 >= len(fields) {
			continue
		}
		i++
		name := fields[i]
		if !wanted(name) || !isHash(m[2]) || !isHash(m[3]) || allZero(m[3]) || len(out[name]) > maxStates {
			continue
		}
		st := head
		st.Blob = m[3]
		if !allZero(m[2]) {
			st.Before = m[2]
		}
		out[name] = append(out[name], st)
	}
	return out
}

func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

func allZero(s string) bool { return strings.Trim(s, "0") == "" }

// Blob gives one text. The program stays open for the next.
func (r *Repo) Blob(ctx context.Context, hash string, limit int64) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cmd == nil {
		if err := r.open(ctx); err != nil {
			return nil, err
		}
	}
	if _, err := fmt.Fprintln(r.in, hash); err != nil {
		return nil, err
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	f := strings.Fields(line)
	if len(f) != 3 || f[1] != "blob" {
		return nil, errors.New("el repositorio no tiene ese texto")
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil || size < 0 {
		return nil, errors.New("git contesta con otra forma")
	}
	if size > limit {
		_, err := io.CopyN(io.Discard, r.out, size+1)
		return nil, errors.Join(errors.New("demasiado grande"), err)
	}
	data := make([]byte, size+1) // with the line end after it
	if _, err := io.ReadFull(r.out, data); err != nil {
		return nil, err
	}
	return data[:size], nil
}

func (r *Repo) open(ctx context.Context) error {
	cmd := r.command(ctx, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.cmd, r.in, r.out = cmd, in, bufio.NewReaderSize(out, 1<<16)
	return nil
}

// Close ends the program.
func (r *Repo) Close() {
	if r.cmd != nil {
		_ = r.in.Close()
		_ = r.cmd.Wait()
		r.cmd = nil
	}
}

// BlobHash is the name that git gives to a text, of the same length as like.
func BlobHash(data []byte, like string) string {
	head := fmt.Appendf(nil, "blob %d\x00", len(data))
	if len(like) == 64 {
		return hex.EncodeToString(sha256Of(head, data))
	}
	h := sha1.New() //nolint:gosec // the name of a text, not a proof of it
	h.Write(head)
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

func sha256Of(parts ...[]byte) []byte {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}
