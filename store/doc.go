// Package store keeps what people said and were told: users, conversations,
// messages, feedback, usage and runs. It knows nothing of law.
//
// [Store] is what a database must do; package storetest holds every
// implementation to it. [Memory] is the twin that the suite compares with, and
// what a program without a data folder uses. sqlite is the embedded database.
//
// Two rules make the rest simple. A message has a sequence number that only
// grows within its conversation, and the number of the question that began its
// turn: order never depends on a clock, and an answer that comes late still
// stands under its question. And every write is one transaction: what was
// acknowledged is there after a crash, once.
package store
