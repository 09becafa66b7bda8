package cite

import (
	"maps"
	"slices"
	"strings"

	"digesto"
	"digesto/text"
)

// origin says where a name comes from; a smaller one is trusted more.
type origin uint8

const (
	fromID      origin = iota // identifier or number of the norm
	fromAlias                 // data of a pack, or the customary short name
	fromWord                  // alias that is one ordinary word: weak without a capital
	fromAcronym               // very short acronym: counts in capitals, or beside a unit
	fromTitle                 // a title or its end, with the word for its rank
	fromTail                  // the distinctive end of a title alone
	fromWeak                  // weak alias
)

// entry is one meaning of a name.
type entry struct {
	norm   int32 // in Table.norms
	origin origin
	juris  string
}

// normInfo is what the table keeps of a norm.
type normInfo struct {
	id        string
	title     []string // folded words of the title after rank and number, connectors left out
	rank      string   // class, as the title says it
	formal    string   // class in its identifier: a decree whose title begins "Reglamento"
	repealed  bool
	enacted   string // day and month after the number in the title: "1 octubre"
	installed bool   // false: known by an alias alone
	juris     string
	official  string       // the whole title, folded
	published digesto.Date // "" = not known
}

// Table recognises the norms it was made for. It is immutable and safe for any
// number of goroutines.
type Table struct {
	words   map[string]int32   // folded word → id
	opens   map[string]opening // by folded word
	edges   map[int64]int32    // node<<32 | word → node
	names   map[int32][]entry
	nodes   int32
	norms   []normInfo
	byID    map[string]int32   // any identifier → norm
	numbers map[string][]entry // number ("39/2015", "26994") → norms
	scope   []string           // jurisdictions that count; empty = all
}

// NewTable makes a table of the aliases and of what the norms themselves show:
// number and year, the distinctive end of the title, identifiers, short name. Aliases of
// norms that are not installed are known too; their Norm is given as it stands.
func NewTable(aliases []Alias, norms []digesto.Norm) *Table {
	t := &Table{words: make(map[string]int32, 4096), edges: make(map[int64]int32, 32*len(norms)), names: make(map[int32][]entry, 8*len(norms)),
		byID: make(map[string]int32, 3*len(norms)), numbers: make(map[string][]entry, len(norms))}
	for i := range norms {
		t.addNorm(&norms[i])
	}
	for _, a := range aliases {
		t.addAlias(a)
	}
	t.settle()
	return t
}

// Younger says that a norm was published after a day, and that a name of it is only
// customary: a law before it was called so, and its own title does not have the words.
// Shorter names than three words are what every norm of its kind is called.
func (t *Table) Younger(id, name string, day digesto.Date) bool {
	at, ok := t.byID[strings.ToUpper(id)]
	if !ok || day == "" || strings.ContainsAny(name, "0123456789") || strings.Count(strings.TrimSpace(name), " ") < 2 {
		return false
	}
	n := &t.norms[at]
	return n.published > day && n.official != "" && !strings.Contains(n.official, text.Fold(strings.TrimSpace(name)))
}

// In gives a view of the table in which aliases and norms of other jurisdictions
// do not count ("es" lets "es-an" through and the other way round).
func (t *Table) In(jurisdictions ...string) *Table {
	view := *t
	view.scope = slices.Clone(jurisdictions)
	return &view
}

func (t *Table) inScope(juris string) bool {
	if len(t.scope) == 0 || juris == "" {
		return true
	}
	return slices.ContainsFunc(t.scope, func(s string) bool {
		return s == juris || strings.HasPrefix(juris, s+"-") || strings.HasPrefix(s, juris+"-")
	})
}

// addNorm enters a norm. Several copies of one (its states, its forms) are one norm:
// its name must not seem to mean as many.
func (t *Table) addNorm(n *digesto.Norm) {
	id := int32(len(t.norms))
	if had, ok := t.byID[strings.ToUpper(n.ID)]; ok && t.norms[had].id == n.ID {
		id = had
	}
	info := normInfo{id: n.ID, repealed: n.Status == digesto.StatusRepealed, installed: true, juris: n.Jurisdiction, official: text.Fold(n.Title), published: n.Published}
	for _, s := range append([]string{n.ID}, n.IDs...) {
		if _, ok := t.byID[strings.ToUpper(s)]; !ok && s != "" {
			t.byID[strings.ToUpper(s)] = id
		}
		if key := eliKey(s); key != "" {
			t.byID[key] = id
		}
		if strings.ContainsAny(s, "0123456789") {
			t.addName(s, entry{id, fromID, n.Jurisdiction})
		}
	}
	if n.Format != digesto.FormatFiche && n.Format != digesto.FormatTable {
		title := parseTitle(n.Title)
		info.title = title.rest
		rank := title.rank
		if rank == "" {
			rank = rankClass(n.Rank)
		}
		info.rank, info.enacted, info.formal = rank, title.enacted, rankClass(n.ID)
		numbers := title.numbers
		for _, s := range append([]string{n.ID}, n.IDs...) {
			numbers = append(numbers, numbersOfID(s)...)
		}
		t.addNumbers(numbers, entry{id, fromID, n.Jurisdiction})
		for _, p := range title.names {
			t.addWords(p.words, entry{id, p.origin, n.Jurisdiction})
		}
		if n.Short != "" && n.Short != n.Title {
			t.addName(n.Short, entry{id, shortOrigin(n.Short, false), n.Jurisdiction})
		}
	}
	if int(id) == len(t.norms) {
		t.norms = append(t.norms, info)
		return
	}
	t.norms[id].repealed = t.norms[id].repealed && info.repealed
}

func (t *Table) addNumbers(keys []string, e entry) {
	for i, k := range keys {
		if !slices.Contains(keys[:i], k) {
			t.numbers[k] = append(t.numbers[k], e)
		}
	}
}

func (t *Table) addAlias(a Alias) {
	id, ok := t.byID[strings.ToUpper(a.Norm)]
	if !ok {
		id = int32(len(t.norms))
		t.byID[strings.ToUpper(a.Norm)] = id
		t.norms = append(t.norms, normInfo{id: a.Norm, juris: a.Jurisdiction})
		t.addNumbers(numbersOfID(a.Norm), entry{id, fromID, a.Jurisdiction})
	}
	t.addName(a.Name, entry{id, shortOrigin(a.Name, a.Weak), a.Jurisdiction})
	if rank, number, ok := strings.Cut(a.Name, " "); ok && rankClass(rank) != "" && !a.Weak { // "Ley 27444", which texts write "Ley N.º 27.444" too
		if toks := words(nil, nil, number); len(toks) == 1 && allDigits(numberKey(toks[0].w)) {
			t.addNumbers([]string{rankClass(rank) + " " + numberKey(toks[0].w)}, entry{id, fromAlias, a.Jurisdiction})
		}
	}
}

// shortOrigin makes an acronym of up to three capitals its own class: in lower case
// such letters are ordinary words.
func shortOrigin(name string, weak bool) origin {
	if weak {
		return fromWeak
	}
	for _, article := range []string{"la ", "el "} {
		name = strings.TrimPrefix(name, article) // connectors count for nothing: it is one word all the same
	}
	switch upper := strings.ToUpper(name) == name; {
	case upper && len(name) <= 3:
		return fromAcronym
	case !upper && !strings.ContainsAny(strings.TrimSpace(name), " -/0123456789") && strings.ToUpper(name[:1]) == name[:1] && strings.ToLower(name[1:]) == name[1:]:
		return fromWord
	}
	return fromAlias
}

func (t *Table) addName(name string, e entry) {
	var buf [24]tok
	toks := words(buf[:0], make([]text.Token, 0, 24), name)
	words := make([]string, 0, len(toks))
	for i, k := range toks {
		if !connector(k.w) || i == len(toks)-1 && len(words) == 0 {
			words = append(words, k.w)
		}
	}
	t.addWords(words, e)
}

// nameWords is how many words of a name are entered: more distinguish nothing, and
// people seldom quote a long title to its end.
const nameWords = 12

// addWords enters a name; connectors within it are left out already.
func (t *Table) addWords(words []string, e entry) {
	if len(words) == 0 {
		return
	}
	words = words[:min(len(words), nameWords)]
	node := int32(0)
	for _, w := range words {
		id, ok := t.words[w]
		if !ok {
			id = int32(len(t.words) + 1)
			t.words[w] = id
		}
		key := int64(node)<<32 | int64(id)
		next, ok := t.edges[key]
		if !ok {
			t.nodes++
			next = t.nodes
			t.edges[key] = next
		}
		node = next
	}
	for _, old := range t.names[node] {
		if old == e {
			return
		}
	}
	t.names[node] = append(t.names[node], e)
}

// settle decides what a name with several meanings means. A weak alias makes the
// title's end of the same norm weak too; names from titles that several norms share
// stay with those in force; an end that many share distinguishes nothing.
func (t *Table) settle() {
	t.opens = maps.Clone(openings)
	for w, id := range t.words {
		if node := t.edges[int64(id)]; node > 0 {
			t.opens[w] = opening{rankPhrases[w], node}
		}
	}
	for node, list := range t.names {
		slices.SortStableFunc(list, func(a, b entry) int { return int(a.origin) - int(b.origin) })
		weak := slices.ContainsFunc(list, func(e entry) bool { return e.origin == fromWeak })
		if weak {
			list = slices.DeleteFunc(list, func(e entry) bool { return e.origin == fromTail || e.origin == fromTitle })
		}
		if list[0].origin < fromTail { // a sure meaning silences what titles suggest
			list = slices.DeleteFunc(list, func(e entry) bool { return e.origin == fromTail })
		}
		if list[0].origin < fromTitle {
			list = slices.DeleteFunc(list, func(e entry) bool { return e.origin == fromTitle })
		}
		if len(list) > 1 {
			inForce := slices.ContainsFunc(list, func(e entry) bool { return !t.norms[e.norm].repealed })
			list = slices.DeleteFunc(list, func(e entry) bool { return inForce && t.norms[e.norm].repealed })
		}
		if len(list) > 3 && list[0].origin >= fromTitle {
			list = nil
		}
		t.names[node] = list
	}
}
