package main

import (
	"runtime"
)

// heapFloor is how much a server allocates, at least, between two collections of
// garbage. A corpus lies in mapped files, so the heap is small and would
// otherwise be collected tens of times a second.
const heapFloor = 64 << 20

// makeRoom sets the process up to serve. As many questions are worked on at a
// time as there are processors; two threads more let the system run whoever
// stores a question or talks to a reader at once, instead of after the slice of
// a question that is being worked on. An operator's GOMAXPROCS and GOGC stand,
// and so does a limit that the system sets to the processors.
func (a *program) makeRoom() (undo func()) {
	if !a.process {
		return func() {}
	}
	n := runtime.GOMAXPROCS(0)
	if _, set := a.lookup("GOMAXPROCS"); !set && n == runtime.NumCPU() {
		runtime.GOMAXPROCS(n + 2)
	}
	var floor []byte
	if _, set := a.lookup("GOGC"); !set {
		floor = make([]byte, heapFloor) // never touched: it takes no memory
	}
	return func() {
		runtime.GOMAXPROCS(n)
		runtime.KeepAlive(floor)
	}
}
