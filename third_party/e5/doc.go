// Package e5 holds the weights of the embedded embedding model. The README
// beside this file gives origin, licence and SHA-256. Built with the tag
// digesto_nomodel it is empty and the program works without it.
package e5
