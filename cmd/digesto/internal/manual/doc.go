// Package manual says what the program can do: the help of each command, its manual page and the
// completion of shells, all from its grammar; and what the parser complains of, in Spanish.
package manual
