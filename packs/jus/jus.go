// Package jus calculates lawyers' fees of the Province of Córdoba in JUS.
package jus

import "digesto/pack"

// Attach gives the pack its calculator and the units of its tables.
func Attach(p *pack.Pack) error { return nil }
