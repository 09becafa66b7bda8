// Package route settles which pack a question is for.
package route
