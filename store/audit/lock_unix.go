//go:build unix

package audit

import "syscall"

func lock(f file) error   { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }
func unlock(f file) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
