package dialogue

import (
	"cmp"
	"slices"
	"strings"

	"digesto"
	"digesto/pack"
)

// Move is what a message does to a conversation.
type Move string

// The moves.
const (
	MoveNew        Move = "new"        // a matter of its own
	MoveOpen       Move = "open"       // nothing ties it to the subject: the law that is found says whether it goes on
	MoveCondition  Move = "condition"  // the same question under another condition
	MoveAspect     Move = "aspect"     // another side of the subject
	MoveCorrection Move = "correction" // what was told was wrong
	MovePushback   Move = "pushback"   // somebody says otherwise
	MoveChoice     Move = "choice"     // takes what was offered
	MoveReturn     Move = "return"     // back to an earlier subject
	MoveTalk       Move = "talk"       // small talk
)

// Turn is a message read in the light of a conversation.
type Turn struct {
	Move  Move
	Text  string   // what it says itself, without what only ties it to what was said; "" = nothing
	About *Subject // nil = none
	Query string   // made self-contained, for a search by words
	// Context are the words of Query that come from the subject; "" where it repeats it.
	Context string
	Denies  bool // a pushback that denies the last answer, whatever else it says
	// Names is how a return names its subject; Bare says that the message names no matter itself.
	Names string
	Bare  bool
}

// Tied says that a message cannot stand alone.
func (t Turn) Tied() bool {
	switch t.Move {
	case MoveCondition, MoveAspect, MoveCorrection, MovePushback, MoveReturn:
		return true
	}
	return false
}

// Read reads a message.
func (s State) Read(said string) Turn {
	if s.Last == nil {
		return Turn{Move: MoveNew, Text: said, Query: said}
	}
	c := cut(said)
	t := Turn{Move: MoveOpen, Text: c.rest, Query: said, About: s.front()}
	switch {
	case c.talk(said):
		t.Move = MoveTalk
		return t
	case t.About == nil:
		t.Move, t.Text = MoveNew, said
		return t
	case c.returned:
		t.Move, t.About = MoveReturn, s.called(c.back)
		back := strings.Join(c.back, " ")
		if len(Read(c.rest).Content()) < 2 { // "volviendo a X, ¿qué es?"
			t.Text = strings.TrimSpace(back + " " + c.rest)
		}
		if len(Read(back).Content()) > 0 {
			t.Names = back
		}
	case c.changed && Read(c.rest).standsFor(): // another question of the same thing
		t.Query = c.rest
	case c.changed:
		t.Move, t.Query = MoveNew, cmp.Or(c.rest, said)
		return t
	case s.denied(said) && strings.ContainsAny(said, "0123456789"):
		t.Move, t.Denies = MovePushback, true
	case c.corrected && (c.erred || !strings.ContainsAny(c.rest, "?¿")), corrects(c.rest):
		t.Move = MoveCorrection
	case s.denied(said):
		t.Move, t.Denies = MovePushback, true
	case claims(c.rest):
		t.Move, t.Text = MovePushback, claim(c.rest)
	}
	t.complete(c)
	return t
}

// complete says what a message that goes on with its subject asks as a whole.
func (t *Turn) complete(c cutting) {
	full, condition, ok := completed(c.tied()+t.Text, *t.About)
	w := Read(t.Text)
	t.Bare = len(w.Content()) == 0 || w.aspects()
	switch t.Move {
	case MoveCorrection:
		if t.Text == "" {
			t.Query = t.About.Query
			return
		}
		t.Query = strings.TrimRight(t.About.Query, " .?!¿¡") + ", " + strings.Trim(t.Text, " .,;?!")
		if strings.Contains(t.Query, "¿") {
			t.Query += "?"
		}
		if strings.Contains(t.Text, "?") {
			t.Query, t.Context = t.Text, Bare(t.About.Question)
		}
		return
	case MovePushback:
		if t.Query = t.Text; t.Denies {
			t.Query = t.About.Query
		}
		return
	case MoveOpen:
		switch {
		case ok && condition, !ok && c.and && w.conditional(), explains(t.Text):
			t.Move = MoveCondition
		case ok, c.and, w.loose():
			t.Move = MoveAspect
		}
	}
	if !ok {
		return
	}
	if t.Query = full; !condition { // a condition narrows the question; a thing asked about replaces what was asked
		t.Context = Bare(t.About.Question)
	}
}

// cutting is a message taken apart from its beginning.
type cutting struct {
	rest      string   // what is left
	and       bool     // it goes on from what was said ("y", "pero", "entonces")
	changed   bool     // it says that something else comes
	returned  bool     // it says that it goes back
	back      []string // words that name where to
	corrected bool     // it begs pardon, or says that something was wrong
	erred     bool     // the latter
	thanked   bool
}

// tied is the word that ties the rest, for rules that look for it.
func (c cutting) tied() string {
	if c.and && !ands[Read(c.rest).first()] {
		return "y "
	}
	return ""
}

// cut takes off the clauses that only tie a message to the conversation.
func cut(said string) (c cutting) {
	c.rest = strings.TrimSpace(said)
	for c.rest != "" {
		clause, tail := clauseOf(c.rest)
		words := pack.Words(clause)
		if slices.Equal(words, []string{"no"}) { // "no, perdón, …" begs pardon, "no, …" denies
			next, after := clauseOf(tail)
			if words = pack.Words(next); len(words) > 0 && (matches(pardon, words) || matches(erred, words)) {
				tail = after
			}
		}
		if !c.takes(words, tail == "") {
			break
		}
		c.rest = tail
	}
	w := Read(c.rest)
	n := 0
	for n < len(w.List) && (ties[w.List[n].Text] || ands[w.List[n].Text]) {
		c.and = c.and || ands[w.List[n].Text]
		n++
	}
	if n > 0 && n < len(w.List) {
		c.rest = w.From(n).Source()
		if strings.Contains(said, "¿") && strings.HasSuffix(c.rest, "?") && !strings.Contains(c.rest, "¿") {
			c.rest = "¿" + c.rest
		}
	}
	return c
}

// takes says that a clause only ties, and notes how.
func (c *cutting) takes(words []string, last bool) bool {
	switch {
	case len(words) == 0:
		return true
	case matches(goesBack, words):
		c.returned = true
		for _, p := range goesBack {
			if _, to, ok := p.Find(words); ok {
				c.back = words[to:]
				break
			}
		}
		return !last
	case matches(goesElsewhere, words):
		c.changed = true
		return !last
	case matches(erred, words):
		c.corrected, c.erred = true, true
		return len(words) <= 6
	case matches(pardon, words):
		c.corrected = true
		return true
	case (thanks(words) || matches(praises, words)) && !last || thanks(words) && len(words) <= 4:
		c.thanked = true
		return true
	case all(words, ties) || all(words, ands) && !last:
		c.and = c.and || ands[words[len(words)-1]]
		return true
	case ties[words[0]] && (slices.Contains(words, "aca") || slices.Contains(words, "aqui")) && len(words) <= 5:
		return true
	}
	return false
}

// clauseOf gives the first clause of a text and what follows its mark.
func clauseOf(s string) (clause, tail string) {
	i := strings.IndexAny(s, ",.:;!?\n")
	j := strings.Index(s, "¿")
	switch {
	case j > 0 && (i < 0 || j < i):
		return s[:j], s[j:]
	case i < 0:
		return s, ""
	case s[i] == '?': // a question is no tie: all of it stays
		return s, ""
	case s[i] != '\n' && s[i] != '!' && i+1 < len(s) && s[i+1] != ' ': // inside a number
		k, rest := clauseOf(s[i+1:])
		return s[:i+1] + k, rest
	}
	return s[:i], strings.TrimSpace(s[i+1:])
}

// talk says that nothing is asked or told for the law: thanks, praise, a laugh, with
// what goes with them.
func (c cutting) talk(said string) bool {
	words := pack.Words(said)
	if len(words) == 0 || len(words) > talkWords || strings.ContainsAny(said, "?¿") || c.changed || c.returned || c.corrected {
		return false
	}
	if c.rest == "" && !c.and {
		return true
	}
	return (thanks(words) || matches(praises, words)) && !c.and && !explains(c.rest) && !claims(c.rest) &&
		!slices.ContainsFunc(words, func(w string) bool { return Interrogatives[w] && w != "que" && w != "como" && w != "cuando" })
}

// talkWords is the most that small talk has: who says more tells something.
const talkWords = 12

func thanks(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "graci") || strings.HasPrefix(w, "jaj") || strings.HasPrefix(w, "jej") || w == "agradezco" || w == "agradecido" || w == "agradecida"
	})
}

// denied says that a message contradicts the last answer and states something else.
func (s State) denied(said string) bool {
	if s.Last.Query == "" || s.Last.Type != "" && s.Last.Type != string(digesto.OutcomeAnswer) || strings.ContainsAny(said, "?¿") {
		return false
	}
	words := pack.Words(said)
	return len(words) > 0 && len(words) <= 24 && matches(denials, words)
}

// claims says that a message tells what somebody says.
func claims(rest string) bool { return matches(claimed, pack.Words(rest)) }

// claim is what somebody is told to say, without who says it; all where that is too little.
func claim(rest string) string {
	w := Read(rest)
	for i := 1; i+SaidWords < len(w.List); i++ {
		if w.List[i].Text == "que" && speaks[w.List[i-1].Text] {
			return w.From(i + 1).Source()
		}
	}
	return rest
}

// speaks are the verbs that report what somebody says.
var speaks = language.words("speaks")

// corrects says that a message puts right what was told of a case.
func corrects(rest string) bool { return matches(corrected, pack.Words(rest)) }

// explains says that a message tells more of the case.
func explains(rest string) bool { return matches(explained, pack.Words(rest)) }

func matches(list []pack.Pattern, words []string) bool {
	return slices.ContainsFunc(list, func(p pack.Pattern) bool { return p.Match(words) })
}

func all(words []string, set map[string]bool) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !set[w] })
}

// The words that tie a message to what was said before; of them ands go on from it.
var (
	ties = language.words("ties")
	ands = language.words("ands")
)

// The ways in which clauses tie.
var (
	goesBack      = language.patterns("goesBack")
	goesElsewhere = language.patterns("goesElsewhere")
	pardon        = language.patterns("pardon")
	erred         = language.patterns("erred")
	praises       = language.patterns("praises")
	denials       = language.patterns("denials")
	claimed       = language.patterns("claimed")
	corrected     = language.patterns("corrected")
	explained     = language.patterns("explained")
)
