package modeltest

import (
	"testing"

	"digesto/model"
)

// TestScripted tries the suite on the twin that needs no server.
func TestScripted(t *testing.T) {
	Generator(t, func(t *testing.T, scripts ...Script) model.Generator { return New(scripts...) })
}
