package ground

import (
	"cmp"
	"fmt"
)

// unheld says why a unit that the question names is installed and yet not quoted: its
// wording of the day asked for is not there, it is no longer law, or what its file has in
// its place is not its own. "" = the question names no such unit.
func (g *Grounds) unheld() string {
	if g.Law.Empty() {
		return ""
	}
	for _, m := range g.Mentions {
		if m.Unit == "" || m.Norm == "" {
			continue
		}
		n, ok := g.Law.Snapshot.Norm(m.Norm)
		if !ok || !g.Pack.Admits(n) {
			continue
		}
		u, ok := g.Law.Snapshot.Unit(n.ID, m.Unit)
		if !ok {
			continue
		}
		v, _, err := g.Law.Snapshot.At(n.ID, u.ID, g.History())
		if err == nil && v.Text != "" {
			continue
		}
		name := cmp.Or(u.Label, "La unidad") + " de «" + cmp.Or(n.Name, n.Short, n.Title) + "» (" + n.ID + ")"
		last := u.Versions[len(u.Versions)-1]
		switch {
		case len(last.Defects) > 0:
			return name + " no se cita: su texto no está instalado. " + last.Defects[0].Detail
		case g.History() != "" && last.Published > g.History():
			return fmt.Sprintf("%s: la redacción del %s no está instalada; la que hay se publicó el %s.", name, Day(g.History()), Day(last.Published))
		case g.History() != "":
			return fmt.Sprintf("%s: la redacción del %s no está instalada.", name, Day(g.History()))
		}
		return name + " no tiene texto en vigor: está derogado o suprimido."
	}
	return ""
}
