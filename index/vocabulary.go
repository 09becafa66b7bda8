package index

// Frequency gives in how many current chunks a folded word stands, or a stem; 0
// for what the index does not know, and for what cannot be read. It is what
// spelling is corrected against (text.Correct).
func (x *Index) Frequency(word string, stem bool) int {
	sc := x.scratch.Get().(*scratch)
	defer x.scratch.Put(sc)
	n := 0
	for _, s := range x.snap.segs {
		if s.meta.History {
			continue
		}
		var number int
		var err error
		if stem {
			number, sc.buf, err = s.stems.find(sc.buf, word)
		} else if number, sc.buf, err = s.plains.find(sc.buf, word); number >= 0 {
			number += s.meta.Stems
		}
		if err != nil || number < 0 {
			continue
		}
		if r, err := s.record(number); err == nil {
			n += r.df()
		}
	}
	return n
}
