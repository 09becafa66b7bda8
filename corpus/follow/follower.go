package follow

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/corpus"
)

// Options of a follower. Zero values mean the defaults stated.
type Options struct {
	Place   Place           // required
	Library *corpus.Library // required
	Dir     string          // folder for what is being downloaded and for what was taken last; required
	Trust   string          // public key of who publishes, in hex; required
	Every   time.Duration   // between two looks; 30 s
	Stall   time.Duration   // a transfer that gives nothing for so long has failed; 60 s
	// BeforeSwap makes what derives from a snapshot before it is current.
	BeforeSwap func(*corpus.Snapshot) error
	// Switched is told after a snapshot became current; nil = nobody is.
	Switched func(from, to string)
	// Fault is told when what went wrong is something else than before; nil = nobody is.
	Fault func(error)
	Clock func() time.Time // time.Now
}

// Follower keeps the library of a node at what is published. What is broken, foreign or
// older than what was taken is told and never current.
type Follower struct {
	opt  Options
	last int64 // serial of the last pointer that was taken

	mu     sync.Mutex
	status Status
	fault  error
	failed failure
}

// failure is an export that could not be taken: it is not asked for again at each look.
type failure struct {
	serial int64
	times  int
	until  time.Time
	err    error
}

// Status is what a follower tells of itself. It names no address and no path.
type Status struct {
	Published string     `json:"published,omitempty"` // snapshot that the pointer last read names
	Serial    int64      `json:"serial,omitempty"`    // of the pointer last taken
	Looked    *time.Time `json:"looked_at,omitempty"` // the last time that the place was read and found good
	Switched  *time.Time `json:"switched_at,omitempty"`
	Code      string     `json:"code,omitempty"`  // of what is wrong now
	Fault     string     `json:"fault,omitempty"` // what is wrong now, in Spanish

	Switches int            `json:"-"` // since the start
	Failures map[string]int `json:"-"` // looks that failed since the start, by code
}

// exportName is what is being downloaded.
const exportName = "export"

// New makes a follower. A key that is none is a usage error.
func New(opt Options) (*Follower, error) {
	if key, err := hex.DecodeString(strings.TrimSpace(opt.Trust)); err != nil || len(key) != 32 {
		return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "Falta la clave pública de quien publica la ley", Hint: "Son 64 cifras hexadecimales: las dice «digesto corpus publish». Póngala en --follow-key o DIGESTO_FOLLOW_KEY."}
	}
	if opt.Every <= 0 {
		opt.Every = 30 * time.Second
	}
	if opt.Stall <= 0 {
		opt.Stall = time.Minute
	}
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	_ = os.Remove(filepath.Join(opt.Dir, exportName)) // one that was killed may have left it
	f := &Follower{opt: opt, status: Status{Failures: map[string]int{}}}
	f.last = f.taken()
	f.status.Serial = f.last
	return f, nil
}

// Run looks again and again until ctx ends.
func (f *Follower) Run(ctx context.Context) {
	tick := time.NewTicker(f.opt.Every)
	defer tick.Stop()
	for {
		_ = f.Look(ctx) // told by status and Fault
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Look reads the pointer once and takes what it names. It is not called twice at a time.
func (f *Follower) Look(ctx context.Context) error {
	err := f.look(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f.mu.Lock()
	s := &f.status
	was := s.Fault
	s.Code, s.Fault = string(digesto.CodeOf(err)), ""
	if err == nil {
		now := f.opt.Clock().UTC()
		s.Looked = &now
	} else {
		s.Fault = digesto.Told(err)
		s.Failures[s.Code]++
	}
	f.fault = err
	told := err != nil && s.Fault != was
	f.mu.Unlock()
	if told && f.opt.Fault != nil {
		f.opt.Fault(err)
	}
	return err
}

// Status tells how the follower stands.
func (f *Follower) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.status
	s.Failures = map[string]int{}
	for code, n := range f.status.Failures {
		s.Failures[code] = n
	}
	return s
}

// Ready says why a node that has no law yet cannot answer: it waits for the first.
func (f *Follower) Ready() error {
	s, err := f.opt.Library.Current()
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Hash() != "" {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "Este nodo no ha recibido todavía la ley publicada", Err: f.fault, Hint: "Espere a que la traiga; si no llega, su registro dice por qué."}
}

func (f *Follower) look(ctx context.Context) error {
	p, err := f.pointer(ctx)
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.status.Published = p.Law.Snapshot
	f.mu.Unlock()
	if p.Serial < f.last {
		return &digesto.Error{Code: digesto.CodeForbidden, Message: "Lo publicado es anterior a lo que este nodo ya tomó", Hint: "Alguien ha repuesto un «" + pointerName + "» antiguo: para volver atrás use «digesto corpus publish --back»."}
	}
	now, err := f.current()
	if err != nil {
		return err
	}
	if now != p.Law.Snapshot {
		if f.failed.serial == p.Serial && f.opt.Clock().Before(f.failed.until) {
			return f.failed.err
		}
		if err := f.take(ctx, p.Law); err != nil {
			f.fail(p.Serial, err)
			return err
		}
		f.switched(now, p.Law.Snapshot)
	}
	return f.took(p.Serial)
}

// fail waits longer each time that the same pointer could not be followed.
func (f *Follower) fail(serial int64, err error) {
	if f.failed.serial != serial {
		f.failed = failure{serial: serial}
	}
	f.failed.times++
	f.failed.err = err
	f.failed.until = f.opt.Clock().Add(min(f.opt.Every<<min(f.failed.times-1, 10), max(f.opt.Every, 10*time.Minute)))
}

func (f *Follower) switched(from, to string) {
	f.failed = failure{}
	now := f.opt.Clock().UTC()
	f.mu.Lock()
	f.status.Switched = &now
	f.status.Switches++
	f.mu.Unlock()
	if f.opt.Switched != nil {
		f.opt.Switched(from, to)
	}
}

func (f *Follower) current() (string, error) {
	s, err := f.opt.Library.Current()
	if err != nil {
		return "", err
	}
	defer s.Close()
	return s.Hash(), nil
}

func (f *Follower) pointer(ctx context.Context) (Pointer, error) {
	ctx, cancel := context.WithTimeout(ctx, f.opt.Stall)
	defer cancel()
	data, err := small(ctx, f.opt.Place, pointerName, maxPointer)
	if err != nil {
		return Pointer{}, err
	}
	return readPointer(data, f.opt.Trust)
}

// take makes a published export current. What the library still has is not asked for
// again, so going back needs no transfer.
func (f *Follower) take(ctx context.Context, e Export) error {
	opt := corpus.UpdateOptions{Older: true, BeforeSwap: func(s *corpus.Snapshot) error { // the serial of the pointer says what is older
		if s.Hash() != e.Snapshot {
			return broken("el fichero no trae la ley que se anuncia", nil)
		}
		if f.opt.BeforeSwap == nil {
			return nil
		}
		return f.opt.BeforeSwap(s)
	}}
	err := f.opt.Library.Adopt(ctx, e.Snapshot, opt)
	if err == nil || digesto.CodeOf(err) == digesto.CodeConflict || ctx.Err() != nil {
		return err
	}
	file, err := f.download(ctx, e)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close(); _ = os.Remove(file.Name()) }()
	out, err := f.opt.Library.Import(ctx, file, f.opt.Trust, opt)
	if err == nil && out.Snapshot != e.Snapshot {
		return broken("el fichero no trae la ley que se anuncia", nil)
	}
	return err
}

// download brings an export whole, proved by the sum that the pointer has of it: the
// library is not held meanwhile.
func (f *Follower) download(ctx context.Context, e Export) (_ *os.File, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stall := time.AfterFunc(f.opt.Stall, cancel)
	defer stall.Stop()
	from, err := f.opt.Place.Get(ctx, e.File)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	if err := os.MkdirAll(f.opt.Dir, 0o755); err != nil {
		return nil, err
	}
	file, err := os.Create(filepath.Join(f.opt.Dir, exportName))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, sum), io.LimitReader(alive{from, stall, f.opt.Stall}, e.Size+1))
	switch {
	case err != nil && errors.As(err, new(*os.PathError)):
		return nil, err // the disk of this node
	case err != nil:
		return nil, unreachable(err)
	case n != e.Size, hex.EncodeToString(sum.Sum(nil)) != e.SHA256:
		return nil, broken("el fichero está cortado o alterado", nil)
	}
	_, err = file.Seek(0, io.SeekStart)
	return file, err
}

// alive puts off the end of a transfer each time that it gives something.
type alive struct {
	r     io.Reader
	timer *time.Timer
	stall time.Duration
}

func (a alive) Read(b []byte) (int, error) {
	n, err := a.r.Read(b)
	if n > 0 {
		a.timer.Reset(a.stall)
	}
	return n, err
}

// takenName has the serial of the last pointer that was taken of each key.
const takenName = "taken.json"

func (f *Follower) serials() map[string]int64 {
	out := map[string]int64{}
	data, err := os.ReadFile(filepath.Join(f.opt.Dir, takenName))
	if err != nil || json.Unmarshal(data, &out) != nil || out == nil {
		return map[string]int64{} // none yet, or not to be read: nothing to compare with
	}
	return out
}

func (f *Follower) key() string { return strings.ToLower(strings.TrimSpace(f.opt.Trust)) }

func (f *Follower) taken() int64 { return f.serials()[f.key()] }

// took remembers the serial of a pointer whose law is current.
func (f *Follower) took(serial int64) error {
	if serial == f.last {
		return nil
	}
	all := f.serials()
	all[f.key()] = serial
	data, err := json.Marshal(all)
	if err == nil {
		err = os.MkdirAll(f.opt.Dir, 0o755)
	}
	if err == nil {
		err = write(filepath.Join(f.opt.Dir, takenName), bytes.NewReader(data))
	}
	if err != nil {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "No se puede apuntar qué ley se ha tomado", Err: err, Hint: "Compruebe los permisos y el sitio de la carpeta de datos."}
	}
	f.last = serial
	f.mu.Lock()
	f.status.Serial = serial
	f.mu.Unlock()
	return nil
}
