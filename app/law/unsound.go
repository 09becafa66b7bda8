package law

import (
	"digesto"
)

// Unsound is what those who ask are told of law that is damaged or gone; where on the
// disk is for who runs the server.
func (l *Installed) Unsound(err error) error {
	if !l.Served || digesto.CodeOf(err) != digesto.CodeCheck {
		return err
	}
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "la ley instalada está dañada o ya no está", Err: err, Hint: "avise a quien lleva el servidor: «digesto doctor» dice qué falta y qué hacer"}
}
