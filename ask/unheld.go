package ask

import (
	"cmp"
	"fmt"
)

// unheld says why a unit that the question names is installed and yet not quoted: its
// wording of the day asked for is not there, it is no longer law, or what its file has in
// its place is not its own. "" = the question names no such unit.
func (g *grounds) unheld() string {
	if g.law.empty() {
		return ""
	}
	for _, m := range g.mentions {
		if m.Unit == "" || m.Norm == "" {
			continue
		}
		n, ok := g.law.Snapshot.Norm(m.Norm)
		if !ok || !g.pack.Admits(n) {
			continue
		}
		u, ok := g.law.Snapshot.Unit(n.ID, m.Unit)
		if !ok {
			continue
		}
		v, _, err := g.law.Snapshot.At(n.ID, u.ID, g.history())
		if err == nil && v.Text != "" {
			continue
		}
		name := nonEmpty(u.Label, "La unidad") + " de «" + cmp.Or(n.Name, n.Short, n.Title) + "» (" + n.ID + ")"
		last := u.Versions[len(u.Versions)-1]
		switch {
		case len(last.Defects) > 0:
			return name + " no se cita: su texto no está instalado. " + last.Defects[0].Detail
		case g.history() != "" && last.Published > g.history():
			return fmt.Sprintf("%s: la redacción del %s no está instalada; la que hay se publicó el %s.", name, day(g.history()), day(last.Published))
		case g.history() != "":
			return fmt.Sprintf("%s: la redacción del %s no está instalada.", name, day(g.history()))
		}
		return name + " no tiene texto en vigor: está derogado o suprimido."
	}
	return ""
}
