package decide

// The levels of a decision: from Sure a place answers by itself; where the first three
// reach Read together, each of at least Least, they are offered to choose from.
const (
	Sure  = .6
	Read  = .6
	Least = .1
	// Elsewhere is enough for what the digest says is not in the law at hand: a refusal that
	// says where to ask harms less than an answer that is none.
	Elsewhere = .3
)
