package corpus

import (
	"fmt"
	"os"

	"digesto"
)

// aside is what is known of units that lie in a file until they are put.
type aside struct {
	path   string
	units  int
	prints string // see printsOf
}

// SetAside moves the units of a document to a file of the library, where they take no
// memory until they are taken back: an update may be of more text than memory holds, and
// references are found only when all its norms are known. Whatever is not taken back goes
// with the update, or with the next one after a writer that died.
func (tx *Tx) SetAside(doc *Document) error {
	data, err := encodeUnits(doc.Units)
	if err != nil {
		return err
	}
	tx.mu.Lock()
	path := tx.lib.normPath(fmt.Sprintf("aside-%d", len(tx.aside)))
	tx.aside = append(tx.aside, path)
	tx.mu.Unlock()
	if err := tx.lib.disk.write(path, data); err != nil {
		return errDisk("escribir la biblioteca", tx.lib.dir, err)
	}
	doc.aside = &aside{path, len(doc.Units), string(printsOf(doc.Units))}
	doc.Units = nil
	return nil
}

// TakeBack gives a document its units again, if they were set aside.
func (tx *Tx) TakeBack(doc *Document) error {
	a := doc.aside
	if a == nil {
		return nil
	}
	data, err := os.ReadFile(a.path)
	if err != nil {
		return errDisk("leer la biblioteca", tx.lib.dir, err)
	}
	doc.Units = make([]digesto.Unit, 0, a.units)
	for u, err := range unitsIn(doc.Norm.ID, data) {
		if err != nil {
			return errDamaged(a.path, "norma "+doc.Norm.ID, err)
		}
		doc.Units = append(doc.Units, u)
	}
	doc.aside = nil
	discard(tx.lib.disk, a.path)
	return nil
}
