// Package retrieve finds units of law for an intent and orders them: by words in the
// collections of a pack, by what its fiches point to, and by what a model adds.
package retrieve
