// Package extract chooses which sentences of a prepared unit answer a question and cuts
// them into quotations: the deciding sentence with what announces it, the other cases of
// its rule, and the exception that the unit states beside it.
package extract
