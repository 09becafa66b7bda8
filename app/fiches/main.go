// Fiches makes the index of the fiches and tables that the program carries: fiches OUT.
package main

import (
	"context"
	"log"
	"os"

	"digesto/app"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("fiches OUT")
	}
	made, err := app.PackFiches(context.Background())
	if err == nil {
		err = os.WriteFile(os.Args[1], made, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
