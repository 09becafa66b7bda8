package corpus

import (
	"testing"

	"digesto"
)

func TestFormal(t *testing.T) {
	n := digesto.Norm{ID: "BOE-A-2031-5", Title: "Ley 3/2031, de 4 de mayo, de Bibliotecas.", Published: "2031-05-06", URL: "https://leyes.example/3"}
	u := digesto.Unit{ID: "a7", Label: "Artículo 7"}
	v := digesto.Version{Text: "T", Published: "2032-02-01", ValidFrom: "2032-02-21"}
	for form, want := range map[Form]string{
		FormES:  "Artículo 7 de la Ley 3/2031, de 4 de mayo, de Bibliotecas (BOE-A-2031-5), redacción vigente desde el 21 de febrero de 2032. Disponible en: https://leyes.example/3 [consulta: 9 de marzo de 2033].",
		FormAR:  "Art. 7, Ley 3/2031, de 4 de mayo, de Bibliotecas, B.O. 06/05/2031, redacción vigente desde el 21 de febrero de 2032.",
		FormPE:  "Artículo 7 de la Ley 3/2031, de 4 de mayo, de Bibliotecas, publicado el 6 de mayo de 2031, redacción vigente desde el 21 de febrero de 2032.",
		FormAPA: "Ley 3/2031, de 4 de mayo, de Bibliotecas (2031, 6 de mayo). Art. 7. https://leyes.example/3",
	} {
		if got, err := Formal(n, u, v, form, "2033-03-09"); err != nil || got != want {
			t.Errorf("%s: %q, %v\nwant %q", form, got, err, want)
		}
	}
	if got, _ := Formal(digesto.Norm{ID: "N"}, digesto.Unit{}, digesto.Version{}, FormES, ""); got != "N (N)." {
		t.Errorf("nothing known: %q", got)
	}
	if _, err := Formal(n, u, v, "x", ""); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Error(err)
	}
}
