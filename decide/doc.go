// Package decide says how probable it is that a place of the law answers a question:
// one logistic regression of few named features of a candidate of package search,
// fitted on the questions of the digest alone (`digesto tune`). The same candidates give
// the same decision.
package decide
