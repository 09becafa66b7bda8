package corpus

import (
	"fmt"
	"slices"
	"strings"

	"digesto"
)

// Candidate is a copy of a norm that competes with others of the same norm.
type Candidate struct {
	Norm  digesto.Norm
	File  string
	Units int
	Poor  bool // less than half of the units of another copy: it has lost its structure
	// Chosen: whoever added it asked that it replace the copies that were there.
	Chosen bool
	Named  bool // its identifier is that of the norm, not the name of a file
}

// vouched says that somebody other than the file stands for the copy.
func (c *Candidate) vouched() bool { return c.Norm.Official || c.Chosen }

// isLaw tells texts of law from fiches, tables and supplied words about the law.
func isLaw(n *digesto.Norm) bool { return n.Official || n.Supplied && !n.Secondary }

// formatRank orders readers by how close their source is to the official text:
// official data, official print, then copies.
var formatRank = map[string]int{"xml": 8, "pdf": 7, "html": 6, "docx": 5, "odt": 5, "rtf": 5, "json": 4, "jsonl": 3, "markdown": 2, "text": 1}

// Prefer compares two copies of one norm: negative if a is the better, positive
// if b is, 0 only for the same copy. One norm is one document, so the other
// copy is kept aside. In this order decide: law before words about it; what the
// publisher gave, and what somebody chose, before what somebody supplied; a
// copy with its structure before a poor one; text read before text recognised
// optically; a copy under the identifier of the norm before one that goes by the
// name of its file; the newer text, where both say of what day theirs is; a known
// day before an unknown one; the format nearer to the official source; more units;
// a file called as its norm; id and name of the file, so that the result never depends on the order of arrival.
func Prefer(a, b Candidate) int {
	switch {
	case isLaw(&a.Norm) != isLaw(&b.Norm):
		return first(isLaw(&a.Norm))
	case a.vouched() != b.vouched():
		return first(a.vouched())
	case a.Poor != b.Poor:
		return first(!a.Poor)
	case a.Norm.OCR != b.Norm.OCR:
		return first(!a.Norm.OCR)
	case a.Named != b.Named:
		return first(a.Named)
	case a.Norm.TextAsOf != b.Norm.TextAsOf:
		return first(a.Norm.TextAsOf > b.Norm.TextAsOf) // the unknown day is the smallest
	}
	if fa, fb := formatRank[a.Norm.Format], formatRank[b.Norm.Format]; fa != fb {
		return first(fa > fb)
	}
	if a.Units != b.Units {
		return first(a.Units > b.Units)
	}
	if x, y := a.filedByID(), b.filedByID(); x != y {
		return first(x)
	}
	if c := strings.Compare(a.Norm.ID, b.Norm.ID); c != 0 {
		return c
	}
	return strings.Compare(a.File, b.File)
}

// filedByID says whether the file is called as its norm: a sample or a copy of it seldom is.
func (c Candidate) filedByID() bool {
	name := c.File[strings.LastIndexAny(c.File, "/\\")+1:]
	return strings.HasPrefix(foldID(name), foldID(c.Norm.ID)+".")
}

func first(aWins bool) int {
	if aWins {
		return -1
	}
	return 1
}

// settle decides which copies stand and which give way, and to whom: two copies
// are of one norm if they share any identifier, case ignored, or have the same text
// (see sameTexts). It marks losers
// with the index of the copy that stands in for them. Packs of a loser go to
// the winner (see visible), for whoever added the copy asked for the norm.
func settle(copies []copyEntry) {
	most := map[string]int{} // units of the largest copy that answers to an identifier
	same := sameTexts(copies)
	ids := make([][]string, len(copies))
	for i := range copies {
		ids[i] = append(identifiers(&copies[i].norm), same[i]...)
		for _, id := range ids[i] {
			most[id] = max(most[id], copies[i].units)
		}
	}
	order := make([]int, len(copies))
	cand := make([]Candidate, len(copies))
	for i := range copies {
		order[i] = i
		copies[i].behind = ""
		cand[i] = copies[i].candidate()
		for _, id := range ids[i] {
			cand[i].Poor = cand[i].Poor || 2*copies[i].units < most[id]
		}
	}
	slices.SortFunc(order, func(i, j int) int { return Prefer(cand[i], cand[j]) })
	owner := map[string]int{}
	for _, i := range order {
		if w, taken := firstOwner(owner, ids[i]); taken {
			copies[i].behind = copies[w].key()
			continue
		}
		for _, id := range ids[i] {
			owner[id] = i
		}
	}
}

func firstOwner(owner map[string]int, ids []string) (int, bool) {
	for _, id := range ids {
		if w, ok := owner[id]; ok {
			return w, true
		}
	}
	return 0, false
}

// identifiers are all names a norm answers to, folded.
func identifiers(n *digesto.Norm) []string {
	out := []string{foldID(n.ID)}
	for _, id := range n.IDs {
		if id = foldID(id); id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

func supersededDefect(loser, winner *copyEntry) Defect {
	why := "es la copia preferida"
	switch a, b := winner.norm, loser.norm; {
	case winner.chosen && !loser.chosen:
		why = "se eligió al añadirla (--replace)"
	case a.Official && !b.Official:
		why = "viene de su publicador"
	case winner.named && !loser.named:
		why = "lleva el identificador de la norma, y esta copia el nombre de su fichero"
	case a.TextAsOf > b.TextAsOf && b.TextAsOf != "":
		why = fmt.Sprintf("su texto llega al %s y el de esta copia al %s", a.TextAsOf, b.TextAsOf)
	case a.TextAsOf > b.TextAsOf:
		why = fmt.Sprintf("su texto llega al %s y el de esta copia no dice su fecha", a.TextAsOf)
	case winner.units > 2*loser.units:
		why = fmt.Sprintf("tiene %d unidades y esta copia %d", winner.units, loser.units)
	}
	return Defect{File: loser.file, Norm: loser.norm.ID, Kind: DefectSuperseded, Skipped: true,
		Detail: fmt.Sprintf("Otra copia de la misma norma: se usa %s (%s), porque %s", winner.norm.ID, winner.file, why)}
}

// mergePacks joins the packs of copies: none means any pack.
func mergePacks(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	out := slices.Clone(a)
	for _, p := range b {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}
