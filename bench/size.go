package bench

import (
	"bufio"
	"digesto/text/lazyregexp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/disk"
	"digesto/index"
)

// SizeOptions are a corpus of JSON Lines, the sizes in articles at which it is installed,
// and the questions that are put to what is installed: to its index those of Queries, as
// whole answers those of a pack.
type SizeOptions struct {
	Corpus   string
	Queries  string
	Articles []int
	Pack     string
	Requests int
}

// SizeRow is what one size costs. Each process measured is one of its own; memory is the
// peak of its resident size, 0 where the system does not tell it.
type SizeRow struct {
	Articles   int       `json:"articles"`
	Source     int64     `json:"source_bytes"`
	Install    float64   `json:"install_s"`
	InstallRSS int64     `json:"install_peak_rss_bytes"`
	Library    int64     `json:"library_bytes"`
	Index      int64     `json:"index_bytes"`
	Search     Quantiles `json:"search"`
	Answer     Quantiles `json:"answer"`
	ServeRSS   int64     `json:"serve_peak_rss_bytes"`
}

// Size installs the corpus in each size in a folder of its own, by the program itself,
// and asks.
func Size(a *app.App, c SizeOptions) (rows []SizeRow, err error) {
	if c.Requests < 10 || len(c.Articles) == 0 {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "--requests o --articles no valen", Hint: "Use al menos 10 preguntas y un tamaño."}
	}
	texts, err := readTexts(a, c.Queries)
	if err != nil {
		return nil, err
	}
	for _, n := range c.Articles {
		r, err := c.size(a, n, texts)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func (c SizeOptions) size(a *app.App, n int, texts []string) (r SizeRow, err error) {
	dir, err := os.MkdirTemp("", "digesto-bench-")
	if err != nil {
		return r, disk.Error(err, os.TempDir(), "Hace falta sitio en la carpeta temporal.")
	}
	defer func() { _ = os.RemoveAll(dir) }()
	source, data := filepath.Join(dir, "texts"), filepath.Join(dir, "data")
	if r.Articles, err = c.write(source, n); err != nil {
		return r, err
	}
	r.Source = treeSize(source)
	began := time.Now()
	if _, r.InstallRSS, err = child(a, "corpus", "add", source, "--data", data); err != nil {
		return r, err
	}
	r.Install = time.Since(began).Seconds()
	r.Library, r.Index = treeSize(filepath.Join(data, "corpus")), treeSize(filepath.Join(data, "index"))
	if r.Search, err = searched(a, data, texts); err != nil {
		return r, err
	}
	out, _, err := child(a, "bench", "load", "--data", data, "--pack", c.Pack, "--requests", strconv.Itoa(c.Requests), "--clients", "1", "--anew", "--json")
	var load LoadReport
	if err == nil {
		err = json.Unmarshal(out, &load)
	}
	r.Answer, r.ServeRSS = load.Alone, load.PeakRSS
	return r, err
}

// searched asks the index installed for the best ten by words, after a warm-up of ten.
func searched(a *app.App, data string, texts []string) (Quantiles, error) {
	dirs, err := filepath.Glob(filepath.Join(data, "index", "*"))
	if err != nil || len(dirs) != 1 {
		return Quantiles{}, &digesto.Error{Code: digesto.CodeInternal, Message: "no hay un solo índice en " + data, Err: err}
	}
	x, err := index.Open(dirs[0], index.OpenOptions{})
	if err != nil {
		return Quantiles{}, err
	}
	defer x.Close()
	var took []time.Duration
	for i, text := range append(texts[:min(10, len(texts)):min(10, len(texts))], texts...) {
		began := time.Now()
		if _, err := x.Search(a.Context, digesto.Query{Text: text, K: 10, NoTotal: true}); err != nil {
			return Quantiles{}, err
		}
		if i >= 10 {
			took = append(took, time.Since(began))
		}
	}
	return quantilesOf(took), nil
}

// child runs this program and gives what it printed and its peak of memory, looked up
// while it runs.
func child(a *app.App, args ...string) (out []byte, peak int64, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, 0, err
	}
	cmd := exec.CommandContext(a.Context, self, args...) //nolint:gosec // this program itself
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		select {
		case <-tick.C:
			peak = max(peak, peakOf(strconv.Itoa(cmd.Process.Pid)))
		case err := <-done:
			tick.Stop()
			if err != nil {
				err = &digesto.Error{Code: digesto.CodeInternal, Message: "digesto " + strings.Join(args, " ") + ": " + strings.TrimSpace(stderr.String()), Err: err}
			}
			return []byte(stdout.String()), peak, err
		}
	}
}

// fileBytes is about how large the files are that a corpus is written in.
const fileBytes = 32 << 20

// write writes the first n articles of the corpus, over and over: from the second time on
// every eleventh word of an article is one of its own, and the laws are others, by
// identifier and by number.
func (c SizeOptions) write(dir string, n int) (written int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, disk.Error(err, dir, "Hace falta sitio en la carpeta temporal.")
	}
	w := &rotating{dir: dir}
	defer func() {
		if e := w.close(); err == nil {
			err = e
		}
	}()
	for k := 0; written < n; k++ {
		before := written
		if err := c.copy(w, k, n, &written); err != nil {
			return written, err
		}
		if written == before {
			return written, &digesto.Error{Code: digesto.CodeInvalid, Message: c.Corpus + " no tiene artículos", Hint: "Dé un corpus JSON Lines."}
		}
	}
	return written, nil
}

// numbered is the number of a law in its title.
var numbered = lazyregexp.New(`\d+/\d{4}`)

func (c SizeOptions) copy(w *rotating, k, n int, written *int) error {
	f, err := os.Open(c.Corpus)
	if err != nil {
		return disk.Error(err, c.Corpus, "")
	}
	defer f.Close()
	for line, err := range disk.Lines(f, c.Corpus) {
		if err != nil {
			return err
		}
		if *written == n {
			return nil
		}
		var u struct {
			ID       string            `json:"_id"`
			Title    string            `json:"title"`
			Text     string            `json:"text"`
			Metadata map[string]string `json:"metadata"`
		}
		if err := line.Decode(&u); err != nil {
			return err
		}
		if k > 0 {
			law, unit, _ := strings.Cut(u.ID, ":")
			u.ID, u.Metadata["law"] = fmt.Sprintf("%s-%d:%s", law, k, unit), fmt.Sprintf("%s-%d", law, k)
			if at := numbered.FindStringIndex(u.Title); at != nil {
				u.Title = u.Title[:at[0]] + strconv.Itoa(k) + "0" + u.Title[at[0]:]
			}
			words := strings.Fields(u.Text)
			for j := k % 11; j < len(words); j += 11 {
				words[j] += fmt.Sprint("x", k)
			}
			u.Text = strings.Join(words, " ")
		}
		b, err := json.Marshal(u)
		if err == nil {
			err = w.line(append(b, '\n'))
		}
		if err != nil {
			return err
		}
		*written++
	}
	return nil
}

// rotating writes lines to files of about fileBytes.
type rotating struct {
	dir  string
	n    int // files so far
	left int
	f    *os.File
	w    *bufio.Writer
}

func (r *rotating) line(b []byte) (err error) {
	if r.left <= 0 {
		if err := r.close(); err != nil {
			return err
		}
		if r.f, err = os.Create(filepath.Join(r.dir, fmt.Sprintf("%04d.jsonl", r.n))); err != nil {
			return disk.Error(err, r.dir, "Hace falta sitio en la carpeta temporal.")
		}
		r.w, r.left = bufio.NewWriter(r.f), fileBytes
		r.n++
	}
	r.left -= len(b)
	_, err = r.w.Write(b)
	return err
}

func (r *rotating) close() error {
	if r.f == nil {
		return nil
	}
	err := r.w.Flush()
	if e := r.f.Close(); err == nil {
		err = e
	}
	return err
}
