package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"go.yaml.in/yaml/v3"
)

// TreeSuffix ends the name of the file that holds what a YAML file is parsed to, which is read ten
// times as fast as that: SHA-256 of the YAML; uvarint how many nodes there are; of each, before
// those in it, its kind, style, line, column and how many there are in it (uvarint), its tag and
// its value (uvarint bytes, and they). One of other YAML is not read.
const TreeSuffix = ".tree"

// MakeTree gives the tree of a YAML file, which may have no anchors.
func MakeTree(data []byte) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	var body []byte
	count := 0
	var put func(n *yaml.Node) error
	put = func(n *yaml.Node) error {
		if n.Kind == yaml.AliasNode {
			return errors.New("a tree has no anchors")
		}
		count++
		for _, x := range []int{int(n.Kind), int(n.Style), n.Line, n.Column, len(n.Content)} {
			body = binary.AppendUvarint(body, uint64(x))
		}
		for _, s := range []string{n.Tag, n.Value} {
			body = append(binary.AppendUvarint(body, uint64(len(s))), s...)
		}
		for _, c := range n.Content {
			if err := put(c); err != nil {
				return err
			}
		}
		return nil
	}
	err := put(&doc)
	sum := sha256.Sum256(data)
	return append(binary.AppendUvarint(sum[:], uint64(count)), body...), err
}

// maxDepth bounds the nodes that stand in one another.
const maxDepth = 100

// treeReader reads a tree; what is damaged is bad.
type treeReader struct {
	rest  string
	nodes []yaml.Node // to be filled
	kids  []*yaml.Node
	bad   bool
}

// readTree gives the document of a YAML file by its tree; nil when it is not of that file.
func readTree(tree, data []byte) *yaml.Node {
	sum := sha256.Sum256(data)
	body, ok := bytes.CutPrefix(tree, sum[:])
	if !ok {
		return nil
	}
	r := &treeReader{rest: string(body)}
	n := r.number()
	if n < 1 || n > len(r.rest) {
		return nil
	}
	r.nodes, r.kids = make([]yaml.Node, n), make([]*yaml.Node, n)
	doc := r.node(maxDepth)
	if r.bad || len(r.nodes)+len(r.rest) > 0 {
		return nil
	}
	return doc
}

func (r *treeReader) number() int {
	n, size := binary.Uvarint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	if size <= 0 || n > MaxFile {
		r.bad = true
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}

func (r *treeReader) text() (s string) {
	n := r.number()
	if n > len(r.rest) {
		r.bad = true
		return ""
	}
	s, r.rest = r.rest[:n], r.rest[n:]
	return s
}

// node reads one with all that is in it, to a depth.
func (r *treeReader) node(depth int) *yaml.Node {
	if len(r.nodes) == 0 || depth == 0 {
		r.bad = true
		return nil
	}
	n := &r.nodes[0]
	r.nodes = r.nodes[1:]
	n.Kind, n.Style, n.Line, n.Column = yaml.Kind(r.number()), yaml.Style(r.number()), r.number(), r.number()
	in := r.number()
	n.Tag, n.Value = r.text(), r.text()
	if in > len(r.nodes) || in > len(r.kids) {
		r.bad = true
	}
	if r.bad || in == 0 {
		return n
	}
	n.Content, r.kids = r.kids[:in:in], r.kids[in:]
	for i := range n.Content {
		if n.Content[i] = r.node(depth - 1); r.bad {
			break
		}
	}
	return n
}
