package packs

import (
	"bytes"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"digesto/pack"
)

// untreed is the files of the packs without what is made of them.
type untreed struct{ fs.FS }

func (u untreed) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, pack.TreeSuffix) {
		return nil, fs.ErrNotExist
	}
	return u.FS.Open(name)
}

// TestTrees: each YAML file has its tree as it is made now, and packs are the same without, which
// are checked for fields that there are not.
func TestTrees(t *testing.T) {
	list, err := fs.Glob(files, "*/*.yaml")
	if err != nil || len(list) == 0 {
		t.Fatal("no files", err)
	}
	for _, name := range list {
		data, err1 := fs.ReadFile(files, name)
		tree, err2 := fs.ReadFile(files, name+pack.TreeSuffix)
		if made, err := pack.MakeTree(data); err != nil || err1 != nil || err2 != nil || !bytes.Equal(made, tree) {
			t.Errorf("%s has another tree; make it anew with go generate ./packs: %v %v %v", name, err, err1, err2)
		}
	}
	for _, n := range names {
		with, err1 := pack.Load(files, n)
		without, err2 := pack.Load(untreed{files}, n)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if with.Hash() != without.Hash() {
			t.Errorf("%s: another hash", n)
		}
		x, y := reflect.ValueOf(*with), reflect.ValueOf(*without)
		for i := range x.NumField() {
			if f := x.Type().Field(i); f.IsExported() && !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
				t.Errorf("%s: %s differs", n, f.Name)
			}
		}
	}
}
