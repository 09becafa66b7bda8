package trace

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Log is a folder whose traces are written one behind the other, in one file of a
// process for each day: a server that answers hundreds of questions a second makes
// no file for each. Before each trace stands a line with its id and its length; a
// trace that is erased becomes spaces in its place. It is safe for any number of
// goroutines; other processes read and erase in the same folder.
type Log struct {
	Folder
	mu   sync.Mutex
	day  string
	file *os.File
	size int64
}

// logName is how the files of logs end.
const logName = ".log"

// Put keeps a trace, behind all others of its day. What was kept is whole after a
// crash, or not there.
func (l *Log) Put(r Record) error {
	data, err := Encode(r)
	if err != nil {
		return err
	}
	entry := append(heading(r.ID, len(data)), data...)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.open(r.At.UTC().Format(time.DateOnly)); err != nil {
		return err
	}
	n, err := l.file.Write(entry)
	if err == nil {
		l.size += int64(n)
		return nil
	}
	if l.file.Truncate(l.size) != nil { // what was begun would hide what follows
		err = errors.Join(err, l.shut())
	}
	return err
}

// open makes the file of a day the one that is written. A day that was removed
// meanwhile is begun anew.
func (l *Log) open(day string) error {
	if l.file != nil && l.day == day {
		if st, err := os.Stat(l.file.Name()); err == nil && st.Size() >= l.size {
			return nil
		}
	}
	if err := l.shut(); err != nil {
		return err
	}
	dir := filepath.Join(l.Dir, day)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, rand.Text()+logName), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err == nil {
		l.file, l.day, l.size = f, day, 0
	}
	return err
}

func (l *Log) shut() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// Close lets go of the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shut()
}

// maxHeading bounds the line before a trace.
const maxHeading = 160

func heading(id string, n int) []byte { return fmt.Appendf(nil, "%s %d\n", id, n) }

// place is where a trace stands in the file of a log.
type place struct {
	id      string
	at, len int64
}

// places reads where the traces of a file stand. It ends before what is not whole:
// the last one of a process that was killed while it wrote.
func places(f io.ReaderAt, size int64) (out []place) {
	head := make([]byte, maxHeading)
	for at := int64(0); at < size; {
		n, _ := f.ReadAt(head, at)
		line, _, ok := bytes.Cut(head[:n], []byte("\n"))
		id, count, spaced := strings.Cut(string(line), " ")
		length, err := strconv.ParseInt(strings.TrimSpace(count), 10, 64)
		at += int64(len(line)) + 1
		if !ok || !spaced || err != nil || length < 1 || length > maxFile || length > size-at {
			return out
		}
		out = append(out, place{id, at, length})
		at += length
	}
	return out
}

// logged gives the newest trace with an id among the logs of a day.
func (f Folder) logged(day, id string) (data []byte, ok bool, err error) {
	list, err := filepath.Glob(filepath.Join(f.Dir, day, "*"+logName))
	if err != nil {
		return nil, false, err
	}
	for _, path := range list {
		if data, ok, err = inLog(path, id); ok || err != nil {
			return data, ok, err
		}
	}
	return nil, false, nil
}

func inLog(path, id string) (data []byte, ok bool, err error) {
	file, size, err := sized(path, os.O_RDONLY)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = file.Close() }() // read only
	for _, p := range slices.Backward(places(file, size)) {
		if p.id == id {
			data = make([]byte, p.len)
			_, err = file.ReadAt(data, p.at)
			return data, err == nil && len(bytes.TrimSpace(data)) > 0, err
		}
	}
	return nil, false, nil
}

func sized(path string, flag int) (*os.File, int64, error) {
	file, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return nil, 0, err
	}
	st, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return nil, 0, err
	}
	return file, st.Size(), nil
}

// Latest gives the newest traces of the logs of the last two days, the newest first of
// each log, n at most. What cannot be read is left out.
func (f Folder) Latest(n int) (out []Record) {
	days := f.days()
	for _, day := range days[:min(2, len(days))] {
		list, _ := filepath.Glob(filepath.Join(f.Dir, day, "*"+logName)) // the pattern is ours
		for _, path := range list {
			out = append(out, latest(path, n-len(out))...)
		}
	}
	return out
}

func latest(path string, n int) (out []Record) {
	file, size, err := sized(path, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }() // read only
	for _, p := range slices.Backward(places(file, size)) {
		if len(out) == n {
			break
		}
		data := make([]byte, p.len)
		if _, err := file.ReadAt(data, p.at); err != nil {
			continue
		}
		if r, err := Decode(p.id, data); err == nil { // else it was erased
			out = append(out, r)
		}
	}
	return out
}

// dropLogged erases the traces of a log that match, in their place: whoever writes
// behind them goes on.
func dropLogged(path string, match func(Record) bool) error {
	file, size, err := sized(path, os.O_RDWR)
	if err != nil {
		return err
	}
	var errs []error
	for _, p := range places(file, size) {
		data := make([]byte, p.len)
		if _, err := file.ReadAt(data, p.at); err != nil {
			errs = append(errs, err)
			continue
		}
		var r Record
		if json.Unmarshal(data, &r) != nil || !match(r) {
			continue
		}
		blank := append(bytes.Repeat([]byte(" "), int(p.len)-1), '\n')
		_, err := file.WriteAt(blank, p.at)
		errs = append(errs, err)
	}
	return errors.Join(append(errs, file.Sync(), file.Close())...)
}
