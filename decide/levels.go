package decide

// The levels of a decision: from Sure a place answers by itself; where the first has
// First and three reach Read together, each of at least Least, they are offered to choose
// from. With First at .4 eighteen of 225 questions most of whose law is not installed got
// readings, none of them right; at .5 two.
const (
	Sure  = .6
	Read  = .6
	First = .5
	Least = .1
	// Elsewhere is enough for what the digest says is not in the law at hand: a refusal that
	// says where to ask harms less than an answer that is none.
	Elsewhere = .3
)
