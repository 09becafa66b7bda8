package question

import "testing"

func TestKindOf(t *testing.T) {
	for q, want := range map[string]Kind{
		"¿Cuántos días de vacaciones me corresponden al año?":     KindPeriod,
		"plazo para recurrir la sanción":                          KindPeriod,
		"¿Cuánto tiempo dura el contrato de prueba?":              KindPeriod,
		"¿Cuándo prescribe la acción?":                            KindPeriod,
		"¿Cuánto cuesta la licencia?":                             KindAmount,
		"porcentaje del recargo":                                  KindAmount,
		"¿Cuántos miembros forman el consejo?":                    KindAmount,
		"¿Cuándo empieza el curso?":                               KindDate,
		"¿Quién resuelve el recurso?":                             KindWho,
		"¿Qué órgano es competente?":                              KindWho,
		"¿Ante quién se presenta?":                                KindWho,
		"requisitos para pedir la ayuda":                          KindList,
		"¿Cuáles son las causas de extinción?":                    KindList,
		"¿Qué documentos necesito?":                               KindList,
		"¿Qué es la NORMA XV?":                                    KindDefinition,
		"¿Qué se entiende por domicilio fiscal?":                  KindDefinition,
		"¿Cómo se presenta la solicitud?":                         KindHow,
		"¿Puede el arrendador subir la renta?":                    KindYesNo,
		"¿Es obligatorio avisar?":                                 KindYesNo,
		"Hola, ¿tengo derecho a un descanso?":                     KindYesNo,
		"¿Qué dice el artículo 38?":                               KindText,
		"¿Qué servicios presta el puerto?":                        KindList,
		"¿Con qué medios se puede pagar?":                         KindList,
		"¿Qué opinas de la ley?":                                  KindOpen,
		"¿Qué indemnización da la ley?":                           KindAmount,
		"¿Cuánto puede durar la licencia?":                        KindPeriod,
		"vacaciones":                                              KindOpen,
		"":                                                        KindOpen,
		"El permiso, ¿lo paga la empresa?":                        KindOpen,
		"¿Qué establece el artículo 4 sobre el plazo de preaviso": KindText,
	} {
		if got := KindOf(q); got != want {
			t.Errorf("kindOf(%q) = %s, want %s", q, got, want)
		}
	}
}
