// Command tinygguf writes a language model of random weights that a real
// server loads: small enough to start at once, with a vocabulary of single
// characters. It says nothing sensible, which is what it is for: it proves
// protocol, streaming, cancellation and JSON by schema, and that nothing it
// says passes for a quotation.
//
//	go run ./internal/tinygguf OUT.gguf
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
)

// The shape of the model (the "llama" architecture of the GGUF format, version 3).
const (
	layers  = 2
	width   = 64
	heads   = 4
	hidden  = 128
	context = 8192
	align   = 32
)

// Types of values, as the format numbers them.
const (
	typeU32   = 4
	typeI32   = 5
	typeF32   = 6
	typeBool  = 7
	typeText  = 8
	typeArray = 9
)

type tensor struct {
	name string
	dims []uint64 // innermost first
	ones bool     // a norm: all ones
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: tinygguf OUT.gguf")
		os.Exit(2)
	}
	f, err := os.Create(os.Args[1])
	if err == nil {
		w := &writer{b: bufio.NewWriterSize(f, 1<<20)}
		w.model()
		if err = w.b.Flush(); err == nil {
			err = f.Close()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type writer struct {
	b *bufio.Writer
	n uint64
}

func (w *writer) put(v any) {
	_ = binary.Write(w.b, binary.LittleEndian, v) // a bufio.Writer keeps its first error for Flush
	w.n += uint64(binary.Size(v))
}

func (w *writer) text(s string) {
	w.put(uint64(len(s)))
	_, _ = w.b.WriteString(s)
	w.n += uint64(len(s))
}

func (w *writer) key(name string, kind uint32) {
	w.text(name)
	w.put(kind)
}

// vocabulary: three marks, every byte, and the characters of Spanish and JSON.
func vocabulary() (tokens []string, scores []float32, kinds []int32) {
	add := func(s string, kind int32) {
		tokens, scores, kinds = append(tokens, s), append(scores, float32(-len(tokens))), append(kinds, kind)
	}
	add("<unk>", 2)
	add("<s>", 3)
	add("</s>", 3)
	for b := range 256 {
		add(fmt.Sprintf("<0x%02X>", b), 6)
	}
	add("▁", 1)
	for c := '!'; c <= '~'; c++ {
		add(string(c), 1)
	}
	for _, c := range "áéíóúüñÁÉÍÓÚÑ¿¡«»" {
		add(string(c), 1)
	}
	return tokens, scores, kinds
}

func (w *writer) model() {
	tokens, scores, kinds := vocabulary()
	tensors := shape(uint64(len(tokens)))
	_, _ = w.b.WriteString("GGUF")
	w.n = 4
	w.put(uint32(3))
	w.put(uint64(len(tensors)))
	w.put(uint64(20))
	w.key("general.architecture", typeText)
	w.text("llama")
	w.key("general.name", typeText)
	w.text("al azar")
	w.key("general.file_type", typeU32)
	w.put(uint32(0))
	for _, v := range []struct {
		name string
		n    uint32
	}{{"block_count", layers}, {"context_length", context}, {"embedding_length", width}, {"feed_forward_length", hidden},
		{"attention.head_count", heads}, {"attention.head_count_kv", heads}, {"rope.dimension_count", width / heads}, {"vocab_size", uint32(len(tokens))}} {
		w.key("llama."+v.name, typeU32)
		w.put(v.n)
	}
	w.key("llama.attention.layer_norm_rms_epsilon", typeF32)
	w.put(float32(1e-5))
	w.key("tokenizer.ggml.model", typeText)
	w.text("llama")
	w.key("tokenizer.ggml.tokens", typeArray)
	w.put(uint32(typeText))
	w.put(uint64(len(tokens)))
	for _, t := range tokens {
		w.text(t)
	}
	w.key("tokenizer.ggml.scores", typeArray)
	w.put(uint32(typeF32))
	w.put(uint64(len(scores)))
	w.put(scores)
	w.key("tokenizer.ggml.token_type", typeArray)
	w.put(uint32(typeI32))
	w.put(uint64(len(kinds)))
	w.put(kinds)
	for name, id := range map[string]uint32{"unknown": 0, "bos": 1, "eos": 2} {
		w.key("tokenizer.ggml."+name+"_token_id", typeU32)
		w.put(id)
	}
	w.key("tokenizer.ggml.add_bos_token", typeBool)
	w.put(true)
	w.weights(tensors)
}

// shape lists the tensors of the architecture.
func shape(vocab uint64) []tensor {
	out := []tensor{{"token_embd.weight", []uint64{width, vocab}, false}, {"output_norm.weight", []uint64{width}, true}, {"output.weight", []uint64{width, vocab}, false}}
	for l := range layers {
		p := fmt.Sprintf("blk.%d.", l)
		out = append(out, tensor{p + "attn_norm.weight", []uint64{width}, true}, tensor{p + "ffn_norm.weight", []uint64{width}, true})
		for _, n := range []string{"attn_q", "attn_k", "attn_v", "attn_output"} {
			out = append(out, tensor{p + n + ".weight", []uint64{width, width}, false})
		}
		out = append(out, tensor{p + "ffn_gate.weight", []uint64{width, hidden}, false}, tensor{p + "ffn_up.weight", []uint64{width, hidden}, false},
			tensor{p + "ffn_down.weight", []uint64{hidden, width}, false})
	}
	return out
}

func (t tensor) size() uint64 {
	n := uint64(1)
	for _, d := range t.dims {
		n *= d
	}
	return n
}

// weights writes the table of tensors and then their numbers, each at a multiple of align.
func (w *writer) weights(list []tensor) {
	at := uint64(0)
	for _, t := range list {
		w.text(t.name)
		w.put(uint32(len(t.dims)))
		w.put(t.dims)
		w.put(uint32(0)) // 32-bit floats
		w.put(at)
		at += (4*t.size() + align - 1) / align * align
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, t := range list {
		for w.n%align != 0 {
			w.put(uint8(0))
		}
		v := make([]float32, t.size())
		for i := range v {
			if v[i] = float32(r.NormFloat64() / math.Sqrt(width)); t.ones {
				v[i] = 1
			}
		}
		w.put(v)
	}
}
