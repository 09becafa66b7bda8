package brief

import "fmt"

// Row is a reason for a verdict, as it is told; its verbs are filled in by [Finding.say].
type Row struct {
	Code    string
	Verdict Verdict
	Text    string
}

// reason is the place of a row in [Rows].
type reason int

const (
	ruling reason = iota
	whichNorm
	notInstalled
	notUnderstood
	otherSource
	otherMatter
	damaged
	unitOfNone
	noUnit
	normRepealed
	normThere
	unitThere
	notInForce
	unitRepealed
	olderCopy
	otherPlace
	noUnitNorWords
	noWords
	wordsAbroad
	addsWords
	changedUnseen
	noPart
	whichPart
	otherPart
	stands
	turnsSense
	undated
	wordsRepealed
	formerWords
	otherUnit
	standsNear
	uncited
	uncitedOther
	uncitedFormer
	uncitedAlike
	contradicted
)

// Rows are the reasons, in the order of their constants.
var Rows = []Row{
	{"ruling", Unresolved, "La resolución judicial «%s» no está instalada: no se puede comprobar que exista ni lo que dice. Búsquela en la publicación oficial de su tribunal antes de citarla."},
	{"which_norm", Unresolved, "La cita dice «%s» y antes el texto no dice cuál: escriba el nombre o el número de la norma."},
	{"not_installed", Unresolved, "No está instalada la norma «%s»."},
	{"not_understood", Unresolved, "Junto a la cita está «%s», que parece nombrar un lugar y no se entiende: no se puede comprobar que las palabras sean de él. Escriba el artículo y la norma."},
	{"other_source", Unresolved, "El texto parece decir que las palabras son de otra fuente («%s»), que no está instalada o no se entiende. También están en %s."},
	{"other_matter", Unresolved, "La cifra está en el lugar citado, pero no consta que la diga de lo que dice la frase: compruébelo."},
	{"damaged", Unresolved, "El texto guardado de «%s» está dañado y no se puede leer: la cita no se puede comprobar. Quien lleva la biblioteca lo ve con «digesto corpus check»."},
	{"unit_of_none", Unresolved, "La cita no dice de qué norma es el artículo, y «%s», de la que se habla antes, no lo tiene: escriba la norma."},
	{"no_unit", NotFound, "«%s» no tiene %s."},
	{"norm_repealed", Superseded, "Norma derogada%s."},
	{"norm_there", Verified, "La norma está instalada.%s"},
	{"unit_there", Verified, "El artículo existe y está vigente.%s"},
	{"not_in_force", Superseded, "El artículo existe, pero no consta que rija en la fecha consultada."},
	{"unit_repealed", Superseded, "El artículo existe, pero la norma está derogada%s."},
	{"older_copy", Superseded, "El texto es literal, pero de una copia anterior de la misma norma (%s, con texto hasta el %s): la más reciente que está instalada dice otra cosa."},
	{"other_place", Misattributed, "Las palabras no están en el lugar citado: son de %s. Cite ese lugar, o las palabras del que cita."},
	{"no_unit_nor_words", NotFound, "«%s» no tiene ese artículo o disposición, y las palabras no están en el derecho instalado.%s"},
	{"no_words", NotFound, "Las palabras no están, literales, en el lugar citado ni en otro del derecho instalado.%s"},
	{"words_abroad", NotFound, "Las palabras no están, literales, en el lugar citado ni en otro del derecho de que habla el texto. Están en el de otro país, pero son tan pocas que eso no dice de dónde son.%s"},
	{"adds_words", Unresolved, "%s"},
	{"changed_unseen", Superseded, "El texto es literal, pero %s cambió ese apartado el %s con palabras que no están en la fuente: no consta que rija en la fecha consultada."},
	{"no_part", Misattributed, "Las palabras están, literales, en %s, pero ese lugar no tiene lo que la cita nombra (%s)."},
	{"which_part", Unresolved, "Las palabras están en %s, pero no se puede saber qué parte nombra la cita (%s): compruébela."},
	{"other_part", Misattributed, "Las palabras están, literales, en %s, pero no en lo que la cita nombra (%s)%s."},
	{"stands", Verified, "Las palabras están, literales, en el lugar citado.%s"},
	{"turns_sense", NotFound, "%s"},
	{"undated", Unresolved, "Las palabras son del texto de hoy, y no consta desde cuándo rigen: no se puede comprobar que rigieran el %s."},
	{"words_repealed", Superseded, "El texto es literal, pero la norma está derogada%s."},
	{"former_words", Superseded, "El texto es literal, pero de una redacción que no rige en la fecha consultada%s"},
	{"other_unit", Misattributed, "La cita no dice de qué norma es, y las palabras no son de ese artículo: están en %s."},
	{"stands_near", Verified, "El texto no dice aquí de dónde es; las palabras están, literales, en el lugar citado antes: %s.%s"},
	{"uncited", Verified, "El texto no dice de dónde es; las palabras están en %s. Añada la cita."},
	{"uncited_other", Misattributed, "El encabezado no es el de estas palabras: están en %s."},
	{"uncited_former", Superseded, "El texto no dice de dónde es; las palabras son de una redacción o norma que no rige: %s."},
	{"uncited_alike", NotFound, "El texto no dice de dónde es y se parece mucho a una norma instalada, pero no es literal."},
	{"contradicted", NotFound, "El artículo existe y está vigente, pero no dice lo que dice la frase. %s"},
}

// say gives a finding the verdict of a reason, and its words.
func (f *Finding) say(r reason, with ...any) {
	f.Verdict, f.Reason = Rows[r].Verdict, fmt.Sprintf(Rows[r].Text, with...)
}
