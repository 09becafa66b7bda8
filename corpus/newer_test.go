package corpus

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"digesto"
)

// A library that a later version wrote is named as that: it is not damaged, and
// nothing is taken away.
func TestLaterFormat(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	put(t, l, sample())
	s, err := l.Current()
	if err != nil {
		t.Fatal(err)
	}
	hash := s.Hash()
	s.Close()
	data, err := os.ReadFile(l.manifestPath(hash))
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint32(data[len(manifestMagic):], manifestFormat+1)
	later := hashOf(data)
	current, err := os.ReadFile(l.path("CURRENT"))
	if err == nil {
		err = os.WriteFile(l.manifestPath(later), data, 0o600)
	}
	if err == nil {
		err = os.WriteFile(l.path("CURRENT"), []byte(strings.Replace(string(current), hash, later, 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = open(t, dir).Current()
	if digesto.CodeOf(err) != digesto.CodeInvalid || !strings.Contains(err.Error(), "otra versión") || strings.Contains(err.Error(), "está dañado (") {
		t.Errorf("%v", err)
	}
	foot := appendFooter([]byte("registros"), 4)
	binary.LittleEndian.PutUint32(foot[len(foot)-8:], normFormat+1)
	binary.LittleEndian.PutUint32(foot[len(foot)-4:], checksum(foot[len(foot)-24:len(foot)-4]))
	_, err = readTable(strings.NewReader(string(normMagic)+string(foot)), int64(len(normMagic)+len(foot)))
	if err = errDamaged("x", "norma", err); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("a norm of a later format: %v", err)
	}
}
