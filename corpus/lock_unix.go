//go:build unix

package corpus

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes a lock on an open file without waiting. The system lets go of it when
// the file is closed or its process dies, so a dead holder blocks nobody.
// A file system that knows no locks (some network ones) counts as free.
func tryLock(f *os.File, exclusive bool) (bool, error) {
	how := syscall.LOCK_SH | syscall.LOCK_NB
	if exclusive {
		how = syscall.LOCK_EX | syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOSYS):
			return true, nil
		default:
			return false, err
		}
	}
}

func syncFile(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // folders of some file systems cannot be synced
	}
	return err
}
