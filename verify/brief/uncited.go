package brief

import (
	"slices"
	"strings"

	"digesto"
	"digesto/text"
)

// unplaced is a quotation with a number whose norm cannot be told ("el artículo
// 5"): the words may be of any norm, but of a unit of that number.
func (j *judge) unplaced(f Finding, list []mention, q quotation) (Finding, bool, error) {
	got, ok, err := j.unattributed(f, q)
	if !ok && err == nil {
		if got, ok, err := j.ofNear(f, j.sameUnit(list[0]), q); ok || err != nil {
			return got, ok, err
		}
	}
	if !ok || err != nil {
		got.Text, got.Start, got.End = "", q.start, q.end
		return got, ok, err
	}
	cited := func(r *digesto.Ref) bool {
		return slices.ContainsFunc(list, func(m mention) bool { return m.Unit == r.Unit })
	}
	if list[0].Unit != "" && len(got.Where) > 0 && !slices.ContainsFunc(got.Where, cited) {
		got.Verdict, got.Reason = Misattributed, "La cita no dice de qué norma es, y las palabras no son de ese artículo: están en "+got.Where[0].Title+"."
	}
	return got, true, nil
}

// sameUnit gives the units of the number cited in the norms that the text names.
func (j *judge) sameUnit(m mention) (out []mention) {
	if m.Unit == "" || m.Name != "" {
		return nil
	}
	for _, id := range j.norms {
		if _, ok := j.Law.Unit(id, m.Unit); ok {
			c := m
			c.Norm, c.Also, c.Relative = id, nil, false
			out = append(out, c)
		}
	}
	return out
}

// leastNear is the fewest words of a quotation without a citation that count when they
// stand in the unit cited last.
const leastNear = 4

// ofNear is a quotation without a citation whose words stand in the unit cited last, as
// below a heading that names it.
func (j *judge) ofNear(f Finding, near []mention, q quotation) (Finding, bool, error) {
	want := stretches(q.words)
	if len(near) == 0 || len(text.Tokens(nil, q.words)) < leastNear {
		return f, false, nil
	}
	for _, p := range j.places(near) {
		if p.unit == "" || p.missing {
			continue
		}
		there, err := j.search(p, want)
		if err != nil {
			return f, false, err
		}
		for _, s := range there {
			if s.sound() {
				f.Norm, f.Unit, f.Verdict, f.Where = s.Norm.ID, s.Unit.ID, Verified, []*digesto.Ref{s.ref()}
				f.Reason = "El texto no dice aquí de dónde es; las palabras están, literales, en el lugar citado antes: " + s.Title() + "." + added(want) + s.goesOn()
				return f, true, nil
			}
		}
	}
	return f, false, nil
}

// unattributed is a quotation without a citation: it counts when its words are
// the law's, or so nearly that it seems meant as such.
func (j *judge) unattributed(f Finding, q quotation) (Finding, bool, error) {
	parts := stretches(q.words)
	if len(strings.Fields(q.words)) < 8 {
		return f, false, nil
	}
	heading := ""
	if len(parts) > 0 {
		if m := ownHeading.FindStringSubmatch(parts[0].words); m != nil && len(m[0]) < len(parts[0].words) {
			heading, parts = "a"+m[1], slices.Clone(parts)
			parts[0] = parts[0].with(parts[0].words[len(m[0]):])
		}
	}
	found, err := j.elsewhere(nil, parts, q.words)
	if err != nil {
		return f, false, err
	}
	if own := slices.IndexFunc(found.exact, func(s spot) bool { return s.Unit.ID == heading }); own >= 0 {
		found.exact = found.exact[own : own+1]
	}
	if len(found.exact) > 0 {
		s := found.exact[0]
		f.Norm, f.Unit = s.Norm.ID, s.Unit.ID
		for _, x := range found.exact {
			f.Where = append(f.Where, x.ref())
		}
		f.Verdict, f.Reason = Verified, "El texto no dice de dónde es; las palabras están en "+s.Title()+". Añada la cita."
		if heading != "" && s.Unit.ID != heading {
			f.Verdict, f.Reason = Misattributed, "El encabezado no es el de estas palabras: están en "+s.Title()+"."
		} else if !s.inForce {
			f.Verdict, f.Reason = Superseded, "El texto no dice de dónde es; las palabras son de una redacción o norma que no rige: "+s.Title()+"."
		}
		return f, true, nil
	}
	n, err := j.nearest(nil, found.near, q.words)
	if err != nil || n == nil || likeness(n, q.words) < .8 {
		return f, false, err
	}
	f.Norm, f.Unit, f.Nearest, f.Verdict = n.Ref.Document, n.Ref.Unit, n, NotFound
	f.Reason = "El texto no dice de dónde es y se parece mucho a una norma instalada, pero no es literal."
	return f, true, nil
}
