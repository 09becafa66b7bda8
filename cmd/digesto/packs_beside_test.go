package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPackBeside: a pack that stands as a directory outside of the program is asked like
// its own: law is installed for it, and its digest leads to the place that answers.
func TestPackBeside(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "packs")
	if err := os.CopyFS(filepath.Join(own, "sexto"), os.DirFS("../../pack/testdata/sexto")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"packs/sexto/digest/REG-1.txt": `norm: REG-1

== a7
text: Un préstamo se puede renovar una sola vez, y solo si nadie ha reservado el libro.
words: una vez si nadie lo ha reservado
short: ¿Se puede renovar un préstamo?
street: me dejan quedarme el libro mas tiempo?
street: quiero renovar el libro q tengo en casa
told: Tengo en casa una novela de la biblioteca y no me da tiempo a acabarla. ¿Me la puedo quedar otras tres semanas?
told: Mi hija sacó un cuento y lo quiere leer otra vez. En el mostrador dicen que otro lector lo espera. ¿Nos lo alargan?
`,
		"ley/reg.md": `---
identifier: REG-1
title: Reglamento de Bibliotecas
jurisdiction: zz
---
# Reglamento de Bibliotecas

## Artículo 1. Objeto
Este reglamento ordena el préstamo de libros.

## Artículo 7. Préstamo
El préstamo de un libro dura veintiún días naturales desde su entrega. Puede renovarse una vez si nadie lo ha reservado.
`,
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	vars := map[string]string{"DIGESTO_DATA": filepath.Join(dir, "datos"), "DIGESTO_PACKS": own}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"ask", "--pack", "sexto", "¿Cuánto dura un préstamo?"}, "Un préstamo dura veintiún días"},
		{[]string{"corpus", "add", filepath.Join(dir, "ley"), "--pack", "sexto"}, "1 normas"},
		{[]string{"corpus", "vectors"}, ""},
		{[]string{"ask", "--pack", "sexto", "¿Se puede renovar un préstamo?"}, "y solo si nadie ha reservado el libro"},
	} {
		e, out, errs := testEnv(vars)
		if code := run(context.Background(), c.args, e); code != 0 || !strings.Contains(out.String(), c.want) {
			t.Errorf("%q: exit %d\n%s\n%s", c.args, code, out, errs)
		}
	}
	for _, c := range []struct {
		what   string
		change func() error
	}{
		{"another name", func() error {
			return os.Rename(filepath.Join(own, "sexto"), filepath.Join(own, "otro"))
		}},
		{"no folder", func() error { return os.RemoveAll(own) }},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		e, _, errs := testEnv(vars)
		if code := run(context.Background(), []string{"ask", "--pack", "sexto", "¿Cuánto dura un préstamo?"}, e); code == 0 || !strings.Contains(errs.String(), "carpeta") {
			t.Errorf("%s: exit %d, %s", c.what, code, errs)
		}
	}
}
