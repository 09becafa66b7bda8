// Package write makes a draft of what an answer stands on: by extraction, by the template of
// a calculator, or by a model whose words must stand on what was quoted.
package write
