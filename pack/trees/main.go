// Trees makes the trees of YAML files, beside them: trees FILE…
package main

import (
	"log"
	"os"

	"digesto/pack"
)

func main() {
	log.SetFlags(0)
	for _, name := range os.Args[1:] {
		data, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		tree, err := pack.MakeTree(data)
		if err == nil {
			err = os.WriteFile(name+pack.TreeSuffix, tree, 0o644)
		}
		if err != nil {
			log.Fatalf("%s: %v", name, err) //nolint:gosec // names its caller gives
		}
	}
}
