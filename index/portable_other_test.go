//go:build !amd64

package index

import "testing"

func portable(_ *testing.T, f func()) { f() }
