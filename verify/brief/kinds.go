package brief

// kinds finds, among the citations of a text, those of a norm that a word alone may mean.
// What it looks at once it does not look at again, whatever the number of citations.
type kinds struct {
	j     *judge
	list  []mention
	seen  map[string]*seenKind
	only  map[string]*onlyKind
	norms map[string]int // of how many citations a norm is
	of    []string       // the norm of each, as it was counted
	stamp int            // changes with the set of norms
	begun map[string]begun
}

// seenKind is up to where citations were looked at for one of a kind, and the last that is.
type seenKind struct{ upTo, last int }

// onlyKind counts the citations of each norm of a kind.
type onlyKind struct {
	norms map[string]int
	of    []string // the norm of each citation, as it was counted; "" = it is not of the kind
}

// begun is the norm that a name begins, for a set of norms.
type begun struct {
	stamp int
	norm  string
}

func (j *judge) kindsOf(list []mention) *kinds {
	k := &kinds{j: j, list: list, seen: map[string]*seenKind{}, only: map[string]*onlyKind{}, norms: map[string]int{}, of: make([]string, len(list)), begun: map[string]begun{}}
	for i := range list {
		k.count(list[i].Norm, 1)
		k.of[i] = list[i].Norm
	}
	return k
}

func (k *kinds) count(norm string, n int) {
	had := k.norms[norm]
	if k.norms[norm] = had + n; norm != "" && (had == 0 || had+n == 0) {
		k.stamp++
	}
}

// changed takes note of a norm given to citation i.
func (k *kinds) changed(i int) {
	if now := k.list[i].Norm; now != k.of[i] {
		k.count(k.of[i], -1)
		k.count(now, 1)
		k.of[i] = now
	}
	for kind, o := range k.only {
		o.take(i, k.normOf(i, kind))
	}
}

// take counts citation i as of a norm, and no more as of another.
func (o *onlyKind) take(i int, norm string) {
	if was := o.of[i]; was != "" {
		if o.norms[was]--; o.norms[was] == 0 {
			delete(o.norms, was)
		}
	}
	if o.of[i] = norm; norm != "" {
		o.norms[norm]++
	}
}

// normOf gives the norm of a citation that is of a kind.
func (k *kinds) normOf(i int, kind string) string {
	if k.j.ofKind(k.list[i], kind) {
		return k.list[i].Norm
	}
	return ""
}

// lastOf gives to citation i, of "la Ley", the norm of that kind named last before it.
// Those before it do not change any more.
func (k *kinds) lastOf(i int) {
	m := &k.list[i]
	kind := folded(m.Name)
	seen := k.seen[kind]
	if seen == nil {
		seen = &seenKind{last: -1}
		k.seen[kind] = seen
	}
	for at := i - 1; at >= seen.upTo; at-- {
		if k.j.ofKind(k.list[at], kind) {
			seen.last = at
			break
		}
	}
	seen.upTo = i
	if seen.last >= 0 {
		m.Norm, m.context = k.list[seen.last].Norm, k.list[seen.last].Norm
	}
}

// onlyOf gives to citation i, of "el Estatuto", the only norm of that kind that the text
// names, before it or behind. Laws and decrees are too many for that.
func (k *kinds) onlyOf(i int) {
	m := &k.list[i]
	kind := folded(m.Name)
	if kind != "estatuto" && kind != "constitucion" && kind != "codigo" {
		return
	}
	o := k.only[kind]
	if o == nil {
		o = &onlyKind{norms: map[string]int{}, of: make([]string, len(k.list))}
		for at := range k.list {
			o.take(at, k.normOf(at, kind))
		}
		k.only[kind] = o
	}
	if len(o.norms) == 1 {
		for norm := range o.norms {
			m.Norm, m.context = norm, norm
		}
	}
}

// begins gives to citation i, of a text by the first words of its name, "Código Procesal",
// the one norm that the text cites whose title begins so; none when two do.
func (k *kinds) begins(i int) {
	m := &k.list[i]
	if !everywhere.MatchString(m.Name) {
		return
	}
	known, ok := k.begun[m.Name]
	if !ok || known.stamp != k.stamp {
		known = begun{k.stamp, k.beginning(m.Name)}
		k.begun[m.Name] = known
	}
	if known.norm != "" {
		m.Norm, m.context = known.norm, known.norm
	}
}

func (k *kinds) beginning(name string) string {
	short, found := folded(name), ""
	for id, cited := range k.norms {
		n, ok := k.j.Law.Norm(id)
		if !ok || id == "" || cited == 0 || n.ID == found || !k.j.calledSo(n.Title, short+" ") || k.j.calledSo(n.Title, short+" y ") || k.j.older(name, n) {
			continue
		}
		if found != "" {
			return ""
		}
		found = n.ID
	}
	return found
}
