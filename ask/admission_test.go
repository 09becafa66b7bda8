package ask

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestDoor: work waits for those at the door, all that waits goes on at once when
// the last is through, and a door that never empties holds nobody up for long.
func TestDoor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d admission
		waited := func() time.Duration {
			began := time.Now()
			d.quiet(t.Context())
			return time.Since(began)
		}
		if w := waited(); w != 0 {
			t.Errorf("an empty door took %s", w)
		}
		d.begin()
		d.begin()
		if w := waited(); w != admissionWait {
			t.Errorf("waited %s at a door that does not empty, not %s", w, admissionWait)
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if w := waited(); w != 2*time.Millisecond {
					t.Errorf("waited %s for the last, who took 2 ms", w)
				}
			})
		}
		time.Sleep(time.Millisecond)
		d.admitted()
		time.Sleep(time.Millisecond)
		d.admitted()
		wg.Wait()
	})
}
