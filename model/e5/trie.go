package e5

// trie finds the pieces that start at a place of a text. Edges stand in one open
// hash table keyed by (node, byte): 150,000 edges are built in a few
// milliseconds, and a step costs one multiplication and mostly one probe.
type trie struct {
	keys  []uint32 // node<<8|byte, plus one; 0 = free
	nodes []int32  // node an edge leads to
	used  int
	piece []int32 // per node: the piece that ends there, −1 if none
}

func (t *trie) slot(key uint32) uint32 { return (key * 2654435761) >> 8 & uint32(len(t.keys)-1) }

// next gives the node after byte b, −1 if no piece goes on so.
func (t *trie) next(node int32, b byte) int32 {
	key := (uint32(node)<<8 | uint32(b)) + 1
	for i := t.slot(key); ; i = (i + 1) & uint32(len(t.keys)-1) {
		switch t.keys[i] {
		case key:
			return t.nodes[i]
		case 0:
			return -1
		}
	}
}

func (t *trie) add(piece string, id int32) {
	if t.keys == nil {
		t.keys, t.nodes, t.piece = make([]uint32, 1<<10), make([]int32, 1<<10), []int32{-1}
	}
	node := int32(0)
	for i := range len(piece) {
		to := t.next(node, piece[i])
		if to < 0 {
			to = int32(len(t.piece))
			t.piece = append(t.piece, -1)
			t.insert((uint32(node)<<8|uint32(piece[i]))+1, to)
		}
		node = to
	}
	if node != 0 {
		t.piece[node] = id
	}
}

func (t *trie) insert(key uint32, node int32) {
	if t.used*2 >= len(t.keys) {
		old, to := t.keys, t.nodes
		t.keys, t.nodes = make([]uint32, 2*len(old)), make([]int32, 2*len(old))
		for i, k := range old {
			if k != 0 {
				t.place(k, to[i])
			}
		}
	}
	t.used++
	t.place(key, node)
}

func (t *trie) place(key uint32, node int32) {
	i := t.slot(key)
	for t.keys[i] != 0 {
		i = (i + 1) & uint32(len(t.keys)-1)
	}
	t.keys[i], t.nodes[i] = key, node
}
