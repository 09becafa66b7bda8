package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func lampBlock(id, day, words string) string {
	return fmt.Sprintf(`<bloque id="%s" tipo="precepto"><version fecha_publicacion="%s"><p>%s</p></version></bloque>`, id, day, words)
}

func lampDocument(title string, blocks ...string) string {
	return "<?xml version=\"1.0\" encoding=\"utf-8\"?><response><data><metadatos><titulo>" + title + "</titulo></metadatos><texto>" + strings.Join(blocks, "\n") + "\n</texto></data></response>"
}

func TestRefreshFetchesOnlyWhatChanged(t *testing.T) {
	one, two, three := lampBlock("a1", "20300102", "Uno."), lampBlock("a2", "20300102", "Dos."), lampBlock("a3", "20300102", "Tres.")
	newTwo, four := lampBlock("a2", "20300315", "Dos nuevo."), lampBlock("a4", "20300315", "Cuatro.")
	index := `<response><data><bloque><id>a1</id><fecha_actualizacion>20300102</fecha_actualizacion></bloque><bloque><id>a2</id><fecha_actualizacion>20300315</fecha_actualizacion></bloque>` +
		`<bloque><id>a4</id><fecha_actualizacion>20300315</fecha_actualizacion></bloque></data></response>`
	var asked []string
	reply := func(r *http.Request) string {
		_, rest, _ := strings.Cut(r.URL.Path, "/id/BOE-A-2030-1/")
		asked = append(asked, rest)
		switch rest {
		case "texto/indice":
			return index
		case "texto/bloque/a2":
			return "<response><data>" + newTwo + "</data></response>"
		case "texto/bloque/a4":
			return "<response><data>" + four + "</data></response>"
		case "metadatos":
			return "<response><data><metadatos><titulo>Nuevo</titulo></metadatos></data></response>"
		}
		return ""
	}
	s, c := newService(t, func(_ int, w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, reply(r)) })
	o := OpenData{Client: c, Base: s.URL}
	old := lampDocument("Viejo", one, two, three)
	got, n, err := o.Refresh(t.Context(), "BOE-A-2030-1", []byte(old))
	if err != nil || n != 2 || string(got) != lampDocument("Nuevo", one, newTwo, four) {
		t.Errorf("%v, %d blocks: %s", err, n, got)
	}
	if want := "texto/indice texto/bloque/a2 texto/bloque/a4 metadatos"; strings.Join(asked, " ") != want {
		t.Errorf("asked for %v", asked)
	}
	for name, doc := range map[string]string{"no blocks": "<response/>", "cut": old[:len(old)-60], "twice": lampDocument("x", one, one), "nested": lampDocument("x", "<bloque id='b'>"+one+"</bloque>"),
		"no XML": "<<<", "words between": lampDocument("x", one, "suelto", two)} {
		if _, _, err := o.Refresh(t.Context(), "BOE-A-2030-1", []byte(doc)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	index = "<html>Mantenimiento</html>"
	if _, _, err := o.Refresh(t.Context(), "BOE-A-2030-1", []byte(old)); err == nil {
		t.Error("a table of contents of another form was taken")
	}
}

func FuzzCutBlocks(f *testing.F) {
	f.Add(lampDocument("x", lampBlock("a1", "20300102", "Uno."), lampBlock("a2", "x", "Dos.")))
	f.Add("<bloque id='a'><version fecha_publicacion='1'/></bloque><bloque id='b'/>")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := cutBlocks([]byte(s))
		if err != nil {
			return
		}
		n := len(c.head) + len(c.tail)
		for _, b := range c.blocks {
			n += len(b.raw)
		}
		if n > len(s) {
			t.Errorf("%d bytes of %d", n, len(s))
		}
	})
}
