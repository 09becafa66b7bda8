package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"digesto"
)

// PlaceCase is a question with the places of the law that answer it.
type PlaceCase struct {
	ID       string
	Pack     string
	Kind     string // "story", "line", "pro"…; "" = not said
	Question string
	Places   []string // NORM/unit; any one suffices
}

// ReadPlaceCases reads the questions of a JSON Lines file that an answer is
// expected of (expect.outcome answer, or none) and whose places are named.
func ReadPlaceCases(path string) ([]PlaceCase, error) {
	list, err := ReadAllPlaceCases(path)
	return slices.DeleteFunc(list, func(c PlaceCase) bool { return len(c.Places) == 0 }), err
}

// ReadAllPlaceCases reads also the questions that nothing answers: they have no places.
func ReadAllPlaceCases(path string) ([]PlaceCase, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []PlaceCase
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for n := 1; sc.Scan(); n++ {
		var c struct {
			ID       string `json:"_id"`
			Pack     string `json:"pack"`
			Kind     string `json:"kind"`
			Question string `json:"question"`
			Expect   Expect `json:"expect"`
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%s:%d no es JSON", path, n), Err: err, Hint: "Revise esa línea."}
		}
		if c.Question != "" {
			out = append(out, PlaceCase{c.ID, c.Pack, c.Kind, c.Question, c.Expect.Places})
		}
	}
	return out, sc.Err()
}

// PlaceRanks counts where the right place stood.
type PlaceRanks struct {
	Questions int `json:"questions"`
	Covered   int `json:"covered"` // one of its places has an entry of the digest
	First     int `json:"first"`
	Three     int `json:"first_three"`
	Five      int `json:"first_five"`
	Ten       int `json:"first_ten"`
	Twenty    int `json:"first_twenty"`
}

// add counts one question; rank is from 1, 0 = not found.
func (r *PlaceRanks) add(rank int, covered bool) {
	r.Questions++
	if covered {
		r.Covered++
	}
	for _, x := range []struct {
		most int
		n    *int
	}{{1, &r.First}, {3, &r.Three}, {5, &r.Five}, {10, &r.Ten}, {20, &r.Twenty}} {
		if rank > 0 && rank <= x.most {
			*x.n++
		}
	}
}

// PlacesOptions says how places are found.
type PlacesOptions struct {
	Find    func(ctx context.Context, c PlaceCase) ([]string, error) // places, best first
	Covered func(place string) bool
	Each    func(c PlaceCase, rank int, found []string) // nil = nothing
}

// Places measures a search: for each kind of question, and "" for all, where the
// right place stood.
func Places(ctx context.Context, cases []PlaceCase, opt PlacesOptions) (map[string]*PlaceRanks, error) {
	out := map[string]*PlaceRanks{"": {}}
	for _, c := range cases {
		found, err := opt.Find(ctx, c)
		if err != nil {
			return nil, err
		}
		rank, covered := 0, false
		for _, p := range c.Places {
			covered = covered || opt.Covered(p)
		}
		for i, f := range found {
			if rank == 0 && slices.Contains(c.Places, f) {
				rank = i + 1
			}
		}
		if out[c.Kind] == nil {
			out[c.Kind] = &PlaceRanks{}
		}
		out[""].add(rank, covered)
		if c.Kind != "" {
			out[c.Kind].add(rank, covered)
		}
		if opt.Each != nil {
			opt.Each(c, rank, found)
		}
	}
	return out, nil
}
