package query

import (
	"cmp"
	"time"

	"digesto"
	"digesto/conversation"
	"digesto/corpus"
	"digesto/dialogue"
	"digesto/model"
	"digesto/pack"
	"digesto/text"
)

// Corpus is the version of the law that the question is answered from.
func (t Turn) Corpus() string {
	if t.Law.Snapshot == nil {
		return "embedded"
	}
	return cmp.Or(t.Law.Snapshot.Hash(), "memory")
}

// View is a state of a corpus that can be searched: the snapshot owns the text,
// the searcher finds units of it.
type View struct {
	Snapshot *corpus.Snapshot
	Searcher digesto.Searcher
	// State names what is searched: two views with the same give the same for the same
	// question, as long as the program runs. "" = nothing is known of that: see [ask.Options].Anew.
	State string
}

func (v View) Empty() bool { return v.Snapshot == nil || v.Searcher == nil }

// TopicOnly says that the question goes on from the conversation.
func (t Turn) TopicOnly() bool { return t.Topic != "" && t.Insisted }

// GoesOn says that the message goes on with a subject of its conversation, or may.
func (t Turn) GoesOn() bool {
	return t.Read.About != nil && (t.Read.Tied() || len(t.Read.About.Places) > 0) && t.Read.Move != dialogue.MoveNew && t.Read.Move != dialogue.MoveTalk && !t.Chosen
}

// MaxQuestion bounds a question, in code points.
const MaxQuestion = 4000

// Turn is a question accepted: its text trimmed, its day known, the law it will
// be answered from held.
type Turn struct {
	Q        digesto.Question // Text as it is searched: completed from the messages before
	Said     string           // the question as it was asked
	Named    string           // the pack that the client named; "" = none
	Today    digesto.Date     // by the clock
	Began    time.Time
	Opened   conversation.Opened
	Reading  string        // "initial" or "followup"; "" = the conversation has no say
	Sticky   string        // pack of the conversation: the question's, unless it points elsewhere
	Topic    string        // question that this one continues; "" = none
	Context  string        // words of the question that come from there: they weigh less
	About    []string      // norms cited there
	Read     dialogue.Turn // what the message does to the conversation
	Chat     pack.ChatType // what the conversation is narrowed to
	Chosen   bool          // the reply chose what was offered
	Branches []string      // of a clarification: each is answered on its own
	Settled  *Ending       // what the messages before decide, without any law
	Insisted bool          // a correction of the last answer: the same question again
	Law      View
	Embedded View // what the packs carry: fiches and tables
	An       *text.Analyser
	Spare    *text.Analyser // for what is read while an's terms are still looked at; nil = a new one each time
	Units    *UnitCache
	Meter    *model.Meter
	Hurt     *Damage // norms that could not be read
}

// AsOf is the day that the answer holds for.
func (t Turn) AsOf() digesto.Date {
	if t.Q.AsOf != "" {
		return t.Q.AsOf
	}
	return t.Today
}

// History is the day to look law up with: empty for today's, because a current
// text whose dates are unknown is what is known to hold now.
func (t Turn) History() digesto.Date {
	if t.Q.AsOf == "" || t.Q.AsOf == t.Today {
		return ""
	}
	return t.Q.AsOf
}

// The types of prompt that read a question.
const (
	promptInitial  = "initial"  // a question that stands by itself; permissive
	PromptFollowup = "followup" // the reply to a clarification: always combined, never asked back
)
