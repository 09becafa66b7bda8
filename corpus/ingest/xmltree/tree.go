// Package xmltree reads XML into a small tree, within bounds and without expanding
// declared entities.
package xmltree

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"digesto/corpus/ingest/line"
)

// Node is an element of a small XML tree, or a piece of text (name "").
type Node struct {
	Name string // local name, lower case
	attr []xml.Attr
	Kids []*Node
	Data string
}

// Bounds of an XML tree. Real norms have some 10⁵ elements, ten levels deep.
const (
	maxXMLDepth = 200
	maxXMLNodes = 4 << 20
)

var (
	errXMLDeep  = errors.New("anida demasiados elementos")
	errXMLLarge = errors.New("tiene demasiados elementos")
	errXMLEmpty = errors.New("no tiene ningún elemento")
)

// Parse reads a document into a tree. Entities that a document type declares
// are never expanded: they stay as written. What stands before an unclosed or
// broken end is kept; cut says that the document ended too soon.
func Parse(data []byte) (root *Node, cut bool, err error) {
	s, _ := line.Decode(data, xmlCharset(data))
	d := xml.NewDecoder(strings.NewReader(s))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // decoded already
	b := xmlBuilder{root: &Node{}}
	b.open = []*Node{b.root}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			cut = true
			break
		}
		if err := b.token(t); err != nil {
			return nil, false, err
		}
	}
	for _, k := range b.root.Kids {
		if k.Name != "" {
			return k, cut || len(b.open) > 1, nil
		}
	}
	return nil, cut, errXMLEmpty
}

type xmlBuilder struct {
	root *Node
	open []*Node
	n    int
}

func (b *xmlBuilder) token(t xml.Token) error {
	top := b.open[len(b.open)-1]
	switch t := t.(type) {
	case xml.StartElement:
		if b.n++; b.n > maxXMLNodes {
			return errXMLLarge
		}
		if len(b.open) > maxXMLDepth {
			return errXMLDeep
		}
		e := &Node{Name: strings.ToLower(t.Name.Local), attr: append([]xml.Attr(nil), t.Attr...)}
		top.Kids = append(top.Kids, e)
		b.open = append(b.open, e)
	case xml.EndElement:
		if len(b.open) > 1 {
			b.open = b.open[:len(b.open)-1]
		}
	case xml.CharData:
		if b.n++; b.n > maxXMLNodes {
			return errXMLLarge
		}
		top.Kids = append(top.Kids, &Node{Data: string(t)})
	}
	return nil
}

// xmlCharset gives the encoding that an XML declaration names.
func xmlCharset(data []byte) string {
	head := string(data[:min(len(data), 200)])
	i := strings.Index(head, "encoding=")
	if !strings.Contains(head, "<?xml") || i < 0 || i+10 >= len(head) {
		return ""
	}
	quote := head[i+9]
	rest := head[i+10:]
	if end := strings.IndexByte(rest, quote); end > 0 && end < 30 {
		return rest[:end]
	}
	return ""
}

// Looks says whether bytes begin like an XML document.
func Looks(data []byte) bool {
	b := bytes.TrimLeft(bytes.TrimPrefix(data[:min(len(data), 512)], []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(b, []byte("<?xml")) || bytes.HasPrefix(b, []byte("<response")) || bytes.HasPrefix(b, []byte("<documento"))
}

// Get gives the value of an attribute; "" = it has none.
func (x *Node) Get(name string) string {
	for _, a := range x.attr {
		if strings.EqualFold(a.Name.Local, name) {
			return a.Value
		}
	}
	return ""
}

// Child gives the first child element of a name, or nil; nil has no children.
func (x *Node) Child(path ...string) *Node {
	for _, name := range path {
		if x == nil {
			return nil
		}
		var next *Node
		for _, k := range x.Kids {
			if k.Name == name {
				next = k
				break
			}
		}
		x = next
	}
	return x
}

// Value is the text of a child element, tidied; "" if there is none.
func (x *Node) Value(path ...string) string {
	c := x.Child(path...)
	if c == nil {
		return ""
	}
	var b strings.Builder
	c.Gather(&b)
	return line.Tidy(b.String())
}

// Gather writes all text under an element; the tree's depth is bounded.
func (x *Node) Gather(b *strings.Builder) {
	if x.Name == "" {
		b.WriteString(x.Data)
		return
	}
	if x.Name == "br" {
		b.WriteByte(' ')
	}
	for _, k := range x.Kids {
		k.Gather(b)
	}
}

// All calls f for each child element of a name, in order.
func (x *Node) All(name string, f func(*Node)) {
	if x == nil {
		return
	}
	for _, k := range x.Kids {
		if k.Name == name {
			f(k)
		}
	}
}
