package decide

// The levels of a decision: from Sure a place answers by itself; where the first has
// First and three reach Read together, each of at least Least, they are offered to choose
// from; from Likely the first answers where nothing is offered.
const (
	Sure   = .6
	Likely = .45
	Read   = .5
	First  = .34
	Least  = .1
	// Elsewhere is enough for what the digest says is not in the law at hand: a refusal that
	// says where to ask harms less than an answer that is none.
	Elsewhere = .3
	// Certain is what may be said out loud: of the answers of the development sets from here
	// on one in fifteen is wrong, of those between Sure and it one in four.
	Certain = .8
)

// Stated is what an answer claims whose place has probability p: below Certain less than
// that, so that it is not taken for sure.
func Stated(p float64) float64 {
	if p >= Certain {
		return p
	}
	return p * Sure / Certain
}
