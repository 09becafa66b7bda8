package e5

import (
	"encoding/binary"
	"encoding/json"
	"unsafe"
)

// tensors is a file in the safetensors form: a table of named arrays over bytes
// that are not copied.
type tensors struct {
	table map[string]tensor
	data  string
}

type tensor struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// maxHeader bounds the JSON table of a file.
const maxHeader = 1 << 20

func readTensors(file string) (*tensors, error) {
	if len(file) < 8 {
		return nil, invalid("archivo de pesos demasiado corto", nil)
	}
	n := binary.LittleEndian.Uint64([]byte(file[:8]))
	if n > maxHeader || n > uint64(len(file)-8) {
		return nil, invalid("cabecera de pesos fuera de límites", nil)
	}
	t := &tensors{data: file[8+n:]}
	if err := json.Unmarshal([]byte(file[8:8+n]), &t.table); err != nil {
		return nil, invalid("cabecera de pesos ilegible", err)
	}
	return t, nil
}

// bytes gives the raw bytes of an array after checking its type and shape
// against what the caller expects; a negative length there means any.
func (t *tensors) bytes(name, dtype string, size int, shape ...int) (string, error) {
	x, ok := t.table[name]
	if !ok || x.DType != dtype || len(x.Shape) != len(shape) {
		return "", invalid("falta el tensor "+name+" o tiene otra forma", nil)
	}
	n := size
	for i, d := range x.Shape {
		if d < 0 || shape[i] >= 0 && d != shape[i] || d > len(t.data) || n > len(t.data) {
			return "", invalid("el tensor "+name+" tiene otra forma", nil)
		}
		n *= d
	}
	from, to := x.Offsets[0], x.Offsets[1]
	if from < 0 || to < from || to > len(t.data) || to-from != n {
		return "", invalid("el tensor "+name+" no está donde dice su tabla", nil)
	}
	return t.data[from:to], nil
}

// int8s gives an int8 array in place, without copying.
func (t *tensors) int8s(name string, shape ...int) ([]int8, error) {
	b, err := t.bytes(name, "I8", 1, shape...)
	if err != nil || b == "" {
		return nil, err
	}
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(b))), len(b)), nil
}

// sumOf adds up a row of whole eights of weights, eight at once: in sixteen bits a lane holds 128
// sums of two bytes.
func sumOf(row []int8) (sum int32) {
	const lanes, lane = 0x00ff00ff00ff00ff, 1<<16 - 1
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(row))), len(row))
	for ; len(bytes) > 0; bytes = bytes[min(len(bytes), 8*128):] {
		acc := uint64(0)
		for b := bytes[:min(len(bytes), 8*128)]; len(b) >= 8; b = b[8:] {
			x := binary.LittleEndian.Uint64(b) ^ 0x8080808080808080 // each 128 more
			acc += x&lanes + x>>8&lanes
		}
		sum += int32(acc&lane + acc>>16&lane + acc>>32&lane + acc>>48)
	}
	return sum - 128*int32(len(row))
}

// floats gives a float32 array.
func (t *tensors) floats(name string, shape ...int) ([]float32, error) {
	return numbers[float32](t, name, "F32", shape)
}

// int32s gives an int32 array.
func (t *tensors) int32s(name string, shape ...int) ([]int32, error) {
	return numbers[int32](t, name, "I32", shape)
}

// numbers gives an array in place where its bytes are aligned, which the file does not promise;
// else a copy.
func numbers[T int32 | float32](t *tensors, name, dtype string, shape []int) ([]T, error) {
	b, err := t.bytes(name, dtype, 4, shape...)
	if err != nil || b == "" {
		return nil, err
	}
	at := unsafe.Pointer(unsafe.StringData(b))
	if little := binary.NativeEndian.Uint16([]byte{1, 0}) == 1; little && uintptr(at)%4 == 0 {
		return unsafe.Slice((*T)(at), len(b)/4), nil
	}
	out := make([]T, len(b)/4)
	_, err = binary.Decode([]byte(b), binary.LittleEndian, out)
	return out, err
}

// linear is y = W·x + b with W int8 rows, one scale a row.
type linear struct {
	out, in int
	q       []int8 // [out][in]
	s, b    []float32
	low     []int32 // 128 · Σ of each row, where unsigned bytes are multiplied
}

func (t *tensors) linear(name string, out, in int) (l linear, err error) {
	l.out, l.in = out, in
	if l.q, err = t.int8s(name+".q", out, in); err != nil {
		return l, err
	}
	if l.s, err = t.floats(name+".s", out); err != nil {
		return l, err
	}
	l.b, err = t.floats(name+".b", out)
	return l, err
}

// norm is the scale and shift of a layer normalisation.
type norm struct{ w, b []float32 }

func (t *tensors) norm(name string) (n norm, err error) {
	if n.w, err = t.floats(name+".w", Dims); err != nil {
		return n, err
	}
	n.b, err = t.floats(name+".b", Dims)
	return n, err
}
