package corpus

import (
	"cmp"
	"slices"

	"digesto"
)

// Change is one difference between two snapshots.
type Change struct {
	Kind    ChangeKind   `json:"kind"`
	Norm    string       `json:"norm"`
	Unit    string       `json:"unit,omitempty"`    // empty: the norm as a whole
	Version string       `json:"version,omitempty"` // of the new snapshot; of the old one for a removed version
	From    string       `json:"from,omitempty"`    // SHA-256 of the text before
	To      string       `json:"to,omitempty"`      // and after
	Date    digesto.Date `json:"date,omitempty"`    // since when the new text holds, as far as known
	Fields  []string     `json:"fields,omitempty"`  // of a norm whose own data changed
}

// ChangeKind says what happened to a norm, a unit or a version.
type ChangeKind string

// The kinds of change.
const (
	NormAdded    ChangeKind = "norm_added"
	NormRemoved  ChangeKind = "norm_removed"
	NormChanged  ChangeKind = "norm_changed" // its title, status, dates…
	UnitAdded    ChangeKind = "unit_added"
	UnitRemoved  ChangeKind = "unit_removed"
	TextChanged  ChangeKind = "text_changed"  // the current text of a unit is another
	HistoryGrown ChangeKind = "history_grown" // a former wording came in
)

// Changes says what is different in to, ordered by norm and then by the order
// of its text. Norms whose stored file is the same are not read.
func Changes(from, to *Snapshot) ([]Change, error) {
	var out []Change
	for i := range to.c.entries {
		n := &to.c.entries[i].Norm
		j, ok := from.c.exact(n.ID)
		if !ok {
			out = append(out, Change{Kind: NormAdded, Norm: n.ID})
			continue
		}
		if f := changedFields(&from.c.entries[j].Norm, n); len(f) > 0 {
			out = append(out, Change{Kind: NormChanged, Norm: n.ID, Fields: f})
		}
		if a, b := from.c.entries[j].sum, to.c.entries[i].sum; a == b && a != [32]byte{} {
			continue
		}
		units, err := unitChanges(n.ID, from.c.bodies[j], to.c.bodies[i])
		if err != nil {
			return nil, err
		}
		out = append(out, units...)
	}
	for i := range from.c.entries {
		if _, ok := to.c.exact(from.c.entries[i].Norm.ID); !ok {
			out = append(out, Change{Kind: NormRemoved, Norm: from.c.entries[i].Norm.ID})
		}
	}
	slices.SortStableFunc(out, func(a, b Change) int { return cmp.Compare(a.Norm, b.Norm) })
	return out, nil
}

// exact finds a norm by its own id only.
func (c *core) exact(id string) (int, bool) {
	i, ok := c.find(id)
	return i, ok && foldID(c.entries[i].Norm.ID) == foldID(id)
}

func unitChanges(norm string, from, to body) ([]Change, error) {
	before := map[string]digesto.Unit{}
	var order []string
	for u, err := range from.all() {
		if err != nil {
			return nil, err
		}
		before[u.ID] = u
		order = append(order, u.ID)
	}
	var out []Change
	for u, err := range to.all() {
		if err != nil {
			return nil, err
		}
		old, ok := before[u.ID]
		delete(before, u.ID)
		if !ok {
			v := shown(&u)
			out = append(out, Change{Kind: UnitAdded, Norm: norm, Unit: u.ID, Version: v.ID, To: v.SHA256, Date: v.ValidFrom})
			continue
		}
		out = append(out, versionChanges(norm, &old, &u)...)
	}
	for _, id := range order {
		if old, gone := before[id]; gone {
			v := shown(&old)
			out = append(out, Change{Kind: UnitRemoved, Norm: norm, Unit: id, Version: v.ID, From: v.SHA256})
		}
	}
	return out, nil
}

func versionChanges(norm string, old, u *digesto.Unit) []Change {
	var out []Change
	a, b := shown(old), shown(u)
	if a.SHA256 != b.SHA256 {
		out = append(out, Change{Kind: TextChanged, Norm: norm, Unit: u.ID, Version: b.ID, From: a.SHA256, To: b.SHA256, Date: b.ValidFrom})
	}
	known := map[string]bool{b.SHA256: true}
	for i := range old.Versions {
		known[old.Versions[i].SHA256] = true
	}
	for i := range u.Versions {
		if v := &u.Versions[i]; !known[v.SHA256] {
			out = append(out, Change{Kind: HistoryGrown, Norm: norm, Unit: u.ID, Version: v.ID, To: v.SHA256, Date: v.ValidFrom})
		}
	}
	return out
}

// shown is the version a reader sees: the last current one, else the last.
func shown(u *digesto.Unit) digesto.Version {
	for i := len(u.Versions) - 1; i >= 0; i-- {
		if u.Versions[i].Current {
			return u.Versions[i]
		}
	}
	if len(u.Versions) == 0 {
		return digesto.Version{}
	}
	return u.Versions[len(u.Versions)-1]
}

// changedFields names, as in JSON, what differs in a norm's own data and
// matters to a reader.
func changedFields(a, b *digesto.Norm) []string {
	var out []string
	for _, f := range []struct {
		name    string
		differs bool
	}{
		{"ids", !slices.Equal(a.IDs, b.IDs)},
		{"title", a.Title != b.Title},
		{"rank", a.Rank != b.Rank},
		{"territory", a.Territory != b.Territory},
		{"collection", a.Collection != b.Collection},
		{"packs", !slices.Equal(a.Packs, b.Packs)},
		{"text_as_of", a.TextAsOf != b.TextAsOf},
		{"status", a.Status != b.Status || a.StatusNote != b.StatusNote},
		{"repealed_from", a.RepealedFrom != b.RepealedFrom},
		{"source", a.Source != b.Source},
		{"url", a.URL != b.URL},
	} {
		if f.differs {
			out = append(out, f.name)
		}
	}
	return out
}
