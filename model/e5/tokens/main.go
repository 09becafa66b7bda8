// Tokens prints, for each line of the standard input, the pieces that the embedded model
// sees, as numbers: what tools/encoder trains on.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"digesto/model/e5"
	files "digesto/third_party/e5"
)

func main() {
	log.SetFlags(0)
	m, err := e5.New(e5.Files{Model: files.Model, Static: files.Static, Pieces: files.Pieces}, e5.Options{})
	if err != nil {
		log.Fatal(err)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		fmt.Fprintln(out, strings.Trim(fmt.Sprint(m.Tokens(in.Text())), "[]"))
	}
	if err := errors.Join(in.Err(), out.Flush()); err != nil {
		log.Fatal(err)
	}
}
