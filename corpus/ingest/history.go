package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/gitlog"
	"digesto/corpus/ingest/line"
)

// Collections of consolidated law in Markdown are often kept as git repositories:
// one commit a reform, whose message names the reforming norm in its last lines
// ("Source-Id", "Source-Date"). Their earlier states become copies of the norm
// with their day, exactly as dated files beside each other do. Only a day that
// the text's own head or the message proves counts: the day of a commit is that
// of whoever wrote it, not of the law.

const kindHistory = "history_not_read"

// histories adds to the files those of their earlier states, and to the log the
// days on which reforming norms were published.
func histories(ctx context.Context, opt *Options, files []source) ([]source, []corpus.Defect) {
	if opt.NoHistory {
		return files, nil
	}
	byTree := map[string][]string{}
	tops := map[string]string{}
	for _, f := range files {
		if ext := strings.ToLower(filepath.Ext(f.path)); ext != ".md" && ext != ".markdown" {
			continue
		}
		if top := workTree(filepath.Dir(f.path), tops); top != "" {
			byTree[top] = append(byTree[top], f.path)
		}
	}
	var defects []corpus.Defect
	trees := make([]string, 0, len(byTree))
	for top := range byTree {
		trees = append(trees, top)
	}
	slices.Sort(trees)
	for _, top := range trees {
		more, err := opt.history(ctx, top, byTree[top], files)
		if err != nil && ctx.Err() == nil {
			defects = append(defects, corpus.Defect{File: top, Kind: kindHistory, Detail: "Es un repositorio git, pero no se ha leído su historia (" + err.Error() + "): se toma el texto como está"})
		}
		files = append(files, more...)
	}
	slices.SortFunc(files, func(a, b source) int { return strings.Compare(a.path, b.path) })
	return files, defects
}

// workTree gives the folder of the git work tree that a folder is in; "" = none.
func workTree(dir string, known map[string]string) string {
	if top, ok := known[dir]; ok {
		return top
	}
	top := ""
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		top = dir
	} else if up := filepath.Dir(dir); up != dir {
		top = workTree(up, known)
	}
	known[dir] = top
	return top
}

// history reads the states of files of one work tree. Of the files as they
// stand it notes what brought their text.
func (o *Options) history(ctx context.Context, top string, paths []string, files []source) ([]source, error) {
	if o.Git == "" {
		return nil, errors.New("no está instalado el programa git: instálelo y repita la orden")
	}
	repo := &gitlog.Repo{Program: o.Git, Top: top}
	wanted := map[string]int{}
	for i, f := range files {
		if rel, err := filepath.Rel(top, f.path); err == nil && slices.Contains(paths, f.path) {
			wanted[filepath.ToSlash(rel)] = i
		}
	}
	states, err := repo.States(ctx, wanted)
	if err != nil {
		return nil, err
	}
	if o.log == nil {
		o.log = &dating.Log{}
	}
	var out []source
	for rel, list := range states {
		f := &files[wanted[rel]]
		now, err := os.ReadFile(f.path)
		if err != nil {
			continue // whoever reads it next says so
		}
		hash := gitlog.BlobHash(now, list[0].Blob)
		at := slices.IndexFunc(list, func(s gitlog.State) bool { return s.Blob == hash })
		if at != 0 { // changed since the last commit: that text is an earlier one
			f.state = &gitlog.State{Before: list[0].Blob}
		} else {
			f.state = &gitlog.State{Day: list[0].Day, By: list[0].By, Before: list[0].Before}
			list = list[1:]
		}
		f.repo = repo
		for _, s := range list {
			o.log.Note(s.By, s.Day)
			out = append(out, source{path: datedPath(f.path, s), state: &s, repo: repo})
		}
		o.log.Note(f.state.By, f.state.Day)
	}
	return out, nil
}

// datedPath names an earlier state of a file; nothing of that name is on disk.
func datedPath(path string, s gitlog.State) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "@" + s.Blob[:12] + ext
}

// closeRepos ends the programs that read histories.
func closeRepos(files []source) {
	for _, f := range files {
		if f.repo != nil {
			f.repo.Close()
		}
	}
}

// load gives the bytes of a source, wherever they are.
func (f source) load(ctx context.Context, limit int64) ([]byte, error) {
	if f.state == nil || f.state.Blob == "" {
		return os.ReadFile(f.path)
	}
	return f.repo.Blob(ctx, f.state.Blob, limit)
}

// reformed notes, in the units whose words a commit changed, the norm that brought
// the change: their own notes do not always tell of it.
func (f source) reformed(ctx context.Context, docs []corpus.Document, opt Options) {
	if f.state == nil || f.state.By == "" || f.state.Day == "" || f.state.Before == "" || len(docs) != 1 {
		return
	}
	data, err := f.repo.Blob(ctx, f.state.Before, opt.maxBytes())
	if err != nil {
		return
	}
	old, _, err := ReadFile(ctx, f.path, data, opt)
	if err != nil || len(old) != 1 {
		return
	}
	was := map[string]string{}
	for _, u := range old[0].Units {
		was[u.ID] = line.Letters(u.Versions[len(u.Versions)-1].Text)
	}
	for i := range docs[0].Units {
		u := &docs[0].Units[i]
		v := &u.Versions[len(u.Versions)-1]
		told := slices.ContainsFunc(v.Reforms, func(r digesto.Reform) bool { return r.Norm == f.state.By || r.Published == f.state.Day })
		if told || was[u.ID] == line.Letters(v.Text) {
			continue
		}
		v.Reforms = append(v.Reforms, digesto.Reform{Norm: f.state.By, Name: f.state.By, Published: f.state.Day})
		dating.DateVersion(v)
	}
}
