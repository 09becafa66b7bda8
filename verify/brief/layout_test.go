package brief

import "testing"

// Lines, items, notes and brackets around a citation say which quotation is whose.
func TestLayout(t *testing.T) {
	o := port(t)
	const pilot, fee, claim = "«Ningún barco de más de veinte metros entrará sin práctico a bordo»", "«Quien pague tarde abonará un recargo del cinco por ciento»", "«El reclamo contra la liquidación se presenta dentro de los veinte días hábiles»"
	for _, c := range []struct{ name, text, want string }{
		{"bracket closed before the next citation", "El art. 16 LGP: " + fee + " (el resaltado es nuestro). Asimismo, el art. 17 LGP obliga.", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17"},
		{"next item", "- el práctico, art. 17 LGP\n   ojo: " + pilot + "\n- la cuota (art. 16 LGP)", "VERIFIED LEY-7/a17 q; VERIFIED LEY-7/a16"},
		{"source in the line below", "Se recuerda: " + pilot + "\n- art. 17 LGP", "VERIFIED LEY-7/a17 q"},
		{"next note", "Uno.[^1] Dos.[^2]\n\n[^1]: Art. 16 LGP: " + fee + ".\n[^2]: Art. 17 LGP.", "VERIFIED LEY-7/a16 q; VERIFIED LEY-7/a17"},
		{"words of the next paragraph", "Se pide lo del art. 16 LGP, con costas.\n\nHECHOS\nLa carta decía: «Prescindimos de su barco desde el día de hoy».", "VERIFIED LEY-7/a16"},
		{"article that the law spoken of does not have", "La Ley 9459 da plazo. El art. 17 LGP obliga. Según el art. 137, " + claim + ".", "VERIFIED LEY-9459/; VERIFIED LEY-7/a17; VERIFIED LEY-9459/a137 q"},
		// parts named beside the words
		{"part in brackets before", "El art. 70 inc. a) de la Ley 9459 da «Cuatro unidades por la carga seca»; y en el caso de animales (inc. b), «Seis unidades por la carga de animales vivos».", "VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q"},
		{"part in brackets before, wrong", "El art. 70 inc. a) de la Ley 9459 da «Cuatro unidades por la carga seca»; y en el caso de animales (inc. c), «Seis unidades por la carga de animales vivos».", "VERIFIED LEY-9459/a70 q; MISATTRIBUTED LEY-9459/a70 q"},
		{"part and colon", "Art. 70, literal a), de la Ley 9459: «Cuatro unidades por la carga seca». Literal b): «Seis unidades por la carga de animales vivos».", "VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q"},
		{"parts in brackets behind", "El art. 70 incs. a, b y c de la Ley 9459: «Cuatro unidades por la carga seca» (inc. a), «Seis unidades por la carga de animales vivos» (inc. b) y «Diez unidades por la carga peligrosa» (inc. c).", "VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q; VERIFIED LEY-9459/a70 q"},
		{"parts in brackets behind, wrong", "El art. 70 incs. a y b de la Ley 9459: «Cuatro unidades por la carga seca» (inc. a), «Seis unidades por la carga de animales vivos» (inc. a).", "VERIFIED LEY-9459/a70 q; MISATTRIBUTED LEY-9459/a70 q"},
	} {
		if got := quoted(check(t, o, c.text)); got != c.want {
			t.Errorf("%s: %q, want %q\n\t%s", c.name, got, c.want, c.text)
		}
	}
}
