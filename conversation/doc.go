// Package conversation keeps what is said: it stores a question before it is answered, gives
// the messages before it, and lets the questions of one conversation be answered one after
// the other.
package conversation
