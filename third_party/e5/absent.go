//go:build digesto_nomodel

package e5

// Empty: this build leaves the model out.
var Model, Static, Pieces string
