package roles

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// keyFile is a key in a file, read again when the file is another.
type keyFile struct {
	path string

	mu   sync.Mutex
	key  string
	at   time.Time
	size int64
}

// maxKey bounds a key, in bytes: tokens are long, files that are none are longer.
const maxKey = 16 << 10

func (f *keyFile) read() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	st, err := os.Stat(f.path)
	if err != nil {
		return "", err
	}
	if f.key != "" && st.ModTime().Equal(f.at) && st.Size() == f.size {
		return f.key, nil
	}
	file, err := os.Open(f.path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxKey+1))
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(data))
	if key == "" || len(data) > maxKey || strings.ContainsAny(key, "\r\n\x00") {
		return "", errors.New("no key in the file")
	}
	f.key, f.at, f.size = key, st.ModTime(), st.Size()
	return key, nil
}
