package digesto

import "context"

// Chunk is what is indexed: one version of one unit, with the fields that are
// searched and those that filter.
type Chunk struct {
	ID           string // norm/unit/version, or the id of a foreign collection (BEIR)
	Norm         string
	Unit         string // norm/unit: hits are collapsed by it
	Version      string
	Title        string // name of the norm + label + rubric
	Path         string // headings above the unit, joined by " > "
	Body         string
	Collection   string
	Packs        []string
	Jurisdiction string
	Territory    string
	Rank         string
	Official     bool
	Amending     bool
	ValidFrom    Date
	ValidTo      Date
	Current      bool
	Meta         map[string]string // further values that a pack filters on ("tipo", "provincia")
}

// Filter narrows a search before ranking. Values of one field are
// alternatives; fields are joined by and. The zero value lets current text of
// everything through. Field names: "id", "norm", "collection", "pack", "jurisdiction",
// "territory", "rank", "official", "current", and keys of Chunk.Meta.
type Filter struct {
	In map[string][]string // field → allowed values
	// Wider lists fields in which a chunk without a value passes too: a territory
	// filter lets the law of the whole country through.
	Wider []string
	// AsOf keeps versions in force on that day (unknown bounds pass). Empty = only Current ones.
	AsOf Date
	// History also lets versions through that are not current. It is how the
	// reader looks at repealed text, never how an answer finds its grounds.
	History bool
}

// Query is one search.
type Query struct {
	Text string   // words to search (identifiers of a recognised norm already struck from it)
	Also []string // alternatives for words of Text (synonyms), for the lexical lists only
	// AlsoWeight is what a term of Also weighs beside one of Text; 0 = as much.
	AlsoWeight float64
	// Require lists texts of which every word must occur in a chunk, whatever its
	// field; Phrases texts whose words must stand beside one another there (stop
	// words do not count). Stems decide in both. They narrow like a filter and add
	// nothing to a score.
	Require []string
	Phrases []string
	Vector  []float32 // embedded question; nil = lexical only
	Norms   []string  // norms recognised in the question: their units are raised
	Units   []string  // exact units (norm/unit) named in the question: always first
	Filter  Filter
	K       int // hits wanted; 0 = 10
	Explain bool
	// TermsOnly says that Explain may leave out the places in the lists, which take
	// searches of their own.
	TermsOnly bool
	// NoTotal says that Results.Total is not needed (it is then 0): blocks of
	// chunks that cannot reach the best K are skipped uncounted.
	NoTotal bool
}

// Hit is one unit found. Hits come best first, ties by ID, one a unit.
type Hit struct {
	ID      string   `json:"id"`
	Norm    string   `json:"norm,omitempty"`
	Unit    string   `json:"unit,omitempty"`
	Score   float64  `json:"score"`
	Explain *Explain `json:"explain,omitempty"`
	Via     string   `json:"via,omitempty"` // nearest ask of the digest that led here; "" = its text alone
}

// Explain says why a hit stands where it stands.
type Explain struct {
	Lists []ListShare `json:"lists"`           // what each ranked list gave
	Terms []TermShare `json:"terms,omitempty"` // share of each term in the lexical score
	Notes []string    `json:"notes,omitempty"`
}

// ListShare is the place of a hit in one ranked list.
type ListShare struct {
	List  string  `json:"list"` // "exact", "stem", "plain", "bigram", "vector"
	Rank  int     `json:"rank"` // from 1
	Score float64 `json:"score"`
}

// TermShare is what one term of one field gave to a score.
type TermShare struct {
	Term  string  `json:"term"`
	Field string  `json:"field"`
	TF    int     `json:"tf"`
	IDF   float64 `json:"idf"`
	Score float64 `json:"score"`
}

// Results is what a search gives back.
type Results struct {
	Hits []Hit `json:"hits"`
	// Best is the highest lexical score of any chunk and Reach the most that this
	// query could have reached: Best/Reach is how far words met (0–1).
	Best  float64 `json:"best"`
	Reach float64 `json:"reach"`
	// Total is how many chunks matched at least one term, after the filter.
	Total int   `json:"total"`
	Means Means `json:"means"`
}

// Means says by what means a search was carried out. The zero value is by words alone.
type Means struct {
	Fusion string `json:"fusion,omitempty"` // rule that joined words and vectors
	// Vectors names the space of the vectors that ordered the hits: one for all of a
	// list, or for its first Near when that is not 0.
	Vectors string  `json:"vectors,omitempty"`
	Alpha   float64 `json:"alpha,omitempty"` // share of vectors in the scores, 0–1
	Near    int     `json:"near,omitempty"`
	// Why says in Spanish why vectors were not used, or not those that could have been.
	Why string `json:"why,omitempty"`
}

// Searcher finds chunks. It is safe for any number of goroutines, gives the
// same hits for the same query on the same data, and stops when ctx ends.
type Searcher interface {
	Search(ctx context.Context, q Query) (Results, error)
}

// WhyNot says why a unit is not among the hits of a query, or where it stands.
type WhyNot struct {
	Unit  string `json:"unit"`
	Known bool   `json:"known"`        // the index has a chunk of it
	ID    string `json:"id,omitempty"` // its chunk that comes closest
	// Rank is its place among all units by words alone, from 1; 0 = it does not
	// pass, shares no word, or lies beyond the 10,000th.
	Rank  int     `json:"rank"`
	Shown bool    `json:"shown"` // it is among the hits after all
	Score float64 `json:"score"` // by words, raised if its norm or itself is named
	Least float64 `json:"least"` // of the last hit shown, by words; 0 = fewer hits than wanted
	// Cosine of its vector with the question's; 0 without vectors.
	Cosine   float64             `json:"cosine,omitempty"`
	Filtered map[string][]string `json:"filtered,omitempty"` // filter fields that keep it out → its own values there
	Absent   []string            `json:"absent,omitempty"`   // required terms that it does not have
	Missing  []string            `json:"missing,omitempty"`  // terms of the question that it does not have
	Terms    []TermShare         `json:"terms,omitempty"`    // terms that it has
	Notes    []string            `json:"notes"`              // the same in Spanish, one sentence each
}

// WhyNotter is a Searcher that says why a unit (norm/unit) is not among the hits.
type WhyNotter interface {
	WhyNot(ctx context.Context, q Query, unit string) (WhyNot, error)
}
