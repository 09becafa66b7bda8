package e5

import "testing"

// BenchmarkNew is what a first question pays for the model, its pages aside.
func BenchmarkNew(b *testing.B) {
	load(b, Options{})
	for b.Loop() {
		if _, err := New(files(), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
