package corpus

import "digesto"

// unitPlace is a unit by the places of its norm and of itself there.
type unitPlace struct{ norm, unit int }

// recentBytes bounds each half of the units that are kept decoded: most questions are
// about the same few hundred. What is stored never changes within a snapshot, and
// whoever gets a unit leaves it alone, as with units in memory.
const recentBytes = 24 << 20

// sizeOf is about how many bytes a unit takes.
func sizeOf(u *digesto.Unit) int {
	n := 512
	for i := range u.Versions {
		v := &u.Versions[i]
		n += 512 + len(v.Text) + 128*(len(v.Refs)+len(v.Reforms)+len(v.Unseen)) + 32*len(v.Pages)
		for _, s := range v.Notes {
			n += 16 + len(s)
		}
	}
	return n
}
