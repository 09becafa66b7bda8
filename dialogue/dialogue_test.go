package dialogue

import (
	"testing"

	"digesto"
)

func spoken(question string) State {
	return Of([]digesto.Message{{Role: "user", Text: question}, {Role: "assistant", Text: "Diez días.", Type: "answer", Norms: []string{"LIB-1"}, Places: []string{"LIB-1/a3"}}})
}

func TestQuery(t *testing.T) {
	s := spoken("¿Cuánto dura el préstamo de libros?")
	for in, want := range map[string]string{
		"¿y las sanciones?":                "¿las sanciones en relación con el préstamo de libros?",
		"¿y si soy menor?":                 "¿Cuánto dura el préstamo de libros, si soy menor?",
		"¿y en ese caso?":                  "¿Cuánto dura el préstamo de libros, en ese caso?",
		"¿desde cuándo?":                   "¿desde cuándo en relación con el préstamo de libros?",
		"¿y el artículo 5?":                "¿el artículo 5 de LIB-1?",
		"¿y quién paga la pérdida?":        "¿quién paga la pérdida en relación con el préstamo de libros?",
		"¿y qué es una errata?":            "¿y qué es una errata?",
		"¿Quién cuida la sala de lectura?": "¿Quién cuida la sala de lectura?",
		"perdón, son 4 libros":             "¿Cuánto dura el préstamo de libros, son 4 libros?",
	} {
		if got := s.Read(in).Query; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := (State{}).Read("¿y las sanciones?"); got.Move != MoveNew || got.About != nil {
		t.Errorf("completed from nothing: %+v", got)
	}
}

func TestMoves(t *testing.T) {
	s := spoken("¿Cuánto dura el préstamo de libros?")
	for in, want := range map[string]Move{
		"¿y si soy menor?":                                MoveCondition,
		"es que el libro estaba roto":                     MoveCondition,
		"¿y por cuánto tiempo me lo dejan?":               MoveAspect,
		"si me lo dejan, ¿cuántos meses dura?":            MoveAspect,
		"¿y para una revista?":                            MoveCondition,
		"¿y las sanciones?":                               MoveAspect,
		"¿hasta cuántos días?":                            MoveAspect,
		"¿y qué es una errata?":                           MoveAspect,
		"perdón, me equivoqué, son cuatro":                MoveCorrection,
		"perdona, conté mal, somos ocho":                  MoveCorrection,
		"no, es para un local":                            MoveCorrection,
		"no, perdón, lo peor son las hojas. ¿las pego?":   MoveOpen,
		"no, son 22 días hábiles":                         MovePushback,
		"eso no es así":                                   MovePushback,
		"mi vecino dice que no hay límite":                MovePushback,
		"¿No son 30 días hábiles?":                        MoveOpen,
		"No me refería a eso, ¿cuánto es la tasa de luz?": MoveCorrection,
		"otra cosa: ¿quién cuida la sala?":                MoveNew,
		"cambiando de tema, ¿quién cuida la sala?":        MoveNew,
		"otra cosa: he roto el mío, ¿quién lo paga?":      MoveOpen,
		"otra cosa: ¿cuándo toca pintarlo?":               MoveOpen,
		"volviendo al préstamo, ¿lo puedo renovar?":       MoveReturn,
		"gracias":                                              MoveTalk,
		"ok, muchas gracias por todo":                          MoveTalk,
		"jajaja qué calor hace":                                MoveTalk,
		"buenísimo, sos un capo":                               MoveTalk,
		"gracias, ¿y cuánto dura la sala?":                     MoveAspect,
		"gracias, y las sanciones":                             MoveAspect,
		"vale, ¿quién cuida la sala de lectura de la ciudad?":  MoveOpen,
		"¿Quién cuida la sala de lectura?":                     MoveOpen,
		"mi hermana devolvió el libro roto y quieren cobrarle": MoveOpen,
	} {
		if got := s.Read(in).Move; got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestClaim: what somebody is told to say is looked up without who says it.
func TestClaim(t *testing.T) {
	s := spoken("¿Cuánto dura el préstamo de libros?")
	for in, want := range map[string]string{
		"mi vecino dice que no hay límite de días": "no hay límite de días",
		"me dicen que no": "me dicen que no",
	} {
		if got := s.Read(in); got.Move != MovePushback || got.Text != want {
			t.Errorf("%q: %s %q, want %q", in, got.Move, got.Text, want)
		}
	}
}

func TestThread(t *testing.T) {
	history := []digesto.Message{
		{Role: "user", Text: "¿Cuánto dura el préstamo de libros?"}, {Role: "assistant", Type: "answer", Places: []string{"LIB-1/a3"}},
		{Role: "user", Text: "gracias"}, {Role: "assistant", Type: "non_legal"},
		{Role: "user", Text: "otra cosa: ¿quién cuida la sala?"}, {Role: "assistant", Type: "answer", Query: "¿quién cuida la sala?", Places: []string{"LIB-1/a9"}},
		{Role: "user", Text: "¿y de noche?"}, {Role: "assistant", Type: "refusal", Query: "¿quién cuida la sala, de noche?", Topic: "¿quién cuida la sala?"},
	}
	s := Of(history)
	if len(s.Subjects) != 2 || s.Subjects[0].Question != "¿quién cuida la sala?" || len(s.Subjects[0].Told) != 1 || s.Subjects[0].Places[0] != "LIB-1/a9" {
		t.Fatalf("%+v", s.Subjects)
	}
	if back := s.Read("volviendo a los libros, ¿y si no los devuelvo?"); back.About == nil || back.About.Places[0] != "LIB-1/a3" {
		t.Errorf("back at %+v", back.About)
	}
	if back := s.Read("volviendo a los libros, ¿me los pueden pedir?"); back.Names != "los libros" {
		t.Errorf("it names %q", back.Names)
	}
	if s.Read("¿y cuántos días?").Bare == s.Read("¿y si la sala está cerrada?").Bare {
		t.Error("what names a matter itself")
	}
	offered := Of([]digesto.Message{
		{Role: "user", Text: "lo del libro"}, {Role: "assistant", Type: "clarification", Places: []string{"LIB-1/a3"}},
		{Role: "user", Text: "2"}, {Role: "assistant", Type: "answer", Query: "¿Quién paga la pérdida?", Places: []string{"LIB-1/a4"}},
	})
	if len(offered.Subjects) != 1 || len(offered.Subjects[0].Places) != 2 {
		t.Errorf("%+v", offered.Subjects)
	}
}

func TestVague(t *testing.T) {
	for in, want := range map[string]string{
		"hola, tengo un problema con el banco, ¿me pueden ayudar?": "banco",
		"buenas, necesito ayuda con lo de mi casa":                 "casa",
		"no sé qué hacer": "",
		"tengo una duda":  "",
		"hola, a ver si me echáis una mano con mi vecino": "vecino",
	} {
		if got, ok := Vague(in); !ok || got != want {
			t.Errorf("%q: %q %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"¿Cuánto dura el préstamo de libros?", "necesito información sobre el préstamo de libros", "háblame de libros", "me presenté a un cargo, ¿me pueden echar?", "tengo un problema: el banco me cobra 30 euros de comisión",
		"no sé qué hacer, mi vecino rompió la pared del patio y no quiere pagar el arreglo"} {
		if m, ok := Vague(in); ok {
			t.Errorf("%q is vague about %q", in, m)
		}
	}
}
