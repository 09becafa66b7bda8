package corpus

import (
	"encoding/hex"

	"digesto"
)

// Field numbers are for ever: a number once used keeps its meaning.

func encodeNorm(e *encoder, n *digesto.Norm) {
	e.str(1, n.ID)
	e.strs(2, n.IDs)
	e.str(3, n.Title)
	e.str(4, n.Short)
	e.str(5, n.Rank)
	e.str(6, n.Jurisdiction)
	e.str(7, n.Territory)
	e.str(8, n.Collection)
	e.strs(9, n.Packs)
	e.str(10, string(n.Published))
	e.str(11, string(n.TextAsOf))
	e.str(12, string(n.Status))
	e.str(13, n.StatusNote)
	e.str(14, string(n.RepealedFrom))
	e.str(15, n.URL)
	e.str(16, n.License)
	e.str(17, n.Source)
	e.str(18, n.Format)
	e.bool(19, n.Official)
	e.bool(20, n.OCR)
	e.int(21, n.PageCount)
	e.bool(22, n.Amending)
	e.str(23, string(n.InForce))
}

func decodeNorm(rec string) (n digesto.Norm, err error) {
	d := decoder{s: rec}
	err = d.fields(func(field, i int, s string) {
		switch field {
		case 1:
			n.ID = s
		case 2:
			n.IDs = append(n.IDs, s)
		case 3:
			n.Title = s
		case 4:
			n.Short = s
		case 5:
			n.Rank = s
		case 6:
			n.Jurisdiction = s
		case 7:
			n.Territory = s
		case 8:
			n.Collection = s
		case 9:
			n.Packs = append(n.Packs, s)
		case 10:
			n.Published = digesto.Date(s)
		case 11:
			n.TextAsOf = digesto.Date(s)
		case 12:
			n.Status = digesto.Status(s)
		case 13:
			n.StatusNote = s
		case 14:
			n.RepealedFrom = digesto.Date(s)
		case 15:
			n.URL = s
		case 16:
			n.License = s
		case 17:
			n.Source = s
		case 18:
			n.Format = s
		case 19:
			n.Official = i != 0
		case 20:
			n.OCR = i != 0
		case 21:
			n.PageCount = i
		case 22:
			n.Amending = i != 0
		case 23:
			n.InForce = digesto.Date(s)
		}
	})
	return n, err
}

// encodeUnit writes all of a unit but the id of its norm, which the manifest knows.
func encodeUnit(e *encoder, u *digesto.Unit) {
	e.str(1, u.ID)
	e.str(2, string(u.Kind))
	e.str(3, u.Number)
	e.str(4, u.Label)
	e.str(5, u.Rubric)
	e.strs(6, u.Path)
	for i := range u.Versions {
		e.message(7, func(in *encoder) { encodeVersion(in, &u.Versions[i]) })
	}
	e.bool(8, u.Amending)
}

func decodeUnit(norm, rec string) (u digesto.Unit, err error) {
	u.Norm = norm
	d := decoder{s: rec}
	err = d.fields(func(field, i int, s string) {
		switch field {
		case 1:
			u.ID = s
		case 2:
			u.Kind = digesto.UnitKind(s)
		case 3:
			u.Number = s
		case 4:
			u.Label = s
		case 5:
			u.Rubric = s
		case 6:
			u.Path = append(u.Path, s)
		case 7:
			v, err := decodeVersion(s)
			d.sub(err)
			u.Versions = append(u.Versions, v)
		case 8:
			u.Amending = i != 0
		}
	})
	return u, err
}

func encodeVersion(e *encoder, v *digesto.Version) {
	e.str(1, v.ID)
	e.str(2, v.Text)
	e.str(3, string(v.Published))
	e.str(4, string(v.ValidFrom))
	e.str(5, string(v.ValidTo))
	e.bool(6, v.Current)
	for _, p := range v.Pages {
		e.message(7, func(in *encoder) { in.int(1, p.Start); in.int(2, p.Page) })
	}
	e.strs(8, v.Notes)
	for i := range v.Refs {
		e.message(9, func(in *encoder) { encodeReference(in, &v.Refs[i]) })
	}
	if sum, err := hex.DecodeString(v.SHA256); err == nil {
		e.str(10, string(sum))
	}
	e.strs(11, v.AmendedBy)
	e.str(14, string(v.Replaced))
	for i := range v.Reforms {
		e.message(12, func(in *encoder) { encodeReform(in, &v.Reforms[i]) })
	}
	for i := range v.Unseen {
		e.message(13, func(in *encoder) { encodeReform(in, &v.Unseen[i]) })
	}
}

func decodeVersion(rec string) (v digesto.Version, err error) {
	d := decoder{s: rec}
	err = d.fields(func(field, i int, s string) {
		switch field {
		case 1:
			v.ID = s
		case 2:
			v.Text = s
		case 3:
			v.Published = digesto.Date(s)
		case 4:
			v.ValidFrom = digesto.Date(s)
		case 5:
			v.ValidTo = digesto.Date(s)
		case 6:
			v.Current = i != 0
		case 7:
			p, err := decodePage(s)
			d.sub(err)
			v.Pages = append(v.Pages, p)
		case 8:
			v.Notes = append(v.Notes, s)
		case 9:
			r, err := decodeReference(s)
			d.sub(err)
			v.Refs = append(v.Refs, r)
		case 10:
			v.SHA256 = hex.EncodeToString([]byte(s))
		case 11:
			v.AmendedBy = append(v.AmendedBy, s)
		case 12:
			r, err := decodeReform(s)
			d.sub(err)
			v.Reforms = append(v.Reforms, r)
		case 13:
			r, err := decodeReform(s)
			d.sub(err)
			v.Unseen = append(v.Unseen, r)
		case 14:
			v.Replaced = digesto.Date(s)
		}
	})
	return v, err
}

func decodePage(rec string) (p digesto.PageMark, err error) {
	d := decoder{s: rec}
	err = d.fields(func(field, i int, _ string) {
		switch field {
		case 1:
			p.Start = i
		case 2:
			p.Page = i
		}
	})
	return p, err
}

func encodeReference(e *encoder, r *digesto.Reference) {
	e.int(1, r.Start)
	e.int(2, r.End)
	e.str(3, r.Norm)
	e.str(4, r.Name)
	e.str(5, r.Unit)
	e.str(6, r.Detail)
}

func decodeReference(rec string) (r digesto.Reference, err error) {
	d := decoder{s: rec}
	err = d.fields(func(field, i int, s string) {
		switch field {
		case 1:
			r.Start = i
		case 2:
			r.End = i
		case 3:
			r.Norm = s
		case 4:
			r.Name = s
		case 5:
			r.Unit = s
		case 6:
			r.Detail = s
		}
	})
	return r, err
}

func encodeReform(e *encoder, r *digesto.Reform) {
	e.str(1, r.Norm)
	e.str(2, r.Name)
	e.str(3, string(r.Enacted))
	e.str(4, string(r.Published))
	e.str(5, string(r.From))
	e.strs(6, r.Parts)
}

func decodeReform(rec string) (r digesto.Reform, err error) {
	d := decoder{s: rec}
	err = d.fields(func(field, _ int, s string) {
		switch field {
		case 1:
			r.Norm = s
		case 2:
			r.Name = s
		case 3:
			r.Enacted = digesto.Date(s)
		case 4:
			r.Published = digesto.Date(s)
		case 5:
			r.From = digesto.Date(s)
		case 6:
			r.Parts = append(r.Parts, s)
		}
	})
	return r, err
}
