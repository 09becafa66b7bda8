// Package corpus is the library: the sole owner of legal text. It keeps norms,
// their units, the versions of each unit with dates, page marks, notes and
// references, and gives them back byte for byte or not at all.
//
// A [Snapshot] is one state of the library, named by the hash of its manifest
// and never changed. [Library.Update] builds the next one beside it, checks it
// and makes it current by one rename; readers keep the snapshot they have until
// they close it and are never blocked. The text of a norm lives in a file named
// by its own hash, shared by all snapshots that hold it, so that an update
// writes only what changed.
//
// The directory:
//
//	CURRENT          hash of the current manifest and of the one before it
//	LOCK             held by the writer; released by the system when it dies
//	snapshots/HASH   manifests: identity of every norm, source files, defects
//	norms/HASH       units of one norm, each record with its checksum
package corpus
