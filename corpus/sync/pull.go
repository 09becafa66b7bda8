package sync

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/corpus/fetch"
	"digesto/corpus/ingest"
	"digesto/pack"
	"digesto/packs"
	"digesto/text/lazyregexp"
)

// The official services that the program knows. Addresses are settings, so that
// a mirror can stand in for them.
const (
	boeAPI     = "https://www.boe.es/datosabiertos/api"
	boeDaily   = "https://www.boe.es/diario_boe/xml.php?id=%s"
	infolegDir = "https://servicios.infoleg.gob.ar/infolegInternet/anexos"
)

// Source says what became of one source.
type Source struct {
	ID     string `json:"id"`
	URL    string `json:"url,omitempty"`
	State  string `json:"state"` // "new", "changed", "unchanged", "failed"
	Bytes  int64  `json:"bytes,omitempty"`
	Blocks int    `json:"blocks,omitempty"` // asked for one by one, instead of the whole document
	Error  string `json:"error,omitempty"`
	Hint   string `json:"hint,omitempty"`

	pack string
	Path string `json:"-"` // of the file that it stands in; "" = there is none
	Err  error  `json:"-"`
}

// Target is one document wanted.
type Target struct {
	id, url, pack string
	boe           bool // by the open-data service
	refresh       bool // only the blocks that changed, if the copy that is there can be brought up to date
}

// Client fetches targets into the folder of sources.
type Client struct {
	o      Options
	Client *fetch.Client
	boe    fetch.OpenData
	Dir    string // DATA/pulled
}

// Open opens the client over the allowed hosts: those of the packs' sources
// and those that are allowed besides.
func Open(o Options) (*Client, error) {
	if err := o.Permit(); err != nil {
		return nil, err
	}
	base, daily := o.base(), boeDaily
	if base != boeAPI {
		daily = strings.TrimSuffix(base, "/datosabiertos/api") + "/diario_boe/xml.php?id=%s"
	}
	allow := o.publishers()
	for _, h := range o.Allow {
		allow[strings.ToLower(h)] = true
	}
	delete(allow, "")
	c, err := fetch.New(fetch.Options{Allow: slices.Sorted(maps.Keys(allow)), Dir: filepath.Join(o.Data, "cache", "fetch"), Agent: o.Agent,
		Clock: o.Clock, Loopback: o.Loopback, Sleep: o.Sleep})
	if err != nil {
		return nil, err
	}
	return &Client{o: o, Client: c, boe: fetch.OpenData{Client: c, Base: base, Daily: daily}, Dir: filepath.Join(o.Data, "pulled")}, nil
}

// base is the address of the open-data service of the journal, or of its mirror.
func (o Options) base() string { return cmp.Or(o.Base, boeAPI) }

// HostOf is the host of an address; "" where it has none.
func HostOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

var boeID = lazyregexp.New(`^[A-Z]{3,5}-[A-Za-z]-\d{4}-\d{1,6}$`)

// Targets reads what sources are named: a pack, an identifier of a service, or an address;
// what is of no pack is added to that of packName.
func Targets(all []*pack.Pack, sources []string, packName string) (out []Target, err error) {
	for _, s := range sources {
		scheme, rest, _ := strings.Cut(s, ":")
		switch {
		case scheme == "boe" || boeID.MatchString(s):
			out = append(out, Target{id: strings.TrimPrefix(s, "boe:"), pack: packName, boe: true})
		case scheme == "infoleg":
			n, err := strconv.Atoi(rest)
			if err != nil || n < 1 || n > 9_999_999 {
				return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "«" + rest + "» no es un número de InfoLEG", Hint: "Es el número de la dirección de la norma: infoleg:25552."}
			}
			out = append(out, Target{id: "infoleg-" + rest, url: infolegURL(n), pack: packName})
		case scheme == "https" || scheme == "http":
			out = append(out, Target{id: fileName(s), url: s, pack: packName})
		default:
			p, err := packs.Named(all, s)
			if err != nil {
				return nil, err
			}
			for _, src := range p.Sources {
				out = append(out, Target{id: src.ID, url: src.URL, pack: p.Name, boe: boeID.MatchString(src.ID) && HostOf(src.URL) == HostOf(boeAPI)})
			}
		}
	}
	return out, nil
}

// infolegURL is the page of the updated text: norms stand in folders of 5000.
func infolegURL(n int) string {
	from := n / 5000 * 5000
	return fmt.Sprintf("%s/%d-%d/%d/texact.htm", infolegDir, from, from+4999, n)
}

var unfit = lazyregexp.New(`[^A-Za-z0-9._-]+`)

func fileName(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "documento"
	}
	name := strings.Trim(unfit.ReplaceAllString(u.Path+"-"+u.RawQuery, "-"), "-.")
	return cmp.Or(name[:min(len(name), 80)], "documento")
}

// FetchAll gets every target, with the time that is left. It stops early only
// when it is cancelled or the disk is full.
func (p *Client) FetchAll(ctx context.Context, targets []Target) ([]Source, error) {
	show, done := p.o.Progress("Descargando")
	defer done()
	out := make([]Source, 0, len(targets))
	began := p.o.Clock()
	for i, t := range targets {
		r := p.FetchOne(ctx, t)
		if code := digesto.CodeOf(r.Err); r.Err != nil && (ctx.Err() != nil || code == digesto.CodeInternal) {
			return out, r.Err
		}
		out = append(out, r)
		show(i+1, len(targets))
		if n := i + 1; p.o.Quiet && n%25 == 0 && n < len(targets) {
			left := p.o.Clock().Sub(began) / time.Duration(n) * time.Duration(len(targets)-n)
			p.o.Say("%d de %d normas · %d KB · quedan unos %s", n, len(targets), p.Client.Bytes()>>10, left.Round(time.Second))
		}
	}
	return out, nil
}

// FetchOne gets one document and puts it under its name in the folder of its pack.
func (p *Client) FetchOne(ctx context.Context, t Target) Source {
	out := Source{ID: t.id, URL: t.url, pack: t.pack}
	var r fetch.Result
	switch {
	case t.boe:
		ok := false
		if r, out.Blocks, ok = p.refreshed(ctx, t); !ok {
			r, out.Err = p.boe.Norm(ctx, t.id)
		}
	default:
		u := t.url
		if strings.HasPrefix(u, "http://") && !p.o.Loopback {
			u = "https://" + strings.TrimPrefix(u, "http://")
		}
		r, out.Err = p.Client.Get(ctx, fetch.Request{URL: u, Want: wanted(u)})
		if digesto.CodeOf(out.Err) == digesto.CodeNotFound && strings.HasSuffix(u, "/texact.htm") { // never updated: as published
			r, out.Err = p.Client.Get(ctx, fetch.Request{URL: strings.TrimSuffix(u, "texact.htm") + "norma.htm", Want: "html"})
		}
	}
	if out.Err == nil {
		out.URL, out.Bytes = r.URL, r.Size
		out.Path, out.State, out.Err = p.place(t, r)
	}
	if out.Err != nil {
		out.State, out.Error = "failed", Message(out.Err)
		var e *digesto.Error
		if errors.As(out.Err, &e) {
			out.Hint = e.Hint
		}
	}
	return out
}

// refreshed brings the copy of a norm up to date by its blocks; ok is false when the
// whole document is to be got.
func (p *Client) refreshed(ctx context.Context, t Target) (r fetch.Result, blocks int, ok bool) {
	if !t.refresh {
		return r, 0, false
	}
	old, err := os.ReadFile(filepath.Join(p.Dir, cmp.Or(t.pack, "varios"), unfit.ReplaceAllString(t.id, "-")+".xml"))
	if err != nil {
		return r, 0, false
	}
	data, blocks, err := p.boe.Refresh(ctx, t.id, old)
	if err != nil {
		return r, 0, false
	}
	path := filepath.Join(p.Dir, unfit.ReplaceAllString(t.id, "-")+".tmp")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return r, 0, false
	}
	return fetch.Result{Path: path, Record: fetch.Record{URL: p.boe.Base + "/legislacion-consolidada/id/" + t.id, Size: int64(len(data)), Fetched: p.o.Clock(), SHA256: hexSum(data)}}, blocks, true
}

func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func wanted(u string) string {
	switch strings.ToLower(filepath.Ext(strings.SplitN(u, "?", 2)[0])) {
	case ".pdf":
		return "pdf"
	case ".xml":
		return "xml"
	case ".htm", ".html":
		return "html"
	}
	return ""
}

// place copies a fetched document to where it is read from, under a name that
// tells its form; the copy that is there already stays when it is the same.
func (p *Client) place(t Target, r fetch.Result) (path, state string, err error) {
	data, err := os.ReadFile(r.Path)
	if err != nil {
		return "", "", err
	}
	if t.refresh && strings.HasPrefix(r.Path, p.Dir) {
		defer func() { _ = os.Remove(r.Path) }()
	}
	dir := filepath.Join(p.Dir, cmp.Or(t.pack, "varios"))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	path = filepath.Join(dir, unfit.ReplaceAllString(t.id, "-")+extension(data))
	old, err := os.ReadFile(path)
	switch {
	case err == nil && string(old) == string(data):
		return path, "unchanged", p.attribute(path, r)
	case err == nil:
		state = "changed"
	default:
		state = "new"
	}
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		return "", "", err
	}
	if err := os.Rename(tmp, path); err != nil {
		return "", "", err
	}
	return path, state, p.attribute(path, r)
}

func extension(data []byte) string {
	head := strings.ToLower(strings.TrimSpace(string(data[:min(len(data), 1024)])))
	switch {
	case strings.HasPrefix(head, "%pdf"):
		return ".pdf"
	case strings.HasPrefix(head, "<!doctype html"), strings.HasPrefix(head, "<html"), strings.Contains(head, "<body"), strings.Contains(head, "<head"):
		return ".html"
	case strings.HasPrefix(head, "<"):
		return ".xml"
	case strings.HasPrefix(head, "{"), strings.HasPrefix(head, "["), strings.HasPrefix(head, "\ufeff{"):
		return ".json"
	}
	return ".txt"
}

// attribute keeps, beside the library, where each document came from and under
// which terms: what the services ask of whoever uses their texts again.
func (p *Client) attribute(path string, r fetch.Result) error {
	list := filepath.Join(p.Dir, "FUENTES.tsv")
	data, err := os.ReadFile(list)
	if err != nil {
		data = []byte("fichero\tdirección\tconsultado\tsha256\tcondiciones\n")
	}
	rel, err := filepath.Rel(p.Dir, path)
	if err != nil {
		rel = path
	}
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n") {
		if !strings.HasPrefix(line, rel+"\t") {
			b.WriteString(line + "\n")
		}
	}
	fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", rel, r.URL, r.Fetched.Format(time.RFC3339), r.SHA256, p.o.terms(r.URL))
	return os.WriteFile(list, []byte(b.String()), 0o644)
}

// terms is the line of attribution of a service.
func (o Options) terms(u string) string {
	h := HostOf(u)
	for _, t := range o.Terms {
		if strings.HasSuffix(h, t.Host) {
			return t.Line
		}
	}
	return "Texto oficial; fuente: " + h
}

// Add reads what came into the library.
func (p *Client) Add(ctx context.Context, list []Source) (ingest.Report, error) {
	var all ingest.Report
	byPack := map[string][]string{}
	for _, x := range list {
		if x.Path != "" {
			byPack[x.pack] = append(byPack[x.pack], x.Path)
		}
	}
	if len(byPack) == 0 {
		return all, nil
	}
	lib, data, err := p.o.Library()
	if err != nil {
		return all, err
	}
	defer lib.Close()
	for _, pack := range slices.Sorted(maps.Keys(byPack)) {
		rep, err := p.o.Ingest(ctx, lib, data, byPack[pack], ingest.Options{Pack: pack})
		if err != nil {
			return all, err
		}
		all.Norms += rep.Norms
		all.Units += rep.Units
		all.Versions += rep.Versions
		all.Unchanged += rep.Unchanged
		all.Skipped = append(all.Skipped, rep.Skipped...)
		all.Snapshot = rep.Snapshot
	}
	p.o.Prune(lib, data)
	return all, nil
}
