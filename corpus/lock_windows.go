package corpus

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes a lock on an open file without waiting. The system lets go of
// it when the file is closed or its process dies. The locked byte lies far
// behind the contents, for a locked byte cannot be read by others here.
func tryLock(f *os.File, exclusive bool) (bool, error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	at := &windows.Overlapped{Offset: 0xfffffffe, OffsetHigh: 0x7fffffff}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

// syncFile does nothing for a file opened for reading: this system flushes
// only through writable handles.
func syncFile(*os.File) error { return nil }
