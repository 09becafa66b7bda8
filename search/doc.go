// Package search is the way from a question to the places of the law that may
// answer it: the questions of the digest and the articles themselves, by words and
// by meaning.
package search
