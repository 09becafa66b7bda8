// Package question reads one question: what kind of thing it asks for, and which of its
// words say so and are no matter of their own.
package question
