package manual

import "testing"

func TestTranslate(t *testing.T) {
	for in, want := range map[string]string{
		`unknown flag --pak, did you mean "--pack"?`:                          "no existe la opción --pak; ¿quiso decir «--pack»?",
		`unknown flag --zzz`:                                                  "no existe la opción --zzz",
		`unexpected argument aks, did you mean "ask"?`:                        "no existe la orden «aks»; ¿quiso decir «ask»?",
		`expected one of "add", "list"`:                                       "falta la orden: una de «add», «list»",
		`missing flags: --from=AAAA-MM-DD`:                                    "falta la opción --from=AAAA-MM-DD",
		`--k: expected a valid 64 bit int but got "x"`:                        "--k pide un número entero, no «x»",
		`--json and --stream can't be used together`:                          "--json y --stream no se pueden usar a la vez",
		`something that a newer parser says`:                                  "no se entiende la orden (something that a newer parser says)",
		`<shell> must be one of "bash","zsh","fish" but got "tcsh"`:           "el valor «tcsh» de <shell> no vale: use uno de «bash»,«zsh»,«fish»",
		`--pack: expected string value but got "EOL" (EOL)`:                   "falta el valor de --pack",
		`--pack: expected string value but got "--json" (long flag)`:          "falta el valor de --pack: lo que sigue, «--json», parece otra opción",
		`expected "<question> ..."`:                                           "falta el argumento question",
		`unknown flag --as-o, did you mean one of "--as-of", "--as-if"?`:      "no existe la opción --as-o; ¿quiso decir una de «--as-of», «--as-if»?",
		`unexpected argument sobra`:                                           "sobra el argumento «sobra»",
		`missing positional arguments <norm>`:                                 "falta el argumento <norm>",
		`--contract and --stream can't be used together`:                      "--contract y --stream no se pueden usar a la vez",
		`--json: bool value must be true, 1, yes, false, 0 or no but got "x"`: "--json no lleva valor (se dio «x»)",
	} {
		if got := translate(in); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
