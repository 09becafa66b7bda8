// Package ground weighs whether the texts that were found answer: the evidence and its
// gate, what governs, what contradicts it, what refers to it, and what a refusal says.
package ground
