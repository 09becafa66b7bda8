package decide

// The levels of a decision, chosen on the development sets (docs/evaluation.md): from Sure
// a place answers by itself; where three, each of at least First, reach Read together, they
// are offered to choose from.
const (
	Sure = .63 // at .66 two in a hundred fewer are right by themselves, and at .78 six; at .62 one false premise more is answered
	// Of 481 questions that the law at hand answers six fewer are refused than at .5 and .2,
	// of 95 others two more are offered places. Read is enough, too, for what the digest says is
	// not in the law at hand: a refusal that says where to ask harms less than an answer that is none.
	Read  = .3
	First = .1
	// Rival is the share of the first place's probability from which a matter elsewhere keeps
	// it from answering: of 58 questions that nothing installed answers five fewer are
	// answered, of 327 others three more are not.
	Rival = .55
	// Certain is what may be said out loud: of the answers of the development sets from here
	// on eight of 217 are from another place (`calle`, `consultas` and 66 letters of others).
	Certain = .9
	// Figureless is what remains of the probability of a place whose proof holds no figure where
	// how much or how long is asked. Of 786 questions that the law at hand answers six fewer are
	// right by themselves at .5, and of 207 others two fewer get an answer; at 1 three more are
	// wrong out loud.
	Figureless = .7
)

// loud is what a reader takes for sure.
const loud = .6

// Quiet is the most that an answer may claim which is not to be taken for sure.
const Quiet = .59

// Stated is what an answer claims whose place has probability p: below Certain less than
// that, so that it is not taken for sure.
func Stated(p float64) float64 {
	if p >= Certain {
		return p
	}
	return p * loud / Certain
}
