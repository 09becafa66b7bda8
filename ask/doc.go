// Package ask is the row of steps: one question in, one verified answer out.
//
// [Engine.Ask] goes through the rooms one after the other: it opens a turn (open,
// conversation), reads it in the light of what was said (resume), settles the pack (package
// route), reads what is asked (query), finds units (retrieve), weighs whether they answer
// (ground) and writes a draft (write, guide), which is verified (verify) and closed (close).
// The outcome is settled before the first word is written, so nothing is ever taken back.
//
// What stands here beside the row:
//
//   - the decision by the digest: placed (which place answers, readings), near (messages
//     that go on), judge and resolve (a model that chooses or reads);
//   - parts (several questions in one text), urgent and tone (how it is said), understood
//     (what was understood and what may be asked next);
//   - engine, workers and admission (whose turn it is), recall (what was found before), trace.
package ask
