// Package passage holds a unit of law prepared once, whatever is asked of it: its sentences
// with their words and what each holds (a period, an amount, an exception), its lists with
// what announces them, its numbered parts and headings. Places in a text are code points.
package passage
