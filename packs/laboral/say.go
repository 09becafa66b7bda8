package laboral

// Say is what a kind of calculation is called ("despido" → "Demanda por despido…"); of a
// value that no table names it is the value.
func (c *Calc) Say(function, value string) string {
	switch function {
	case FnDeadline:
		for _, d := range c.deadlines {
			if d.code == value {
				return d.name
			}
		}
	case FnSeverance, FnSettlement:
		for _, s := range c.severance {
			if s.kind == value {
				return s.name
			}
		}
	case FnFigures:
		for _, f := range c.figures {
			if f.Key == value {
				return f.Name
			}
		}
	}
	return value
}
