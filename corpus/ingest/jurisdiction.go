package ingest

import (
	"bytes"
	"net/url"
	"strings"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/text"
)

// placer finds the jurisdiction of norms whose file does not say it, by what the
// expected norms and the names of norms are known to be of. What fits more than
// one jurisdiction is left open.
type placer struct {
	schemes map[string]string // of official identifiers ("BOE") → jurisdiction; "" = of several
	names   map[string]string // folded name → jurisdiction; "" = of several
}

func newPlacer(opt Options) placer {
	p := placer{schemes: map[string]string{}, names: map[string]string{}}
	for _, n := range opt.Known {
		if id := line.OfficialID.FindString(n.ID); id != "" && n.Jurisdiction != "" {
			only(p.schemes, scheme(id), n.Jurisdiction)
		}
	}
	for _, a := range opt.Aliases {
		if name := phrase(a.Name); !a.Weak && a.Jurisdiction != "" && strings.Count(name, " ") > 2 && !bareNumber(name) {
			only(p.names, name, a.Jurisdiction)
		}
	}
	return p
}

// bareNumber says of a name that it is a rank and a number: every country has its law
// of that number, though one alone be known.
func bareNumber(name string) bool {
	return strings.ContainsAny(name, "0123456789") && strings.Count(name, " ") < 5
}

// only keeps the value of a key as long as it is the only one.
func only(m map[string]string, key, value string) {
	if old, ok := m[key]; ok && old != value {
		value = ""
	}
	m[key] = value
}

func scheme(id string) string {
	s, _, _ := strings.Cut(id, "-")
	return s
}

// place completes a norm that says no jurisdiction: by the scheme of its
// identifier, or by the longest name of several words that its title holds.
func (p placer) place(n *digesto.Norm) {
	if n.Jurisdiction != "" {
		return
	}
	of := ""
	if line.OfficialID.MatchString(n.ID) {
		of = p.schemes[scheme(n.ID)]
	}
	if of == "" {
		title, longest := phrase(n.Title), 0
		for name, j := range p.names {
			switch {
			case len(name) < longest || !strings.Contains(title, name):
			case len(name) > longest:
				longest, of = len(name), j
			case j != of:
				of = ""
			}
		}
	}
	n.Jurisdiction, n.Territory = line.Territory(of, n.Territory)
}

// served gives the jurisdiction of a saved page by the service it comes from: its links
// and its foot name the domain that the addresses of expected norms are of. A page that
// names the services of several jurisdictions, or of none, is left open.
func (o Options) served(page []byte) string {
	domains := map[string]string{}
	for _, n := range o.Known {
		if d := domain(n.URL); d != "" && n.Jurisdiction != "" {
			only(domains, d, n.Jurisdiction)
		}
	}
	of, page := "", bytes.ToLower(page)
	for d, j := range domains {
		switch {
		case j == "" || !names(page, d):
		case of != "" && of != j:
			return ""
		default:
			of = j
		}
	}
	return of
}

// domain is the host of an address without its first label, where that leaves a name
// of its own: what all the hosts of one service share. "" = none.
func domain(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(strings.ToLower(u.Hostname()), ".")
	if !strings.Contains(rest, ".") {
		return ""
	}
	return rest
}

// names says that a page, in lower case, holds the address of a host of a domain.
func names(page []byte, domain string) bool {
	for {
		i := bytes.Index(page, []byte(domain))
		if i < 0 {
			return false
		}
		after := page[i+len(domain):]
		if i > 0 && strings.IndexByte("./@", page[i-1]) >= 0 && (len(after) == 0 || strings.IndexByte("/\"'<>:?# \r\n", after[0]) >= 0) {
			return true
		}
		page = after
	}
}

// phrase is a text folded, its words between single spaces, with one at each end.
func phrase(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range text.Tokens(nil, s) {
		b.WriteString(t.Text)
		b.WriteByte(' ')
	}
	return b.String()
}
