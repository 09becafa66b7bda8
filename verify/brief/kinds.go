package brief

import (
	"digesto/verify/read"
)

// kinds finds, among the citations of a text, those of a norm that a word alone may mean.
// What it looks at once it does not look at again, whatever the number of citations.
type kinds struct {
	j     *checker
	list  []read.Mention
	norms map[string]int       // the norms that the text cites, each with a citation of it
	seen  map[string]*seenKind // by the word
	only  map[string]string    // the one norm that a word may mean in the text; "" = none, or several
}

// seenKind is up to where citations were looked at for one of a kind, and the last that is.
type seenKind struct{ upTo, last int }

func (j *checker) kindsOf(list []read.Mention) *kinds {
	k := &kinds{j: j, list: list, norms: map[string]int{}, seen: map[string]*seenKind{}, only: map[string]string{}}
	for i, m := range list {
		if _, ok := j.Law.Norm(m.Norm); ok && m.Norm != "" {
			k.norms[m.Norm] = i
		}
	}
	return k
}

// lastOf gives to citation i, of "la Ley", the norm of that kind named last before it.
// Those before it do not change any more.
func (k *kinds) lastOf(i int) {
	m := &k.list[i]
	kind := read.Folded(m.Name)
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
		m.Norm, m.Context = k.list[seen.last].Norm, k.list[seen.last].Norm
	}
}

// onlyOf gives to citation i the only norm that its name may mean among those that the text
// cites, before it or behind: of "el Estatuto" one of that kind (laws and decrees are too
// many for that), of the first words of a name, "Código Procesal", the one whose title begins so.
func (k *kinds) onlyOf(i int) {
	m := &k.list[i]
	if !everywhere.MatchString(m.Name) {
		return
	}
	norm, known := k.only[m.Name]
	if !known {
		short := read.Folded(m.Name)
		for id, at := range k.norms {
			n, _ := k.j.Law.Norm(id)
			is := k.j.calledSo(n.Title, short+" ") && !k.j.calledSo(n.Title, short+" y ") && !k.j.older(m.Name, n)
			if bareName.MatchString(m.Name) {
				is = k.j.ofKind(k.list[at], short)
			}
			if is && norm != "" && norm != n.ID {
				norm = ""
				break
			}
			if is {
				norm = n.ID
			}
		}
		k.only[m.Name] = norm
	}
	if norm != "" {
		m.Norm, m.Context = norm, norm
	}
}
