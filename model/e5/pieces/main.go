// Pieces makes the file of the embedded model's tokenizer from its vocabulary and its
// normalisation table: pieces VOCABULARY NORMALISE OUT.
package main

import (
	"errors"
	"log"
	"os"

	"digesto/model/e5"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("pieces VOCABULARY NORMALISE OUT")
	}
	vocabulary, err1 := os.ReadFile(os.Args[1])
	normalise, err2 := os.ReadFile(os.Args[2])
	if err := errors.Join(err1, err2); err != nil {
		log.Fatal(err)
	}
	made, err := e5.PackPieces(string(vocabulary), string(normalise))
	if err == nil {
		err = os.WriteFile(os.Args[3], []byte(made), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
