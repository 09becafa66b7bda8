//go:build !unix

package audit

// Where files cannot be locked this way, one process at a time writes the log.
func lock(file) error   { return nil }
func unlock(file) error { return nil }
