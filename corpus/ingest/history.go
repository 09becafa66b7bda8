package ingest

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
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"digesto"
	"digesto/corpus"
)

// Collections of consolidated law in Markdown are often kept as git repositories:
// one commit a reform, whose message names the reforming norm in its last lines
// ("Source-Id", "Source-Date"). Their earlier states become copies of the norm
// with their day, exactly as dated files beside each other do. Only a day that
// the text's own head or the message proves counts: the day of a commit is that
// of whoever wrote it, not of the law.

const kindHistory = "history_not_read"

// Bounds of a history: states of one file (more cannot be woven), bytes of the
// list of commits, and folders looked at.
const (
	maxStates   = 60
	maxGitLog   = 512 << 20
	maxPathArgs = 200
)

// state is what a history tells of one text: which it was, when, by what norm.
type state struct {
	day    digesto.Date // of the message; "" = the text's own head says it
	by     string       // norm that brought it
	blob   string       // "" = the file as it stands
	before string       // blob of the text before; "" = the first
}

// key is what of a state decides how its text is read.
func (s *state) key() string {
	if s == nil || *s == (state{}) {
		return ""
	}
	return "\x00" + string(s.day) + s.by + s.before
}

// histories adds to the files those of their earlier states, and to the log the
// days on which reforming norms were published.
func histories(ctx context.Context, opt *Options, files []source) ([]source, []corpus.Defect) {
	if opt.NoHistory {
		return files, nil
	}
	byTree := map[string][]string{}
	tops := map[string]string{}
	for _, f := range files {
		if ext := strings.ToLower(filepath.Ext(f.path)); ext != ".md" && ext != ".markdown" {
			continue
		}
		if top := workTree(filepath.Dir(f.path), tops); top != "" {
			byTree[top] = append(byTree[top], f.path)
		}
	}
	var defects []corpus.Defect
	trees := make([]string, 0, len(byTree))
	for top := range byTree {
		trees = append(trees, top)
	}
	slices.Sort(trees)
	for _, top := range trees {
		more, err := opt.history(ctx, top, byTree[top], files)
		if err != nil && ctx.Err() == nil {
			defects = append(defects, corpus.Defect{File: top, Kind: kindHistory, Detail: "Es un repositorio git, pero no se ha leído su historia (" + err.Error() + "): se toma el texto como está"})
		}
		files = append(files, more...)
	}
	slices.SortFunc(files, func(a, b source) int { return strings.Compare(a.path, b.path) })
	return files, defects
}

// workTree gives the folder of the git work tree that a folder is in; "" = none.
func workTree(dir string, known map[string]string) string {
	if top, ok := known[dir]; ok {
		return top
	}
	top := ""
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		top = dir
	} else if up := filepath.Dir(dir); up != dir {
		top = workTree(up, known)
	}
	known[dir] = top
	return top
}

// history reads the states of files of one work tree. Of the files as they
// stand it notes what brought their text.
func (o *Options) history(ctx context.Context, top string, paths []string, files []source) ([]source, error) {
	if o.Git == "" {
		return nil, errors.New("no está instalado el programa git: instálelo y repita la orden")
	}
	repo := &gitRepo{program: o.Git, top: top}
	wanted := map[string]int{}
	for i, f := range files {
		if rel, err := filepath.Rel(top, f.path); err == nil && slices.Contains(paths, f.path) {
			wanted[filepath.ToSlash(rel)] = i
		}
	}
	states, err := repo.states(ctx, wanted)
	if err != nil {
		return nil, err
	}
	if o.log == nil {
		o.log = &reformLog{}
	}
	var out []source
	for rel, list := range states {
		f := &files[wanted[rel]]
		now, err := os.ReadFile(f.path)
		if err != nil {
			continue // whoever reads it next says so
		}
		hash := blobHash(now, list[0].blob)
		at := slices.IndexFunc(list, func(s state) bool { return s.blob == hash })
		if at != 0 { // changed since the last commit: that text is an earlier one
			f.state = &state{before: list[0].blob}
		} else {
			f.state = &state{day: list[0].day, by: list[0].by, before: list[0].before}
			list = list[1:]
		}
		f.repo = repo
		for _, s := range list {
			o.log.note(s.by, s.day)
			out = append(out, source{path: datedPath(f.path, s), state: &s, repo: repo})
		}
		o.log.note(f.state.by, f.state.day)
	}
	return out, nil
}

// datedPath names an earlier state of a file; nothing of that name is on disk.
func datedPath(path string, s state) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "@" + s.blob[:12] + ext
}

// gitRepo reads one repository by the program git, as it is here: nothing is
// fetched, no hook and no filter of the repository's own settings is run.
type gitRepo struct {
	program, top string

	mu  sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (r *gitRepo) command(ctx context.Context, args ...string) *exec.Cmd {
	safe := []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.allow=never", "-c", "core.quotePath=false", "-c", "log.showSignature=false", "--no-pager", "-C", r.top}
	cmd := exec.CommandContext(ctx, r.program, append(safe, args...)...)
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	return cmd
}

// logForm is the head of a commit in the list; the files it changed follow.
const logForm = "%x01%(trailers:key=Source-Id,valueonly,separator=%x2C)%x02%(trailers:key=Source-Date,valueonly,separator=%x2C)"

// states lists, for each file wanted, its texts from the newest to the oldest.
func (r *gitRepo) states(ctx context.Context, wanted map[string]int) (map[string][]state, error) {
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
		line, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		if strings.Contains(line, "does not have any commits") {
			return nil, nil
		}
		err = fmt.Errorf("git dice: %s", clip(line, 200))
	}
	if err != nil {
		return nil, err
	}
	return parseGitLog(string(data), func(rel string) bool { _, ok := wanted[rel]; return ok }), nil
}

// parseGitLog reads the list of commits: a head, then for each file its modes, its
// texts before and after, and its name, all apart by zero bytes.
func parseGitLog(s string, wanted func(string) bool) map[string][]state {
	out := map[string][]state{}
	var head state
	fields := strings.Split(s, "\x00")
	for i := 0; i < len(fields); i++ {
		f := strings.TrimLeft(fields[i], "\n")
		if rest, ok := strings.CutPrefix(f, "\x01"); ok {
			by, day, _ := strings.Cut(rest, "\x02")
			head = state{by: strings.TrimSpace(by)}
			if officialID.FindString(head.by) != head.by {
				head.by = ""
			}
			if day = strings.TrimSpace(day); isoDate.MatchString(day) {
				head.day = digesto.Date(day)
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
		st.blob = m[3]
		if !allZero(m[2]) {
			st.before = m[2]
		}
		out[name] = append(out[name], st)
	}
	return out
}

func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

func allZero(s string) bool { return strings.Trim(s, "0") == "" }

// blob gives one text. The program stays open for the next.
func (r *gitRepo) blob(ctx context.Context, hash string, limit int64) ([]byte, error) {
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

func (r *gitRepo) open(ctx context.Context) error {
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

// closeRepos ends the programs that read histories.
func closeRepos(files []source) {
	for _, f := range files {
		if f.repo != nil {
			f.repo.close()
		}
	}
}

// close ends the program.
func (r *gitRepo) close() {
	if r.cmd != nil {
		_ = r.in.Close()
		_ = r.cmd.Wait()
		r.cmd = nil
	}
}

// blobHash is the name that git gives to a text, of the same length as like.
func blobHash(data []byte, like string) string {
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

// load gives the bytes of a source, wherever they are.
func (f source) load(ctx context.Context, limit int64) ([]byte, error) {
	if f.state == nil || f.state.blob == "" {
		return os.ReadFile(f.path)
	}
	return f.repo.blob(ctx, f.state.blob, limit)
}

// reformed notes, in the units whose words a commit changed, the norm that brought
// the change: their own notes do not always tell of it.
func (f source) reformed(ctx context.Context, docs []corpus.Document, opt Options) {
	if f.state == nil || f.state.by == "" || f.state.day == "" || f.state.before == "" || len(docs) != 1 {
		return
	}
	data, err := f.repo.blob(ctx, f.state.before, opt.maxBytes())
	if err != nil {
		return
	}
	old, _, err := ReadFile(ctx, f.path, data, opt)
	if err != nil || len(old) != 1 {
		return
	}
	was := map[string]string{}
	for _, u := range old[0].Units {
		was[u.ID] = letters(u.Versions[len(u.Versions)-1].Text)
	}
	for i := range docs[0].Units {
		u := &docs[0].Units[i]
		v := &u.Versions[len(u.Versions)-1]
		told := slices.ContainsFunc(v.Reforms, func(r digesto.Reform) bool { return r.Norm == f.state.by || r.Published == f.state.day })
		if told || was[u.ID] == letters(v.Text) {
			continue
		}
		v.Reforms = append(v.Reforms, digesto.Reform{Norm: f.state.by, Name: f.state.by, Published: f.state.day})
		dateVersion(v)
	}
}
