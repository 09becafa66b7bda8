package pack

import (
	"reflect"
	"testing"

	"go.yaml.in/yaml/v3"
)

// FuzzTree: a tree decodes to what its YAML does, and one that is cut or changed to the same or to nothing.
func FuzzTree(f *testing.F) {
	f.Add("a: 1\nb: [x, \"y: z\", 'q']\nc: {d: |\n  two\n  lines\n}\n", 40, byte(1))
	f.Add("fiches:\n  - {id: que-es, text: \"¿Qué?\", n: 019, v: 1.50, t: true, none: ~}\n", 60, byte(7))
	f.Add("# none\n", 33, byte(0))
	f.Fuzz(func(t *testing.T, file string, at int, by byte) {
		tree, err := MakeTree([]byte(file))
		if err != nil {
			return
		}
		var plain, made any
		e1 := yaml.Unmarshal([]byte(file), &plain)
		if n := readTree(tree, []byte(file)); n != nil {
			if e2 := n.Decode(&made); (e1 == nil) != (e2 == nil) || e1 == nil && !reflect.DeepEqual(plain, made) {
				t.Fatalf("%#v, %v; its tree %#v, %v", plain, e1, made, e2)
			}
		}
		if at = max(0, at%len(tree)); by != 0 {
			tree[at] ^= by
			readTree(tree, []byte(file))
		}
		readTree(tree[:at], []byte(file))
	})
}
