package pgvector

import (
	"reflect"
	"testing"
)

// FuzzAside: what is read back is what was put aside; other bytes are refused, quickly.
func FuzzAside(f *testing.F) {
	b := aside{lengths: []int{3, 0, 70_000}, places: []place{{term: -5, at: 0, tf: 1}, {term: -5, at: 2, tf: maxTF}, {term: 7, at: 1, tf: 2}}}
	raw := b.encode()
	if got, err := decodeAside(raw); err != nil || !reflect.DeepEqual(got, b) {
		f.Errorf("read back: %+v %v", got, err)
	}
	f.Add(raw)
	f.Add(raw[:len(raw)-1])
	f.Add([]byte{})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := decodeAside(raw)
		if err != nil {
			return
		}
		again, err := decodeAside(b.encode())
		if err != nil || !reflect.DeepEqual(again, b) {
			t.Errorf("%+v, read back %+v %v", b, again, err)
		}
	})
}
