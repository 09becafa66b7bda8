// Package view turns law, answers, conversations and counts into the values that
// the templates of the pages show: which line is read first, where a quotation
// stands in its text, how a date is written, where a link leads. It reads the law
// that it is given and knows no request; handlers fetch and templates print.
//
// Templates read the fields, so what only they read may belong to types without
// an exported name.
package view
