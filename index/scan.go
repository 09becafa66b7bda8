package index

import (
	"cmp"
	"context"
	"math"
	"slices"

	"digesto/index/kernel"
)

// scale turns scores into the units of the accumulators for one query.
type scale struct {
	unit  float64 // score of one unit
	slack float64 // a sum exceeds the true score by at most that many units
}

// prepare opens the postings of all terms and chooses the scale: the largest sum a
// document can have is just below 32,767.
func (x *snapshot) prepare(sc *scratch) (scale, error) {
	n := len(sc.terms)
	sc.lists = resize(sc.lists, n*len(x.segs))
	sc.weights = resize(sc.weights, n*len(x.segs))
	sc.luts = resize(sc.luts, n*len(x.segs))
	most := 0.0
	for i := range sc.terms {
		most += sc.terms[i].weight
	}
	var s scale
	s.unit = most * (x.scoring.K1 + 1) * x.up / float64(32767-2*n-8)
	for si, seg := range x.segs {
		for i := range sc.terms {
			at := si*n + i
			sc.lists[at] = list{}
			if sc.numbers[at] < 0 || sc.terms[i].weight == 0 {
				continue
			}
			l, err := seg.list(sc, sc.records[at])
			if err != nil {
				return s, err
			}
			sc.lists[at] = l
			step := sc.terms[i].weight * (x.scoring.K1 + 1) / 255 * x.upOf[si]
			sc.weights[at] = uint16(min(65535, math.Ceil(step/s.unit*256)))
			if l.form == formDelta {
				sc.luts[at].Fill(sc.weights[at])
			}
		}
	}
	for i := range sc.terms {
		w := sc.terms[i].weight * (x.scoring.K1 + 1) / 255 * x.up / s.unit
		s.slack += w + 3
	}
	return s, nil
}

// collector says what one pass over the postings looks for.
type collector struct {
	masks [][]uint64 // by segment; nil slice = everything passes
	skip  []bool     // segments that cannot hold a result
	k     int
	count bool // count all matches: no block may be skipped
	total int
}

// collect fills sc.cands with every document that may be among the k best units.
func (x *snapshot) collect(ctx context.Context, sc *scratch, s scale, c *collector) error {
	sc.cands = sc.cands[:0]
	sc.top.start(c.k, sc.single)
	for si := range x.segs {
		if c.skip != nil && c.skip[si] {
			continue
		}
		if err := x.collectSegment(ctx, sc, s, c, si); err != nil {
			return err
		}
	}
	least := int32(sc.top.least())
	sc.cands = slices.DeleteFunc(sc.cands, func(d candidate) bool { return d.hi < least })
	return nil
}

// scanner walks one segment.
type scanner struct {
	seg     *segment
	si      int32
	lists   []list
	weights []uint16
	luts    []kernel.Table
	mask    []uint64
	down    float64 // what a sum is worth at least, as a share
	slack   float64
	count   bool
}

func (x *snapshot) collectSegment(ctx context.Context, sc *scratch, s scale, c *collector, si int) error {
	n := len(sc.terms)
	w := scanner{seg: x.segs[si], si: int32(si), lists: sc.lists[si*n : si*n+n], weights: sc.weights[si*n : si*n+n],
		luts: sc.luts[si*n : si*n+n], down: x.downOf[si], slack: s.slack, count: c.count}
	if c.masks != nil {
		w.mask = c.masks[si]
	}
	sc.order = sc.order[:0]
	for i := range w.lists {
		w.lists[i].cursor = 0
		if w.lists[i].df > 0 {
			sc.order = append(sc.order, i)
		}
	}
	if len(sc.order) == 0 {
		return nil
	}
	// Rare terms first: they cost little and decide whether common ones matter.
	slices.SortFunc(sc.order, func(a, b int) int { return cmp.Or(cmp.Compare(w.lists[a].df, w.lists[b].df), a-b) })
	w.bounds(sc)
	w.chooseEarly(sc)
	for _, b := range sc.early {
		w.block(sc, b, true)
	}
	for b := range w.seg.blocks {
		if b%64 == 63 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !slices.Contains(sc.early, b) {
			w.block(sc, b, false)
		}
	}
	c.total += sc.matched
	sc.matched = 0
	return nil
}

// bounds computes the largest sum that a document of each block can have.
func (w *scanner) bounds(sc *scratch) {
	sc.ub = resize(sc.ub, w.seg.blocks)
	clear(sc.ub)
	for _, i := range sc.order {
		l, wt := &w.lists[i], w.weights[i]
		switch l.form {
		case formDelta, formDense:
			for b, top := range l.tops {
				sc.ub[b] += int32(kernel.Contribution(top, wt))
			}
		default:
			for j := 0; j < len(l.docs); {
				b, top := l.docs[j]>>blockShift, uint8(0)
				for ; j < len(l.docs) && l.docs[j]>>blockShift == b; j++ {
					top = max(top, l.codes[j])
				}
				sc.ub[b] += int32(kernel.Contribution(top, wt))
			}
		}
	}
}

// chooseEarly picks the blocks that promise most: seen first, they raise the
// threshold that lets the others be skipped.
func (w *scanner) chooseEarly(sc *scratch) {
	sc.early = sc.early[:0]
	if w.seg.blocks < 4 {
		return
	}
	for range 3 {
		best := -1
		for b, u := range sc.ub {
			if (best < 0 || u > sc.ub[best]) && !slices.Contains(sc.early, b) && (w.mask == nil || anyBit(maskBlock(w.mask, b))) {
				best = b
			}
		}
		if best >= 0 {
			sc.early = append(sc.early, best)
		}
	}
}

func maskBlock(mask []uint64, b int) []uint64 {
	const words = blockDocs / 64
	return mask[b*words : b*words+words]
}

func anyBit(m []uint64) bool {
	for _, v := range m {
		if v != 0 {
			return true
		}
	}
	return false
}

func allBits(m []uint64) bool {
	for _, v := range m {
		if v != ^uint64(0) {
			return false
		}
	}
	return true
}

// fewDocs is how many documents of a block are followed one by one at most.
const fewDocs = 64

// block adds up one block and takes its candidates. Once the lists that are left
// cannot lift a document to the threshold by themselves, only those documents
// matter that have enough already: it stops when there are none, and while they are
// few it looks them up in the lists instead of adding whole lists.
func (w *scanner) block(sc *scratch, b int, early bool) {
	rest := sc.ub[b]
	least := max(1, int32(sc.top.least()))
	if rest == 0 || !w.count && rest < least || !w.startBlock(&sc.acc, b) {
		return
	}
	few := -1 // how many of sc.found still matter; −1 = any document may
	for _, i := range sc.order {
		l := &w.lists[i]
		switch l.form {
		case formDelta, formDense:
			top := int32(kernel.Contribution(l.tops[b], w.weights[i]))
			if top == 0 {
				continue
			}
			if !w.count && rest < least {
				if few = narrow(sc, few, int16(least-rest)); few == 0 {
					return
				}
			}
			if few > 0 && l.rather(few, b) {
				w.addFew(sc, l, i, b, few)
			} else {
				w.addBlock(&sc.acc, l, i, b)
			}
			rest -= top
		default:
			rest -= w.addSparse(&sc.acc, l, i, b, early)
		}
	}
	if few < 0 {
		w.take(sc, b)
		return
	}
	for _, at := range sc.found[:few] {
		w.candidate(sc, b, at)
	}
}

// narrow keeps those of sc.found that have a sum of at least least, or finds them
// among all; −1 if they are many.
func narrow(sc *scratch, few int, least int16) int {
	if few < 0 {
		switch few = kernel.Count(&sc.acc, least); {
		case few == 0:
			return 0
		case few > fewDocs:
			return -1
		}
		return kernel.AtLeast(&sc.acc, least, &sc.found)
	}
	n := 0
	for _, at := range sc.found[:few] {
		sc.found[n] = at
		if sc.acc[at] >= least {
			n++
		}
	}
	return n
}

// rather says whether looking n documents up costs less than adding the list's
// whole block. The prices are cycles, by rough measure.
func (l *list) rather(n, b int) bool {
	if l.form == formDense {
		return n*16 < 700
	}
	return n*200 < 80+2*int(l.counts.u16(b))
}

// addFew adds a list for the first n documents of sc.found alone.
func (w *scanner) addFew(sc *scratch, l *list, i, b, n int) {
	wt := w.weights[i]
	if l.form == formDense {
		codes := l.codes[b*blockDocs:][:blockDocs]
		for _, at := range sc.found[:n] {
			sc.acc[at&(blockDocs-1)] += int16(kernel.Contribution(codes[at&(blockDocs-1)], wt))
		}
		return
	}
	for _, at := range sc.found[:n] {
		sc.acc[at&(blockDocs-1)] += int16(kernel.Contribution(l.code(uint32(b<<blockShift)+uint32(at)), wt))
	}
}

// startBlock clears the accumulators; it says no if the filter lets nothing through.
func (w *scanner) startBlock(acc *kernel.Block, b int) bool {
	if w.mask == nil {
		*acc = kernel.Block{}
		return true
	}
	m := maskBlock(w.mask, b)
	switch {
	case !anyBit(m):
		return false
	case allBits(m):
		*acc = kernel.Block{}
	default:
		kernel.ApplyMask(acc, m)
	}
	return true
}

func (w *scanner) addBlock(acc *kernel.Block, l *list, i, b int) {
	if l.form == formDense {
		kernel.AddDense(acc, l.codes[b*blockDocs:][:blockDocs], w.weights[i])
		return
	}
	n := int(l.counts.u16(b))
	data := l.data[l.starts[b]:]
	kernel.AddDelta(acc, data[:n], data[n:2*n], &w.luts[i])
}

// addSparse adds the documents of a sorted list that lie in block b, and tells the
// largest contribution among them.
func (w *scanner) addSparse(acc *kernel.Block, l *list, i, b int, early bool) int32 {
	from, to := uint32(b<<blockShift), uint32((b+1)<<blockShift)
	at := l.cursor
	if early {
		at, _ = slices.BinarySearch(l.docs, from)
	}
	for at < len(l.docs) && l.docs[at] < from {
		at++
	}
	end, top := at, uint8(0)
	for ; end < len(l.docs) && l.docs[end] < to; end++ {
		top = max(top, l.codes[end])
	}
	if !early {
		l.cursor = end
	}
	kernel.AddSparse(acc, l.docs[at:end], l.codes[at:end], w.weights[i])
	return int32(kernel.Contribution(top, w.weights[i]))
}

// take moves the documents whose sum reaches the threshold to the candidates. While
// there is no threshold it begins with the best of the block, so that they set one
// for the rest.
func (w *scanner) take(sc *scratch, b int) {
	if w.count {
		sc.matched += kernel.Count(&sc.acc, 1)
	}
	least, taken := int32(sc.top.least()), int32(math.MaxInt32)
	if least == 0 {
		taken = int32(someBest(&sc.acc, 2*sc.top.k))
		w.takeBetween(sc, b, taken, math.MaxInt32)
		least = int32(sc.top.least())
	}
	if least = max(1, least); least < taken {
		w.takeBetween(sc, b, least, taken)
	}
	if len(sc.cands) > 1<<14 {
		least := int32(sc.top.least())
		sc.cands = slices.DeleteFunc(sc.cands, func(d candidate) bool { return d.hi < least })
	}
}

// someBest gives a sum that at least n documents of the block reach and few more, or 1.
func someBest(acc *kernel.Block, n int) int16 {
	low, high := 1, 32768
	for high-low > 1 {
		if mid := (low + high) / 2; kernel.Count(acc, int16(mid)) >= n {
			low = mid
		} else {
			high = mid
		}
	}
	return int16(low)
}

func (w *scanner) takeBetween(sc *scratch, b int, from, to int32) {
	n := kernel.AtLeast(&sc.acc, int16(min(32767, from)), &sc.found)
	for _, at := range sc.found[:n] {
		if hi := int32(sc.acc[at]); hi >= from && hi < to {
			w.candidate(sc, b, at)
		}
	}
}

// candidate takes a document whose sum reaches the threshold of this moment.
func (w *scanner) candidate(sc *scratch, b int, at uint16) {
	hi, least := int32(sc.acc[at]), sc.top.least()
	if hi < int32(least) {
		return
	}
	doc := b<<blockShift + int(at)
	if doc >= w.seg.meta.Docs { // no sound file has postings there; Check refuses it
		return
	}
	sc.cands = append(sc.cands, candidate{w.si, int32(doc), hi})
	if v := math.Floor(float64(float64(hi)*w.down) - w.slack); v > least || least == 0 { // the unit's hash is far away in memory
		sc.top.add(v, w.seg.hashes.u32(doc))
	}
}
