package digest

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"

	"digesto/pack"
	"digesto/text"
)

// apart is the share of words that an ask may have in common with a question of
// an evaluation set: above it the set would measure what was written for it.
const apart = .6

// Apart gives the asks that are near a question of an evaluation set.
func Apart(an *text.Analyser, files []File, questions []string) (bad []pack.Problem) {
	all := Asks(files)
	asks, sets := make([]Bag, len(all)), make([]Bag, len(questions))
	for i, x := range all {
		asks[i] = NewBag(an, x.Ask.Text)
	}
	for i, q := range questions {
		sets[i] = NewBag(an, q)
	}
	last := -1
	for _, p := range Near(asks, sets, apart) {
		if p.A == last {
			continue
		}
		last = p.A
		x := all[p.A]
		bad = append(bad, pack.Problem{File: x.Entry.File, Line: int(x.Ask.Line),
			Text: "«" + clip(x.Ask.Text) + "» se parece demasiado a una pregunta de evaluación: que cuente otra cosa"})
	}
	return bad
}

// Questions reads the questions of every JSON Lines file of queries or
// conversations below a folder ("question", or "text" in files of queries, or the
// "user" of "turns"); a corpus.jsonl holds documents and is left out.
func Questions(dir fs.FS) (out []string, err error) {
	err = fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".jsonl" || path.Base(name) == "corpus.jsonl" {
			return err
		}
		f, err := dir.Open(name)
		if err != nil {
			return err
		}
		list, err := questions(f)
		out = append(out, list...)
		return errors.Join(err, f.Close())
	})
	return out, err
}

func questions(r io.Reader) (out []string, err error) {
	var line struct {
		Question, Text string
		Turns          []struct{ User string }
	}
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line.Question, line.Text, line.Turns = "", "", nil
		if err := json.Unmarshal(sc.Bytes(), &line); err != nil {
			return nil, err
		}
		switch {
		case line.Question != "":
			out = append(out, line.Question)
		case line.Text != "":
			out = append(out, line.Text)
		}
		for _, t := range line.Turns {
			out = append(out, t.User)
		}
	}
	return out, sc.Err()
}
