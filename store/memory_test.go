package store_test

import (
	"testing"
	"time"

	"digesto/store"
	"digesto/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(t *testing.T, clock func() time.Time) store.Store { return store.Memory(clock) })
}
