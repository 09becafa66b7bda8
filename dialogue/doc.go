// Package dialogue holds what a conversation is about, and reads a message in its light.
//
// [Of] makes the [State] of a conversation from its messages: the subjects that were
// spoken of, the newest first, each with the question that it began with, what was told
// since, and the places of the law that it led to. It is data, not text: nothing of it
// is evidence for what is asked next.
//
// [State.Read] says what a message does to it: a question of its own, a condition or
// another side of what was asked, a correction of what was told, a claim against what
// was answered, the return to an earlier subject, small talk. The words that only tie a
// message to what was said before are taken off; what is left is looked up near the
// places in play, by package ask.
//
// [Sentence] are the words of a message with what their order says: whether they ask,
// point back, are a piece of a sentence.
package dialogue
