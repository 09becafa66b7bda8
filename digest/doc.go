// Package digest holds, for the places of the law that people ask about, the
// questions that lead to them, in the words of the street: entries written by us,
// labelled, and checked against the installed text.
//
// A file is plain text, one for each norm or matter, that is edited without
// programming:
//
//	norm: BOE-A-2015-11430
//	skip: a8, a64-a76 | organización de la representación: nadie pregunta por ella
//
//	== a38
//	text: Cada año corresponden al menos treinta días naturales de vacaciones pagadas.
//	words: en ningún caso la duración será inferior a treinta días naturales
//	short: ¿Cuántos días de vacaciones hay al año?
//	street: cuantas vacaciones me tocan si llevo un año currando
//	told: Llevo dos años de camarera y mi jefe dice que con tres semanas voy servida. ¿Es así?
//	pro: duración mínima del período de vacaciones anuales
//	same: BOE-A-1977-12345/a7
//
// "==" begins an entry with the id of its unit; a unit may have several entries,
// one a matter. text answers in one or two plain sentences, with the condition
// that decides. words are three to eleven consecutive words of the unit that
// decide, to the letter. short, street, told and pro are asks, each line one. same
// names another place that holds the same rule. A line that begins with two
// spaces goes on with the one before; "#" begins a remark.
//
// A file whose head says "elsewhere: yes" holds matters that are not in the law at
// hand: its entries have a name of their own, text says where the matter is and
// whom to ask, and "until" names norms that, once installed, withdraw the entry.
//
// Files stand in the folder "digest" of a pack, or in an [Archive] of it.
package digest
