package index

import "testing"

// portable runs f with the portable kernels.
func portable(t *testing.T, f func()) {
	if !avx2 {
		t.Skip("this CPU runs the portable kernels anyway")
	}
	avx2 = false
	defer func() { avx2 = true }()
	f()
}
