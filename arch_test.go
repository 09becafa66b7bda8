package digesto_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// allowed is the import table of docs/design.md: which packages of this module
// a package may import. A trailing "/..." covers the packages below; "*" is all.
// internal/* holds helpers for tests and is free for tests only, but for internal/pdfium.
var allowed = map[string][]string{
	".":               {},
	"text":            {"."},
	"text/...":        {".", "text"},
	"recent":          {},
	"corpus":          {".", "text", "text/...", "recent"},
	"corpus/...":      {".", "text", "text/...", "corpus"},
	"corpus/sync":     {".", "text", "text/...", "corpus", "corpus/...", "disk", "pack", "packs"},
	"index":           {".", "text", "index/kernel", "index/quant"},
	"index/...":       {".", "text", "index"},
	"index/kernel":    {},
	"index/quant":     {"index/kernel"},
	"index/pgvector":  {".", "text", "index", "pg"},
	"pg":              {"."},
	"store":           {".", "text"},
	"store/...":       {".", "text", "store"},
	"store/postgres":  {".", "text", "store", "pg"},
	"model":           {".", "text"},
	"model/...":       {".", "text", "model", "model/wire", "third_party/..."},
	"model/roles":     {".", "text", "model", "model/..."},
	"model/e5/tokens": {"model/e5", "third_party/..."},
	"model/e5/pieces": {"model/e5"},
	"verify":          {".", "text", "text/...", "corpus"},
	"verify/read":     {".", "text", "text/..."},
	"verify/link":     {".", "text", "text/...", "verify/read"},
	"verify/judge":    {".", "text", "text/...", "verify/read"},
	"verify/brief":    {".", "text", "text/...", "corpus", "verify", "verify/read", "verify/link", "verify/judge"},
	"pack":            {".", "text", "text/..."},
	"pack/trees":      {"pack"},
	"digest":          {".", "text", "text/...", "corpus", "pack"},
	"digest/draft":    {".", "text", "text/...", "corpus", "pack", "digest", "model"},
	"search":          {".", "text", "text/...", "corpus", "pack", "digest", "index", "index/quant", "model"},
	"packs":           {".", "text", "text/...", "pack", "packs/..."},
	"packs/...":       {".", "text", "text/...", "pack"},
	"packs/jus":       {".", "text", "text/...", "pack", "packs/jus/..."},
	"question":        {".", "text", "text/...", "pack"},
	"passage":         {".", "text", "text/...", "question"},
	"extract":         {".", "text", "text/...", "question", "passage", "verify"},
	"query":           {".", "conversation", "text", "text/...", "recent", "corpus", "verify", "pack", "digest", "decide", "dialogue", "question", "passage", "extract", "model"},
	"retrieve":        {".", "text", "text/...", "corpus", "verify", "pack", "digest", "judge", "question", "passage", "extract", "query", "model"},
	"ground":          {".", "text", "text/...", "corpus", "verify", "pack", "digest", "search", "decide", "dialogue", "question", "passage", "extract", "query", "retrieve", "model"},
	"conversation":    {".", "model", "store"},
	"write":           {".", "text", "text/...", "corpus", "verify", "pack", "judge", "question", "passage", "extract", "query", "retrieve", "ground", "model"},
	"guide":           {".", "text", "text/...", "verify", "pack", "decide", "extract", "query", "retrieve", "ground", "write"},
	"route":           {".", "pack", "decide", "extract", "query", "retrieve", "ground"},
	"decide":          {".", "digest", "search"},
	"judge":           {".", "text", "text/...", "decide", "model"},
	"dialogue":        {".", "text", "text/...", "pack", "digest"},
	"ask": {".", "text", "text/...", "recent", "corpus", "verify", "pack", "digest", "search", "decide", "judge", "dialogue",
		"question", "passage", "extract", "conversation", "query", "retrieve", "ground", "write", "guide", "route", "model", "store"},
	"eval": {".", "text", "text/...", "corpus", "verify", "pack", "digest", "search", "decide", "judge", "model", "store", "ask"},
	"server": {".", "text", "text/...", "corpus", "corpus/follow", "verify", "pack", "digest", "decide", "model", "store", "conversation", "ask",
		"server/wire", "server/view", "server/openapi", "server/openai"},
	"server/...":      {".", "text", "text/...", "corpus", "corpus/follow", "verify", "pack", "model", "store", "conversation", "ask", "server", "server/wire", "recent"},
	"server/wire":     {"."},
	"server/view":     {".", "text", "text/...", "corpus", "pack", "digest", "store"},
	"server/openapi":  {".", "corpus", "store", "server/wire"},
	"server/openai":   {".", "text", "pack", "model", "conversation", "server/wire", "server/view"},
	"disk":            {"."},
	"app":             application,
	"app/...":         application,
	"app/fiches":      {"app"},
	"web/...":         append([]string{"app", "web/..."}, application...),
	"bench":           append([]string{"app", "index/bench"}, application...),
	"eval/run":        append([]string{"app"}, application...),
	"ops":             append([]string{"app"}, application...),
	"third_party/...": {},
	"cmd/...":         {"*"},

	// What the command line says to people: laid out, about itself, about what was found.
	"cmd/digesto/internal/terminal": {"text"},
	"cmd/digesto/internal/manual":   {".", "app", "cmd/digesto/internal/terminal"},
	"cmd/digesto/internal/show":     append([]string{"app", "bench", "eval/run", "ops", "web/verify", "cmd/digesto/internal/terminal"}, application...),

	// The rooms of ingest import downward alone: a format never another, structure and dating never a format.
	"corpus/ingest":           {".", "text", "text/...", "corpus", "corpus/ingest/..."},
	"corpus/ingest/line":      {".", "text"},
	"corpus/ingest/publisher": {},
	"corpus/ingest/xmltree":   {"corpus/ingest/line"},
	"corpus/ingest/heading":   {".", "text", "corpus/ingest/line"},
	"corpus/ingest/pdf":       {".", "text", "corpus/ingest/line", "corpus/ingest/heading", "corpus/ingest/publisher", "internal/pdfium"},
	"corpus/ingest/office":    {".", "text", "corpus", "corpus/ingest/line", "corpus/ingest/xmltree"},
	"corpus/ingest/markup":    {".", "text", "text/cite", "corpus", "corpus/ingest/line", "corpus/ingest/heading", "corpus/ingest/publisher"},
	"corpus/ingest/boe":       {".", "text", "corpus/ingest/line", "corpus/ingest/heading", "corpus/ingest/xmltree"},
	"corpus/ingest/gitlog":    {".", "corpus/ingest/line"},
	"corpus/ingest/dating":    {".", "text", "text/...", "corpus", "corpus/ingest/line", "corpus/ingest/heading", "corpus/ingest/publisher"},
	"corpus/ingest/structure": {".", "text", "text/...", "corpus", "corpus/ingest/line", "corpus/ingest/heading", "corpus/ingest/publisher", "corpus/ingest/dating"},
	"internal/pdfium":         {"third_party/pdfium"},
}

// application is what puts everything together may import: all but what prints it.
var application = []string{".", "text", "text/...", "disk", "corpus", "corpus/...", "index", "index/...", "model", "model/...", "pg", "recent",
	"store", "store/...", "verify", "verify/...", "pack", "packs", "packs/...", "digest", "digest/...", "search", "decide", "judge", "dialogue", "conversation", "query", "retrieve", "ground", "write", "ask",
	"eval", "server", "server/...", "app/...", "third_party/..."}

// core are the packages that may name no country, law or procedure: those are
// data of the packs.
var core = []string{".", "text", "text/...", "corpus", "corpus/...", "internal/pdfium", "index", "index/...", "model", "model/...", "pg", "recent",
	"store", "store/...", "verify", "verify/...", "pack", "digest", "search", "question", "passage", "extract", "query", "retrieve", "ground",
	"conversation", "write", "guide", "route", "decide", "judge", "dialogue", "ask", "eval", "server", "server/..."}

// domainWords may not stand in a string of the core, whole words, case ignored.
// Identifier families that a decoder of an official format must know (a scheme
// such as ELI) are not laws and are not listed.
var domainWords = []string{
	"españa", "argentina", "argentino", "perú", "peruano", "peruana", "córdoba",
	"estatuto de los trabajadores", "código tributario", "ley general de la seguridad social", "lgss", "sunat",
	"indecopi", "imv", "ingreso mínimo vital", "empadronamiento", "divorcio", "vacaciones", "jus", "uit", "smi",
	"reclamación tributaria", "código civil", "constitución española",
}

func TestImportTable(t *testing.T) {
	for pkg, files := range sources(t) {
		rules, ok := match(pkg)
		if !ok {
			t.Errorf("package %s is not in the import table", pkg)
			continue
		}
		for _, f := range files {
			for _, imp := range f.ast.Imports {
				path, _ := strconv.Unquote(imp.Path.Value)
				if path != "digesto" && !strings.HasPrefix(path, "digesto/") {
					continue
				}
				to := strings.TrimPrefix(strings.TrimPrefix(path, "digesto"), "/")
				switch to {
				case "":
					to = "."
				case "text/lazyregexp":
					continue // for all
				}
				if !covered(rules, to) {
					t.Errorf("%s imports %s: not allowed for %s", f.path, path, pkg)
				}
			}
		}
	}
}

func TestCoreNamesNoDomain(t *testing.T) {
	for pkg, files := range sources(t) {
		if !covered(core, pkg) {
			continue
		}
		for _, f := range files {
			ast.Inspect(f.ast, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				if w := domainWord(lit.Value); w != "" {
					t.Errorf("%s: the core names %q in %.60s", f.set.Position(lit.Pos()), w, lit.Value)
				}
				return true
			})
		}
	}
}

// TestDomainWordFound keeps the search above honest: it must find what it looks for.
func TestDomainWordFound(t *testing.T) {
	for in, want := range map[string]string{
		`"El Código Tributario, art. 3"`: "código tributario",
		`"justo"`:                        "",
		`"30 JUS"`:                       "jus",
		`"artículo"`:                     "",
	} {
		if got := domainWord(in); got != want {
			t.Errorf("domainWord(%s) = %q, want %q", in, got, want)
		}
	}
}

func domainWord(s string) string {
	low := strings.ToLower(s)
	for _, w := range domainWords {
		for at := 0; ; {
			i := strings.Index(low[at:], w)
			if i < 0 {
				break
			}
			i += at
			if !wordAt(low, i-1) && !wordAt(low, i+len(w)) {
				return w
			}
			at = i + len(w)
		}
	}
	return ""
}

// wordAt says whether the byte at i belongs to a word; bytes of letters outside ASCII do.
func wordAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c >= 0x80 || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
}

type source struct {
	path string
	ast  *ast.File
	set  *token.FileSet
}

// sources parses every file of the module that is not a test, by package folder.
func sources(t *testing.T) map[string][]source {
	t.Helper()
	out := map[string][]source{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || forTests(path)) {
				return filepath.SkipDir
			}
			if path != "." && exists(filepath.Join(path, "go.mod")) {
				return filepath.SkipDir // tools in a module of their own
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		if ignored(f) {
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		out[dir] = append(out[dir], source{path, f, set})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// forTests are the folders below internal that hold helpers for tests alone.
func forTests(path string) bool {
	return filepath.Dir(path) == "internal" && path != filepath.Join("internal", "pdfium")
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// ignored leaves out generators that are never part of the build.
func ignored(f *ast.File) bool {
	for _, g := range f.Comments {
		if g.Pos() < f.Package && strings.Contains(g.Text(), "go:build ignore") {
			return true
		}
	}
	return false
}

func match(pkg string) ([]string, bool) {
	if r, ok := allowed[pkg]; ok {
		return r, true
	}
	for p := pkg; strings.Contains(p, "/"); {
		p = p[:strings.LastIndex(p, "/")]
		if r, ok := allowed[p+"/..."]; ok {
			return r, true
		}
	}
	return nil, false
}

func covered(rules []string, pkg string) bool {
	for _, r := range rules {
		if r == "*" || r == pkg {
			return true
		}
		if base, ok := strings.CutSuffix(r, "/..."); ok && strings.HasPrefix(pkg, base+"/") {
			return true
		}
	}
	return false
}
