package digest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"digesto"

	"github.com/klauspost/compress/zstd"
)

// Archive is the file of a pack that holds all of its digest's files: compressed as a whole
// (Zstandard, RFC 8878), a line for each with its size and name, an empty line, and what is in
// them one after another. The program carries it in place of the folder.
const Archive = "digest.zst"

// Bounds of an archive, decompressed.
const (
	maxArchive = 256 << 20
	maxFiles   = 4096
	maxWindow  = 32 << 20
)

// WriteArchive writes the files of the digest folder of a pack.
func WriteArchive(w io.Writer, dir fs.FS, pack string) error {
	names, err := folder(dir, pack)
	if err != nil {
		return err
	}
	var head, body strings.Builder
	for _, n := range names {
		raw, err := fs.ReadFile(dir, n)
		if err != nil {
			return err
		}
		fmt.Fprintf(&head, "%d %s\n", len(raw), path.Base(n))
		body.Write(raw)
	}
	zip, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(maxWindow/2))
	if err != nil {
		return err
	}
	_, err = io.WriteString(zip, head.String()+"\n"+body.String())
	return errors.Join(err, zip.Close())
}

// folder gives the files of the digest folder of a pack, sorted: entries, and which files of
// other packs it shares.
func folder(dir fs.FS, pack string) ([]string, error) {
	names, err := fs.Glob(dir, pack+"/digest/*.txt")
	if _, err := fs.Stat(dir, pack+"/"+Shared); err == nil {
		names = append(names, pack+"/"+Shared)
	}
	slices.Sort(names)
	return names, err
}

// names gives the files of a pack's digest, each as if it stood in its folder.
func names(dir fs.FS, pack string) (list []string, err error) {
	if list, err = folder(dir, pack); err != nil || len(list) > 0 {
		return list, err
	}
	err = open(dir, pack, func(heads []head, _ *bufio.Reader) error {
		for _, h := range heads {
			list = append(list, h.name)
		}
		return nil
	})
	return list, err
}

// read hands the files of a pack's digest for which want is true, which may be nil, to f in
// their order; a pack without a digest has none.
func read(dir fs.FS, pack string, want func(name string) bool, f func(name, text string) error) error {
	list, err := folder(dir, pack)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return open(dir, pack, func(heads []head, in *bufio.Reader) error { return each(heads, in, want, f) })
	}
	for _, n := range list {
		if want != nil && !want(n) {
			continue
		}
		raw, err := fs.ReadFile(dir, n)
		if err != nil {
			return err
		}
		if err := f(n, string(raw)); err != nil {
			return err
		}
	}
	return nil
}

// head is a file of an archive.
type head struct {
	name string
	size int
}

// open reads the heads of the archive of a pack, and lets f read on; without archive nothing.
func open(dir fs.FS, pack string, f func([]head, *bufio.Reader) error) error {
	name := pack + "/" + Archive
	in, err := dir.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	plain, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxWindow), zstd.WithDecoderMaxWindow(maxWindow))
	if err == nil {
		defer plain.Close()
		r := bufio.NewReader(io.LimitReader(plain, maxArchive))
		var heads []head
		if heads, err = readHeads(r, pack); err == nil {
			err = f(heads, r)
		}
	}
	if err != nil && digesto.CodeOf(err) != digesto.CodeInvalid {
		err = &digesto.Error{Code: digesto.CodeInvalid, Message: "El archivo de preguntas «" + name + "» está dañado", Err: err, Hint: "Vuelva a crearlo con «digesto pack digest --make CARPETA»."}
	}
	return err
}

func readHeads(r *bufio.Reader, pack string) (heads []head, err error) {
	total := 0
	for len(heads) <= maxFiles {
		raw, err := r.ReadSlice('\n') // of no more than its buffer
		if err != nil {
			return nil, err
		}
		line := strings.TrimSuffix(string(raw), "\n")
		if line == "" {
			return heads, nil
		}
		size, name, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(size)
		if err != nil || n < 0 || n > maxArchive-total || name == "" || path.Base(name) != name {
			return nil, fmt.Errorf("«%s» no es el tamaño y el nombre de un archivo", clip(line))
		}
		total += n
		heads = append(heads, head{pack + "/digest/" + name, n})
	}
	return nil, fmt.Errorf("más de %d archivos", maxFiles)
}

// each hands the files that are wanted to f, and reads no further than the last of them.
func each(heads []head, in *bufio.Reader, want func(string) bool, f func(name, text string) error) error {
	last := len(heads)
	for last > 0 && want != nil && !want(heads[last-1].name) {
		last--
	}
	for _, h := range heads[:last] {
		if want != nil && !want(h.name) {
			if _, err := in.Discard(h.size); err != nil {
				return err
			}
			continue
		}
		var text strings.Builder
		if n, err := io.CopyN(&text, in, int64(h.size)); err != nil {
			return fmt.Errorf("%s: %d de %d bytes: %w", h.name, n, h.size, err)
		}
		if err := f(h.name, text.String()); err != nil {
			return err
		}
	}
	return nil
}
