package eval

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digesto"
)

//go:embed golden/*.tsv
var goldenFiles embed.FS

// Golden gives the golden figures of a pack that the program carries; nil when
// there are none.
func Golden(pack string) []byte {
	data, err := goldenFiles.ReadFile("golden/pack-" + pack + ".tsv")
	if err != nil {
		return nil
	}
	return data
}

// Comparison is a report held against a baseline, over the cases that both ran.
type Comparison struct {
	Cases int         `json:"cases"` // in both
	New   int         `json:"new"`   // only in this run
	Gone  int         `json:"gone"`  // only in the baseline
	Kinds []KindDelta `json:"kinds"`
	Worse []string    `json:"worse,omitempty"`     // ids of cases that scored higher in the baseline
	Worst bool        `json:"regression"`          // a kind's mean fell
	Other string      `json:"other_law,omitempty"` // in Spanish: the baseline was taken with other law, kinds that ask it do not count
}

// KindDelta is how the mean score of a kind changed.
type KindDelta struct {
	Kind        CaseKind `json:"kind"`
	N           int      `json:"n"`
	Was         float64  `json:"was"`
	Is          float64  `json:"is"`
	P           float64  `json:"p"` // of the paired randomisation test
	Significant bool     `json:"significant"`
}

// TSV writes the report as golden figures: a line for every case that ran, so that a
// diff shows which one changed, after the means, which are for the reader.
func (p PackReport) TSV() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# digesto eval pack %s --update\n", p.Pack)
	fmt.Fprintf(&b, "# corpus %s\n", p.Corpus)
	for _, g := range p.Groups {
		fmt.Fprintf(&b, "# %s\t%s\t%d\t%.4f\n", g.Kind, g.Category, g.N, g.Score)
	}
	b.WriteString("kind\tid\tscore\n")
	for _, r := range p.Cases {
		if r.Skipped == "" {
			fmt.Fprintf(&b, "%s\t%s\t%s\n", r.Kind, r.ID, strconv.FormatFloat(round4(r.Score), 'f', -1, 64))
		}
	}
	return b.Bytes()
}

// Compare holds the report against golden figures as [PackReport.TSV] writes them.
// Cases that one side did not run do not count: the law installed may differ.
func (p *PackReport) Compare(baseline []byte) error {
	was, err := readGolden(baseline)
	if err != nil {
		return err
	}
	c := &Comparison{}
	if of := goldenCorpus(baseline); of != p.Corpus {
		c.Other = "la referencia se tomó con otra ley instalada: solo cuentan las clases que no la consultan"
	}
	type pair struct{ a, b []float64 }
	byKind := map[CaseKind]*pair{}
	var kinds []CaseKind
	for _, r := range p.Cases {
		id := string(r.Kind) + "\t" + r.ID
		old, ok := was[id]
		if r.Skipped != "" {
			continue
		}
		delete(was, id)
		if !ok {
			c.New++
			continue
		}
		c.Cases++
		if byKind[r.Kind] == nil {
			byKind[r.Kind] = &pair{}
			kinds = append(kinds, r.Kind)
		}
		k := byKind[r.Kind]
		k.a, k.b = append(k.a, old), append(k.b, round4(r.Score))
		if round4(r.Score) < old {
			c.Worse = append(c.Worse, r.ID)
		}
	}
	c.Gone = len(was)
	slices.Sort(kinds)
	for _, kind := range kinds {
		k := byKind[kind]
		d := KindDelta{Kind: kind, N: len(k.a), Was: round4(meanOf(k.a)), Is: round4(meanOf(k.b)), P: round4(Randomisation(k.a, k.b))}
		d.Significant = d.P < .05
		c.Worst = c.Worst || d.Is < d.Was && (c.Other == "" || lawless(kind))
		c.Kinds = append(c.Kinds, d)
	}
	p.Compared = c
	return nil
}

func readGolden(data []byte) (map[string]float64, error) {
	out := map[string]float64{}
	sc := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; sc.Scan(); n++ {
		line := sc.Text()
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "kind\t") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) == 3 {
			if v, err := strconv.ParseFloat(f[2], 64); err == nil {
				out[f[0]+"\t"+f[1]] = v
				continue
			}
		}
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("cifras de referencia, línea %d: no se entiende «%s»", n, short(line)), Hint: "Escríbalas con «digesto eval pack P --baseline FICHERO --update»."}
	}
	return out, sc.Err()
}

// lawless kinds ask the pack alone, whatever law is installed.
func lawless(k CaseKind) bool {
	return k == KindClass || k == KindCalculation || k == KindTerritory
}

// goldenCorpus is the state of the law with which a baseline was taken.
func goldenCorpus(data []byte) string {
	for line := range strings.SplitSeq(string(data), "\n") {
		if hash, ok := strings.CutPrefix(line, "# corpus "); ok {
			return hash
		}
	}
	return ""
}
