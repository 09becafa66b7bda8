// Package cite recognises citations of legal norms and of their units, and the
// identifiers of norms, in Spanish text.
//
// It knows structure words (artículo, disposición, norma, anexo, ley, decreto…)
// and schemes of identifiers; it does not know a single law. Which names and
// acronyms mean which norm is data that packs give to [NewTable]; number and
// year, the distinctive end of an official title and identifiers come from the
// norms themselves.
package cite
