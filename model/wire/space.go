package wire

import (
	"fmt"
	"math"
	"sync/atomic"

	"digesto/model"
)

// Space is the vector space of an embedder behind a server: half of
// [model.Embedder], for adapters to embed.
type Space struct {
	opt  SpaceOptions
	dims atomic.Int64
}

// SpaceOptions say which vectors are asked for.
type SpaceOptions struct {
	Model         string
	Dims          int    // expected length of the vectors; 0 = as the first answer says
	SendDims      bool   // ask the server for vectors of that length
	Batch         int    // texts a request; 0 = 64
	QueryPrefix   string // put before a question ("query: ")
	PassagePrefix string // put before a text ("passage: ")
}

// NewSpace makes the space.
func NewSpace(opt SpaceOptions) *Space {
	if opt.Batch <= 0 {
		opt.Batch = 64
	}
	s := &Space{opt: opt}
	s.dims.Store(int64(opt.Dims))
	return s
}

// Name implements [model.Embedder]: the model, its prefixes and the dimensions
// asked for make the vector space.
func (s *Space) Name() string {
	name := s.opt.Model
	if s.opt.QueryPrefix != "" || s.opt.PassagePrefix != "" {
		name += fmt.Sprintf("|%s|%s", s.opt.QueryPrefix, s.opt.PassagePrefix)
	}
	if s.opt.SendDims {
		name += fmt.Sprintf("|%d", s.opt.Dims)
	}
	return name
}

// Dims implements [model.Embedder]: 0 while nothing was asked for or answered.
func (s *Space) Dims() int { return int(s.dims.Load()) }

// Batches embeds texts piece by piece: embed gets them with their prefix, and
// gives one vector for each.
func (s *Space) Batches(texts []string, mode model.Mode, embed func(input []string) ([][]float32, error)) ([][]float32, error) {
	prefix := s.opt.PassagePrefix
	if mode == model.Query {
		prefix = s.opt.QueryPrefix
	}
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		input := make([]string, min(len(texts), s.opt.Batch))
		for i := range input {
			input[i] = prefix + texts[i]
		}
		vectors, err := embed(input)
		if err != nil {
			return nil, err
		}
		for i, v := range vectors {
			if err := s.check(i, v); err != nil {
				return nil, err
			}
		}
		out = append(out, vectors...)
		texts = texts[len(input):]
	}
	return out, nil
}

// check holds every vector to one length and to numbers that can be compared.
func (s *Space) check(i int, v []float32) error {
	if len(v) == 0 {
		return Garbled("vector %d is missing", i)
	}
	s.dims.CompareAndSwap(0, int64(len(v)))
	if dims := s.Dims(); len(v) != dims {
		return model.WrongDims(len(v), dims)
	}
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return Garbled("vector %d holds what is no number", i)
		}
	}
	return nil
}

// Garbled is the error of an answer that cannot be read.
func Garbled(format string, args ...any) error {
	return model.NewError(&model.Fault{Kind: model.KindGarbled, Detail: fmt.Sprintf(format, args...)})
}
