package main

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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/corpus/fetch"
	"digesto/corpus/ingest"
)

// corpusPullCmd brings official texts from the services that publish them.
type corpusPullCmd struct {
	Pack   string   `name:"pack" placeholder:"PAQUETE" help:"Paquete al que se añaden las fuentes sueltas."`
	Max    int      `name:"max" placeholder:"N" help:"Como mucho N normas (0: todas)."`
	Source []string `arg:"" placeholder:"PAQUETE|FUENTE" help:"Un paquete, boe:ID, infoleg:NÚMERO o una dirección https de la lista permitida."`
}

// Examples of the command.
func (corpusPullCmd) Examples() []string {
	return []string{"digesto corpus pull laboral", "digesto corpus pull boe:BOE-A-2015-11430 --pack laboral", "digesto corpus pull https://www.boe.es/boe/dias/2025/07/30/pdfs/BOE-A-2025-15741.pdf"}
}

// The official services that the program knows. Addresses are settings, so that
// a mirror can stand in for them.
const (
	boeAPI     = "https://www.boe.es/datosabiertos/api"
	boeDaily   = "https://www.boe.es/diario_boe/xml.php?id=%s"
	infolegDir = "https://servicios.infoleg.gob.ar/infolegInternet/anexos"
)

// pulled says what became of one source.
type pulled struct {
	ID     string `json:"id"`
	URL    string `json:"url,omitempty"`
	State  string `json:"state"` // "new", "changed", "unchanged", "failed"
	Bytes  int64  `json:"bytes,omitempty"`
	Blocks int    `json:"blocks,omitempty"` // asked for one by one, instead of the whole document
	Error  string `json:"error,omitempty"`
	Hint   string `json:"hint,omitempty"`

	pack, path string
	err        error
}

// pullTarget is one document wanted.
type pullTarget struct {
	id, url, pack string
	boe           bool // by the open-data service
	refresh       bool // only the blocks that changed, if the copy that is there can be brought up to date
}

// puller fetches targets into the folder of sources.
type puller struct {
	a      *app
	client *fetch.Client
	boe    fetch.OpenData
	dir    string // DATA/pulled
}

// puller opens the client over the allowed hosts: those of the packs' sources
// and those of the configuration.
func (a *app) puller(w *world) (*puller, error) {
	data, err := a.needData()
	if err != nil {
		return nil, err
	}
	base := a.boeBase()
	daily := boeDaily
	if base != boeAPI {
		daily = strings.TrimSuffix(base, "/datosabiertos/api") + "/diario_boe/xml.php?id=%s"
	}
	allow := a.publishers(w)
	for _, h := range strings.FieldsFunc(a.conf.get("fetch.allow"), func(r rune) bool { return r == ',' || r == ' ' }) {
		allow[strings.ToLower(h)] = true
	}
	var hosts []string
	for h := range allow {
		if h != "" {
			hosts = append(hosts, h)
		}
	}
	slices.Sort(hosts)
	if err := a.mayFetch(); err != nil {
		return nil, err
	}
	c, err := fetch.New(fetch.Options{Allow: hosts, Dir: filepath.Join(data, "cache", "fetch"), Agent: "digesto/" + buildVersion().Version + " (+textos legales; 5 peticiones por segundo como mucho)",
		Clock: a.now, Loopback: a.loopback, Sleep: a.sleep})
	if err != nil {
		return nil, err
	}
	return &puller{a: a, client: c, boe: fetch.OpenData{Client: c, Base: base, Daily: daily}, dir: filepath.Join(data, "pulled")}, nil
}

// boeBase is the address of the open-data service of the BOE, or of its mirror.
func (a *app) boeBase() string { return cmp.Or(a.conf.get("fetch.boe"), boeAPI) }

func hostOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

var boeID = regexp.MustCompile(`^[A-Z]{3,5}-[A-Za-z]-\d{4}-\d{1,6}$`)

// targets reads what the command line names.
func (c corpusPullCmd) targets(w *world) (out []pullTarget, err error) {
	for _, s := range c.Source {
		scheme, rest, _ := strings.Cut(s, ":")
		switch {
		case scheme == "boe" || boeID.MatchString(s):
			out = append(out, pullTarget{id: strings.TrimPrefix(s, "boe:"), pack: c.Pack, boe: true})
		case scheme == "infoleg":
			n, err := strconv.Atoi(rest)
			if err != nil || n < 1 || n > 9_999_999 {
				return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "«" + rest + "» no es un número de InfoLEG", Hint: "Es el número de la dirección de la norma: infoleg:25552."}
			}
			out = append(out, pullTarget{id: "infoleg-" + rest, url: infolegURL(n), pack: c.Pack})
		case scheme == "https" || scheme == "http":
			out = append(out, pullTarget{id: fileName(s), url: s, pack: c.Pack})
		default:
			p, err := w.pack(s)
			if err != nil {
				return nil, err
			}
			for _, src := range p.Sources {
				out = append(out, pullTarget{id: src.ID, url: src.URL, pack: p.Name, boe: boeID.MatchString(src.ID) && hostOf(src.URL) == hostOf(boeAPI)})
			}
		}
	}
	if c.Max > 0 && len(out) > c.Max {
		out = out[:c.Max]
	}
	return out, nil
}

// infolegURL is the page of the updated text: norms stand in folders of 5000.
func infolegURL(n int) string {
	from := n / 5000 * 5000
	return fmt.Sprintf("%s/%d-%d/%d/texact.htm", infolegDir, from, from+4999, n)
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

func fileName(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "documento"
	}
	name := strings.Trim(unfit.ReplaceAllString(u.Path+"-"+u.RawQuery, "-"), "-.")
	return cmp.Or(name[:min(len(name), 80)], "documento")
}

// Run fetches, adds what is new, and says what became of each source. Exit 5
// when a source could not be had; the others are added all the same.
func (c corpusPullCmd) Run(a *app) error {
	w, err := a.openPack(c.Pack)
	if err != nil {
		return err
	}
	defer w.close()
	targets, err := c.targets(w)
	if err != nil {
		return err
	}
	p, err := a.puller(w)
	if err != nil {
		return err
	}
	list, err := p.fetchAll(a.ctx, targets)
	if err != nil {
		return err
	}
	added, err := p.add(w, list)
	if err != nil {
		return err
	}
	return p.report(list, added)
}

// fetchAll gets every target, with the time that is left. It stops early only
// when it is cancelled or the disk is full.
func (p *puller) fetchAll(ctx context.Context, targets []pullTarget) ([]pulled, error) {
	show, done := p.a.progress("Descargando")
	defer done()
	out := make([]pulled, 0, len(targets))
	began := p.a.now()
	for i, t := range targets {
		r := p.fetchOne(ctx, t)
		if code := digesto.CodeOf(r.err); r.err != nil && (ctx.Err() != nil || code == digesto.CodeInternal) {
			return out, r.err
		}
		out = append(out, r)
		show(i+1, len(targets))
		if n := i + 1; !p.a.errTerm && n%25 == 0 && n < len(targets) {
			left := p.a.now().Sub(began) / time.Duration(n) * time.Duration(len(targets)-n)
			p.a.say("%d de %d normas · %d KB · quedan unos %s", n, len(targets), p.client.Bytes()>>10, left.Round(time.Second))
		}
	}
	return out, nil
}

// fetchOne gets one document and puts it under its name in the folder of its pack.
func (p *puller) fetchOne(ctx context.Context, t pullTarget) pulled {
	out := pulled{ID: t.id, URL: t.url, pack: t.pack}
	var r fetch.Result
	switch {
	case t.boe:
		ok := false
		if r, out.Blocks, ok = p.refreshed(ctx, t); !ok {
			r, out.err = p.boe.Norm(ctx, t.id)
		}
	default:
		u := t.url
		if strings.HasPrefix(u, "http://") && !p.a.loopback {
			u = "https://" + strings.TrimPrefix(u, "http://")
		}
		r, out.err = p.client.Get(ctx, fetch.Request{URL: u, Want: wanted(u)})
		if digesto.CodeOf(out.err) == digesto.CodeNotFound && strings.HasSuffix(u, "/texact.htm") { // never updated: as published
			r, out.err = p.client.Get(ctx, fetch.Request{URL: strings.TrimSuffix(u, "texact.htm") + "norma.htm", Want: "html"})
		}
	}
	if out.err == nil {
		out.URL, out.Bytes = r.URL, r.Size
		out.path, out.State, out.err = p.place(t, r)
	}
	if out.err != nil {
		out.State, out.Error = "failed", plainMessage(out.err)
		var e *digesto.Error
		if errors.As(out.err, &e) {
			out.Hint = e.Hint
		}
	}
	return out
}

// refreshed brings the copy of a norm up to date by its blocks; ok is false when the
// whole document is to be got.
func (p *puller) refreshed(ctx context.Context, t pullTarget) (r fetch.Result, blocks int, ok bool) {
	if !t.refresh {
		return r, 0, false
	}
	old, err := os.ReadFile(filepath.Join(p.dir, cmp.Or(t.pack, "varios"), unfit.ReplaceAllString(t.id, "-")+".xml"))
	if err != nil {
		return r, 0, false
	}
	data, blocks, err := p.boe.Refresh(ctx, t.id, old)
	if err != nil {
		return r, 0, false
	}
	path := filepath.Join(p.dir, unfit.ReplaceAllString(t.id, "-")+".tmp")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return r, 0, false
	}
	return fetch.Result{Path: path, Record: fetch.Record{URL: p.boe.Base + "/legislacion-consolidada/id/" + t.id, Size: int64(len(data)), Fetched: p.a.now(), SHA256: hexSum(data)}}, blocks, true
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
func (p *puller) place(t pullTarget, r fetch.Result) (path, state string, err error) {
	data, err := os.ReadFile(r.Path)
	if err != nil {
		return "", "", err
	}
	if t.refresh && strings.HasPrefix(r.Path, p.dir) {
		defer func() { _ = os.Remove(r.Path) }()
	}
	dir := filepath.Join(p.dir, cmp.Or(t.pack, "varios"))
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
func (p *puller) attribute(path string, r fetch.Result) error {
	list := filepath.Join(p.dir, "FUENTES.tsv")
	data, err := os.ReadFile(list)
	if err != nil {
		data = []byte("fichero\tdirección\tconsultado\tsha256\tcondiciones\n")
	}
	rel, err := filepath.Rel(p.dir, path)
	if err != nil {
		rel = path
	}
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n") {
		if !strings.HasPrefix(line, rel+"\t") {
			b.WriteString(line + "\n")
		}
	}
	fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", rel, r.URL, r.Fetched.Format(time.RFC3339), r.SHA256, terms(r.URL))
	return os.WriteFile(list, []byte(b.String()), 0o644)
}

// terms is the line of attribution of a service.
func terms(u string) string {
	switch h := hostOf(u); {
	case strings.HasSuffix(h, "boe.es"):
		return "Fuente: Agencia Estatal Boletín Oficial del Estado; reutilización citando la fuente y la fecha"
	case strings.HasSuffix(h, "infoleg.gob.ar"), strings.HasSuffix(h, "argentina.gob.ar"):
		return "Fuente: InfoLEG, Ministerio de Justicia de la Nación Argentina; CC BY 4.0"
	default:
		return "Texto oficial; fuente: " + h
	}
}

// add reads what came into the library.
func (p *puller) add(w *world, list []pulled) (ingest.Report, error) {
	var all ingest.Report
	byPack := map[string][]string{}
	for _, x := range list {
		if x.path != "" {
			byPack[x.pack] = append(byPack[x.pack], x.path)
		}
	}
	if len(byPack) == 0 {
		return all, nil
	}
	lib, data, err := p.a.library()
	if err != nil {
		return all, err
	}
	defer lib.Close()
	for _, pack := range slices.Sorted(maps.Keys(byPack)) {
		rep, err := p.a.ingest(w, lib, data, byPack[pack], ingest.Options{Pack: pack})
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
	prune(lib, data)
	return all, nil
}

// report prints what became of each source.
func (p *puller) report(list []pulled, added ingest.Report) error {
	a, count := p.a, map[string]int{}
	for _, x := range list {
		count[x.State]++
	}
	if a.json {
		if err := a.printJSON(map[string]any{"sources": list, "counts": count, "norms": added.Norms, "units": added.Units, "versions": added.Versions,
			"requests": p.client.Requests(), "bytes": p.client.Bytes(), "corpus": added.Snapshot}); err != nil {
			return err
		}
	} else {
		for _, x := range list {
			if x.State == "failed" {
				fmt.Fprintf(a.out, "%s %s: %s\n", a.outStyle().bad("no descargada:"), clean(x.ID), clean(x.Error+". "+x.Hint))
			}
		}
		fmt.Fprintf(a.out, "%d fuentes: %d nuevas, %d cambiadas, %d sin cambios, %d no descargadas · %d peticiones, %d KB\n",
			len(list), count["new"], count["changed"], count["unchanged"], count["failed"], p.client.Requests(), p.client.Bytes()>>10)
		fmt.Fprintf(a.out, "%d normas leídas, %d artículos y otras unidades, %d versiones\n", added.Norms, added.Units, added.Versions)
		printSkipped(a, added.Skipped)
		fmt.Fprintf(a.out, "Procedencia y condiciones de cada texto: %s\n", filepath.Join(p.dir, "FUENTES.tsv"))
	}
	if count["failed"] > 0 {
		for _, x := range list {
			if x.err != nil {
				return &quietError{&digesto.Error{Code: digesto.CodeOf(x.err), Message: "hay fuentes que no se han podido descargar"}}
			}
		}
	}
	return nil
}
