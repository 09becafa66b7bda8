package index

import (
	"bufio"
	"bytes"
	"io"
	"os"
)

// spool holds what a build need not have in memory: a file beside the segments to be,
// so that a disk with room for them is told from one without before anything is
// replaced. Without a folder it is memory.
type spool struct {
	file *os.File
	w    *bufio.Writer
	mem  bytes.Buffer
	n    int64 // bytes written
}

const spoolSuffix = ".spool"

func newSpool(dir string) (*spool, error) {
	s := &spool{}
	if dir == "" {
		s.w = bufio.NewWriter(&s.mem)
		return s, nil
	}
	f, err := os.CreateTemp(dir, "*"+spoolSuffix)
	if err != nil {
		return nil, ioError("No se puede escribir el índice", dir, err)
	}
	_ = os.Remove(f.Name()) // a process that dies leaves nothing; where open files stay, the next commit sweeps
	s.file, s.w = f, bufio.NewWriterSize(f, 1<<16)
	return s, nil
}

func (s *spool) write(b []byte) error {
	n, err := s.w.Write(b)
	s.n += int64(n)
	return s.failed(err)
}

func (s *spool) flush() error { return s.failed(s.w.Flush()) }

func (s *spool) failed(err error) error {
	if err != nil && s.file != nil {
		return ioError("No se puede escribir el índice", s.file.Name(), err)
	}
	return err
}

// reader reads what was flushed, from any place.
func (s *spool) reader() io.ReaderAt {
	if s.file != nil {
		return s.file
	}
	return bytes.NewReader(s.mem.Bytes())
}

func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}
