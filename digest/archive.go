package digest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/pack"

	"github.com/klauspost/compress/zstd"
)

// Archive is the file of a pack that holds all of its digest's files, cut into blocks of entries
// that are each compressed by themselves (Zstandard with a dictionary, RFC 8878), so that an entry
// is read without the others:
//
//	archiveMagic
//	uint32 bytes of the head, of the entries and of the dictionary, little endian
//	head (JSON, archiveHead), entries, dictionary, each compressed
//	blocks, one after another
//
// Of each entry there are: its unit, uvarint the line where it begins, uvarint how many asks of each
// kind it has, the places that hold the same rule, and the norms that withdraw it; a text is uvarint
// its bytes and they, a list uvarint how many and they. A block has what it answers, its decisive
// words and its plain question as files have them: of the other asks a search needs only vectors and
// words, which are packed elsewhere. Of one entry of every wholeOf all asks are there, for who tries
// what people say.
//
// The program carries it in place of the folder.
const Archive = "digest.zst"

const (
	archiveMagic = "digesto entradas 3\n"
	archiveDict  = 1        // the dictionary's number
	wholeOf      = 64       // entries
	blockBytes   = 32 << 10 // of text from which a block ends
	dictBytes    = 512 << 10
)

// Bounds of an archive, decompressed.
const (
	maxArchive = 256 << 20
	maxFiles   = 4096
	maxBlock   = 4 << 20
	maxAsks    = 4096 // of an entry, of each kind
)

// archiveHead tells of the files of an archive, in their order.
type archiveHead []archiveFile

type archiveFile struct {
	Name   string         `json:"name"`
	Top    string         `json:"top,omitempty"` // what stands before the first entry
	Sum    []byte         `json:"sum"`           // SHA-256 of the whole text
	Blocks []archiveBlock `json:"blocks,omitempty"`
}

// entries is how many the file has.
func (x archiveFile) entries() (n int) {
	for _, b := range x.Blocks {
		n += b.Entries
	}
	return n
}

// archiveBlock is so many bytes of the archive, and of text; its entries follow one another.
type archiveBlock struct {
	Size    int `json:"size"`
	Plain   int `json:"plain"`
	Entries int `json:"entries"`
}

// WriteArchive writes the files of the digest folder of a pack.
func WriteArchive(w io.Writer, dir fs.FS, pack string) error {
	names, err := folder(dir, pack)
	if err != nil {
		return err
	}
	var head archiveHead
	var blocks []string
	var entries []byte
	for _, n := range names {
		raw, err := fs.ReadFile(dir, n)
		if err != nil {
			return err
		}
		f, texts := cutFile(n, string(raw), &entries)
		head, blocks = append(head, f), append(blocks, texts...)
	}
	dict := sample(blocks)
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderDictRaw(archiveDict, dict), zstd.WithEncoderCRC(true))
	if err != nil {
		return err
	}
	alone, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	var body []byte
	for i := range head {
		for k := range head[i].Blocks {
			from := len(body)
			body = zip.EncodeAll([]byte(blocks[0]), body)
			head[i].Blocks[k].Size, blocks = len(body)-from, blocks[1:]
		}
	}
	plain, err := json.Marshal(head)
	if err != nil {
		return err
	}
	out, sections := []byte(archiveMagic), []byte(nil)
	for _, x := range [sectionCount][]byte{plain, entries, dict} {
		zipped := alone.EncodeAll(x, nil)
		out, sections = binary.LittleEndian.AppendUint32(out, uint32(len(zipped))), append(sections, zipped...)
	}
	_, err = w.Write(slices.Concat(out, sections, body))
	return err
}

// sections of an archive before its blocks.
const (
	sectionHead = iota
	sectionEntries
	sectionDict
	sectionCount
)

// cutFile cuts a file before entries, and appends what each is.
func cutFile(name, text string, entries *[]byte) (f archiveFile, blocks []string) {
	sum := sha256.Sum256([]byte(text))
	f = archiveFile{Name: path.Base(name), Top: text, Sum: sum[:]}
	file, _ := Parse(name, text)
	for i := range file.Entries {
		e := &file.Entries[i]
		if i == 0 {
			f.Top = strings.Join(strings.SplitAfterN(text, "\n", e.Line)[:e.Line-1], "")
		}
		last := len(blocks) - 1
		if last < 0 || len(blocks[last]) >= blockBytes {
			blocks, f.Blocks = append(blocks, ""), append(f.Blocks, archiveBlock{})
			last++
		}
		kept := *e
		kept.Same, kept.Until = nil, nil // among the entries
		if i%wholeOf != 0 {
			kept.Asks = slices.DeleteFunc(slices.Clone(e.Asks), func(a Ask) bool { return a.Text != e.Short() })
		}
		blocks[last] += kept.Format()
		f.Blocks[last].Entries++
		f.Blocks[last].Plain = len(blocks[last])
		*entries = appendEntry(*entries, e)
	}
	return f, blocks
}

func appendEntry(to []byte, e *Entry) []byte {
	text := func(s string) { to = append(binary.AppendUvarint(to, uint64(len(s))), s...) }
	text(e.Unit)
	to = binary.AppendUvarint(to, uint64(e.Line))
	for _, n := range e.counted() {
		to = binary.AppendUvarint(to, uint64(n))
	}
	for _, list := range [][]string{e.Same, e.Until} {
		to = binary.AppendUvarint(to, uint64(len(list)))
		for _, s := range list {
			text(s)
		}
	}
	return to
}

// entryReader reads what appendEntry wrote.
type entryReader struct {
	data string
	bad  bool
}

func (r *entryReader) number() int {
	n, size := binary.Uvarint([]byte(r.data[:min(len(r.data), binary.MaxVarintLen64)]))
	if size <= 0 || n > maxArchive {
		r.bad = true
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

func (r *entryReader) text() (s string) {
	n := r.number()
	if n > len(r.data) {
		r.bad = true
		return ""
	}
	s, r.data = r.data[:n], r.data[n:]
	return s
}

func (r *entryReader) list() (out []string) {
	for n := r.number(); n > 0 && !r.bad; n-- {
		out = append(out, r.text())
	}
	return out
}

// all reads the entries, so many, until there are no more; a damaged one is an error.
func (r *entryReader) all(n int) (out []Entry, err error) {
	out = make([]Entry, 0, min(n, len(r.data)))
	for len(r.data) > 0 {
		var e Entry
		e.Unit, e.Line = r.text(), r.number()
		for k := range e.counts {
			n := r.number()
			r.bad = r.bad || n > maxAsks
			e.counts[k] = uint16(n)
		}
		e.Same, e.Until = r.list(), r.list()
		if r.bad {
			return nil, errors.New("entradas cortadas")
		}
		out = append(out, e)
	}
	return out, nil
}

// sample is a dictionary: the beginnings of blocks.
func sample(blocks []string) (out []byte) {
	each := dictBytes / max(1, len(blocks))
	for _, b := range blocks {
		out = append(out, b[:min(len(b), max(each, 256))]...)
	}
	return append(out, "\nshort: \nstreet: \ntold: \npro: \ntext: \nwords: "...)
}

// archive is one that is open for reading.
type archive struct {
	dir   fs.FS
	name  string
	head  archiveHead
	at    [sectionCount + 1]int64 // where the sections and the blocks begin
	unzip func() (*zstd.Decoder, error)
}

// openArchive reads the head of the archive of a pack; without archive it gives nil.
func openArchive(dir fs.FS, pack string) (*archive, error) {
	a := &archive{dir: dir, name: pack + "/" + Archive}
	start, err := a.read(0, int64(len(archiveMagic)+4*sectionCount))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = a.open(start)
	}
	if err != nil {
		return nil, a.damaged(err)
	}
	return a, nil
}

func (a *archive) open(start []byte) error {
	sizes, ok := bytes.CutPrefix(start, []byte(archiveMagic))
	if !ok {
		return errors.New("no es un archivo de entradas")
	}
	a.at[0] = int64(len(start))
	for i := range sectionCount {
		a.at[i+1] = a.at[i] + int64(binary.LittleEndian.Uint32(sizes[4*i:]))
	}
	plain, err := a.section(sectionHead)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(plain, &a.head); err != nil {
		return err
	}
	a.unzip = sync.OnceValues(func() (*zstd.Decoder, error) {
		dict, err := a.section(sectionDict)
		if err != nil {
			return nil, err
		}
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlock), zstd.WithDecoderDictRaw(archiveDict, dict))
	})
	return a.head.check()
}

// section reads one of those before the blocks.
func (a *archive) section(i int) ([]byte, error) {
	data, err := a.read(a.at[i], a.at[i+1]-a.at[i])
	if err != nil {
		return nil, err
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxArchive))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(data, nil)
}

func (h archiveHead) check() error {
	if len(h) > maxFiles {
		return fmt.Errorf("más de %d archivos", maxFiles)
	}
	for _, f := range h {
		if f.Name == "" || path.Base(f.Name) != f.Name {
			return fmt.Errorf("«%s» no es el nombre de un archivo", clip(f.Name))
		}
		for _, b := range f.Blocks {
			if b.Size < 0 || b.Plain < 0 || b.Plain > maxBlock || b.Entries < 1 || b.Entries > b.Plain {
				return fmt.Errorf("%s: medidas imposibles", f.Name)
			}
		}
	}
	return nil
}

func (a *archive) damaged(err error) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "El archivo de preguntas «" + a.name + "» está dañado", Err: err, Hint: "Vuelva a crearlo con «digesto pack digest --make CARPETA»."}
}

// read gives n bytes from at on.
func (a *archive) read(at, n int64) ([]byte, error) {
	f, err := a.dir.Open(a.name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if st, err := f.Stat(); err != nil || st.Size() < at+n {
		return nil, errors.Join(err, io.ErrUnexpectedEOF)
	}
	out := make([]byte, n)
	if r, ok := f.(io.ReaderAt); ok {
		_, err = r.ReadAt(out, at)
	} else if _, err = io.CopyN(io.Discard, f, at); err == nil {
		_, err = io.ReadFull(f, out)
	}
	return out, err
}

// text reads the text of a block, which stands so far behind the head.
func (a *archive) text(b archiveBlock, at int64) (string, error) {
	data, err := a.read(a.at[sectionCount]+at, int64(b.Size))
	if err != nil {
		return "", a.damaged(err)
	}
	unzip, err := a.unzip()
	if err != nil {
		return "", a.damaged(err)
	}
	plain, err := unzip.DecodeAll(data, make([]byte, 0, b.Plain))
	if err == nil && len(plain) != b.Plain {
		err = fmt.Errorf("%d bytes, y han de ser %d", len(plain), b.Plain)
	}
	if err != nil {
		return "", a.damaged(err)
	}
	return string(plain), nil
}

// each hands over the files with where their blocks begin.
func (a *archive) each(pack string, f func(name string, x archiveFile, at int64) error) error {
	at := int64(0)
	for _, x := range a.head {
		if err := f(pack+"/digest/"+x.Name, x, at); err != nil {
			return err
		}
		for _, b := range x.Blocks {
			at += int64(b.Size)
		}
	}
	return nil
}

// lazy is a file whose entries are read when they are first opened; those of the archive stand in
// all, the file's, which becomes their owner, from first on.
func (a *archive) lazy(name string, x archiveFile, at int64, all []Entry, first int) (File, error) {
	p := parser{file: File{Name: name, Sum: x.Sum}}
	p.lines(x.Top)
	file := p.file
	last := first + x.entries()
	if last > len(all) {
		return file, a.damaged(fmt.Errorf("%s: entradas cortadas", name))
	}
	file.Entries = all[first:last:last]
	rest := file.Entries
	for _, b := range x.Blocks {
		from, entries := at, rest[:b.Entries]
		open := sync.OnceValue(func() error {
			text, err := a.text(b, from)
			if err != nil {
				return err
			}
			if err := fill(entries, name, x.Top, text); err != nil {
				return a.damaged(err)
			}
			return nil
		})
		for i := range entries {
			e := &entries[i]
			e.Norm, e.Talk, e.File, e.open = file.Norm, p.talk, name, open
		}
		rest, at = rest[b.Entries:], at+int64(b.Size)
	}
	return file, nil
}

// fill gives entries what the text of their block says.
func fill(entries []Entry, name, top, text string) error {
	p := parser{file: File{Name: name}}
	p.lines(top)
	p.lines(text)
	p.close()
	if len(p.file.Entries) != len(entries) {
		return fmt.Errorf("%s: %d entradas, y han de ser %d", name, len(p.file.Entries), len(entries))
	}
	for i := range entries {
		e, x := &entries[i], &p.file.Entries[i]
		if e.Unit != x.Unit {
			return fmt.Errorf("%s: «%s» no es la entrada que ha de ser", name, clip(x.Unit))
		}
		e.Text, e.Words, e.Asks = x.Text, x.Words, x.Asks
		for k := range e.Asks {
			e.Asks[k].Line = int32(e.Line) // not the block's
		}
	}
	return nil
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
	a, err := openArchive(dir, pack)
	if a == nil || err != nil {
		return nil, err
	}
	err = a.each(pack, func(name string, _ archiveFile, _ int64) error { list = append(list, name); return nil })
	return list, err
}

// stored is a file of a pack's digest.
type stored struct {
	name string
	text func() (string, error) // of one without entries
	file func() (File, []pack.Problem, error)
}

// each hands the files of a pack's digest to f in their order; a pack without a digest has none.
func each(dir fs.FS, name string, f func(stored) error) error {
	list, err := folder(dir, name)
	if err != nil {
		return err
	}
	for _, n := range list {
		text := func() (string, error) { raw, err := fs.ReadFile(dir, n); return string(raw), err }
		err := f(stored{n, text, func() (File, []pack.Problem, error) {
			s, err := text()
			file, bad := Parse(n, s)
			return file, bad, err
		}})
		if err != nil {
			return err
		}
	}
	if len(list) > 0 {
		return nil
	}
	a, err := openArchive(dir, name)
	if a == nil || err != nil {
		return err
	}
	entries := sync.OnceValues(func() ([]Entry, error) {
		plain, err := a.section(sectionEntries)
		if err != nil {
			return nil, err
		}
		n := 0
		for _, x := range a.head {
			n += x.entries()
		}
		return (&entryReader{data: string(plain)}).all(n)
	})
	next := 0 // entry
	return a.each(name, func(file string, x archiveFile, at int64) error {
		first := next
		next += x.entries()
		return f(stored{file, func() (string, error) { return x.Top, nil }, func() (File, []pack.Problem, error) {
			all, err := entries()
			if err != nil {
				return File{}, nil, a.damaged(err)
			}
			f, err := a.lazy(file, x, at, all, first)
			return f, nil, err
		}})
	})
}

// read hands the files of a pack's digest for which want is true to f in their order, their
// entries open.
func read(dir fs.FS, name string, want func(name string) bool, f func(File, []pack.Problem)) error {
	return each(dir, name, func(x stored) error {
		if !want(x.name) {
			return nil
		}
		file, bad, err := x.file()
		if err == nil {
			err = file.open()
		}
		if err == nil {
			f(file, bad)
		}
		return err
	})
}

// open reads what Lazy left out.
func (f *File) open() error {
	for i := range f.Entries {
		if err := f.Entries[i].Open(); err != nil {
			return err
		}
	}
	return nil
}
