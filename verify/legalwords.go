package verify

import "digesto/text"

// Folded words that judging a claim goes by. They are those of legal Spanish of
// every country, not of any one law.
var (
	denying = text.WordSet("no ni nunca jamas tampoco sin nadie ningun ninguna ninguno nulo nula")
	// turning are words that may turn a sentence without being negations.
	turning   = text.WordSet("salvo excepto sino carece carecera carecen carecio exento exenta exentos exentas excluye excluyen excluido excluida excluidos excluidas quedan")
	excepting = text.WordSet("salvo excepto perjuicio siempre")

	// light are stems of what is said of any rule: that it rules, and how.
	light = stems(`establece establecer establecido dispone disponer dispuesto preve prever previsto prevista contempla regula regulado reconoce reconocido recoge señala fija
		fijado determina ordena exige impone consagra indica precisa aclara define articulo ley norma precepto codigo estatuto decreto reglamento ordenamiento legal legalmente apartado
		inciso parrafo conforme acuerdo virtud tenor efecto lugar caso debe deben debera deberan puede pueden podra podran tiene tienen tendra tendran corresponde dura durara
		hay plazo periodo regla vigente actual actualmente expresamente igualmente asimismo tambien asi general manera forma modo respecto relacion materia recordar
		cabe citado mencionado referido aplicable aplica opera rige prescripto prescribe prescrito`)

	// opposites are bounds that turn each other round.
	opposites = [][2]string{{"maximo", "minimo"}, {"maxima", "minima"}, {"superior", "inferior"}, {"superiores", "inferiores"}, {"mayor", "menor"}, {"mayores", "menores"}, {"antes", "despues"}, {"anterior", "posterior"},
		{"obligatorio", "voluntario"}, {"obligatoria", "voluntaria"}, {"previo", "posterior"}, {"grave", "leve"}, {"graves", "leves"}}
)

// bodies are who acts in a rule: words of one row mean the same, or so nearly that
// the one for the other is no mistake that a program should assert.
var bodies = rows(
	"empresa empresario empresarios empleador empleadores patrono patronal patron",
	"trabajador trabajadora trabajadores trabajadoras empleado empleados obrero obreros asalariado",
	"juez jueza jueces juzgado juzgados tribunal tribunales magistrado magistrados judicatura camara sala",
	"ministro ministerio ministra ministerios",
	"gobierno ejecutivo",
	"alcalde alcaldia ayuntamiento ayuntamientos municipio municipios municipalidad intendente",
	"notario notaria notarios escribano escribana escribanos",
	"registrador registro registradora",
	"contribuyente contribuyentes obligado",
	"acreedor acreedores acreedora",
	"deudor deudora deudores",
	"arrendador arrendadora locador locadora propietario",
	"arrendatario arrendataria locatario locataria inquilino inquilina",
	"vendedor vendedora", "comprador compradora adquirente",
	"fiscal fiscalia",
	"congreso parlamento cortes legislatura",
	"presidente presidenta", "secretario secretaria", "director directora direccion", "consejo consejos", "comision", "comite delegados delegado",
	"inspeccion inspector inspectora inspectores", "administracion autoridad autoridades organismo entidad", "intervencion", "defensor defensoria",
	"padre padres progenitor progenitores madre", "tutor tutora curador", "heredero herederos", "testador testadora", "mandante", "mandatario",
	"actor actora demandante", "demandado demandada", "consumidor consumidora usuario", "proveedor proveedora", "donante", "donatario",
)

func rows(list ...string) map[string]int {
	out := map[string]int{}
	for k, r := range list {
		for w := range text.WordSet(r) {
			out[w] = k + 1
		}
	}
	return out
}

// bodyOf gives the row of a folded word, 0 for none.
func bodyOf(folded string) int { return bodies[folded] }

func stems(list string) map[string]bool {
	out := map[string]bool{}
	for w := range text.WordSet(list) {
		out[text.Stem(text.Fold(w))] = true
	}
	return out
}
