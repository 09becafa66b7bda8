package follow

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"time"

	"digesto"
	"digesto/corpus"
)

// Publish puts the current law of a library in a place and points to it.
func Publish(ctx context.Context, p Place, lib *corpus.Library, key ed25519.PrivateKey, now time.Time) (Pointer, error) {
	before, err := published(ctx, p, key)
	if err != nil {
		return Pointer{}, err
	}
	file, err := os.CreateTemp("", "digesto-export-")
	if err != nil {
		return Pointer{}, err
	}
	defer func() { _ = file.Close(); _ = os.Remove(file.Name()) }()
	sum := sha256.New()
	out, err := lib.Export(ctx, io.MultiWriter(file, sum), key, digesto.Date(now.Format(time.DateOnly)))
	if err != nil {
		return Pointer{}, err
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return Pointer{}, err
	}
	next := Export{Snapshot: out.Snapshot, SHA256: hex.EncodeToString(sum.Sum(nil)), Size: size, Day: out.Created}
	next.File = next.SHA256 + suffix
	if next != before.Law {
		if err := p.Put(ctx, next.File, file, size); err != nil {
			return Pointer{}, err
		}
	}
	return before.to(ctx, p, next, key, now)
}

// Back points again to what was published before, which is still in the place; a second
// time it goes forward again.
func Back(ctx context.Context, p Place, key ed25519.PrivateKey, now time.Time) (Pointer, error) {
	before, err := published(ctx, p, key)
	if err != nil {
		return Pointer{}, err
	}
	if before.Previous == nil {
		return Pointer{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "Ahí no se ha publicado ninguna otra ley antes", Hint: "Publique la de la carpeta de datos sin --back."}
	}
	return before.to(ctx, p, *before.Previous, key, now)
}

// published gives the pointer of a place, empty when there is none. One of another key is
// refused: who publishes there would not be followed by the same nodes.
func published(ctx context.Context, p Place, key ed25519.PrivateKey) (Pointer, error) {
	if w, ok := p.(web); ok {
		return Pointer{}, w.readOnly()
	}
	pub, _ := key.Public().(ed25519.PublicKey)
	data, err := small(ctx, p, pointerName, maxPointer)
	if digesto.CodeOf(err) == digesto.CodeNotFound {
		return Pointer{}, nil
	}
	if err != nil {
		return Pointer{}, err
	}
	return readPointer(data, hex.EncodeToString(pub))
}

// to writes the pointer that follows this one.
func (p Pointer) to(ctx context.Context, at Place, next Export, key ed25519.PrivateKey, now time.Time) (Pointer, error) {
	out := Pointer{Format: pointerFormat, Serial: max(now.UnixMicro(), p.Serial+1), Law: next, Previous: p.Previous}
	if p.Serial > 0 && p.Law.Snapshot != next.Snapshot {
		out.Previous = &p.Law
	}
	data, err := out.sign(key)
	if err != nil {
		return out, err
	}
	return out, at.Put(ctx, pointerName, bytes.NewReader(data), int64(len(data)))
}
