package corpus

import "digesto"

// Field numbers are for ever: a number once used keeps its meaning, and the order
// of the fields is that of the bytes whose hash names a snapshot.

func normForm(f *form, n *digesto.Norm) {
	word(f, 1, &n.ID)
	f.words(2, &n.IDs)
	word(f, 3, &n.Title)
	word(f, 4, &n.Short)
	word(f, 5, &n.Rank)
	word(f, 6, &n.Jurisdiction)
	word(f, 7, &n.Territory)
	word(f, 8, &n.Collection)
	f.words(9, &n.Packs)
	word(f, 10, &n.Published)
	word(f, 11, &n.TextAsOf)
	word(f, 12, &n.Status)
	word(f, 13, &n.StatusNote)
	word(f, 14, &n.RepealedFrom)
	word(f, 15, &n.URL)
	word(f, 16, &n.License)
	word(f, 17, &n.Source)
	word(f, 18, &n.Format)
	provenanceForm(f, n)
	f.flag(20, &n.OCR)
	number(f, 21, &n.PageCount)
	f.flag(22, &n.Amending)
	word(f, 23, &n.InForce)
}

// provenanceForm: field 19 says that a text is law, not words about it; that its
// publisher gave it is proved only by the address that it was fetched from. A library
// without such addresses, as all were before there was this field, holds supplied texts,
// and their addresses are claims of their files.
func provenanceForm(f *form, n *digesto.Norm) {
	law := isLaw(n)
	f.flag(19, &law)
	word(f, 24, &n.Proof)
	f.flag(25, &n.Secondary)
	word(f, 26, &n.Claim)
	if f.e != nil {
		return
	}
	n.Official, n.Supplied = law && n.Proof != "", law && n.Proof == "" || n.Secondary
}

// disclaim makes the address of a supplied text what it is, a claim of its file.
func disclaim(n *digesto.Norm) {
	if n.Supplied && n.URL != "" {
		n.Claim, n.URL = n.URL, ""
	}
}

// unitForm is all of a unit but the id of its norm, which the manifest knows.
func unitForm(f *form, u *digesto.Unit) {
	word(f, 1, &u.ID)
	word(f, 2, &u.Kind)
	word(f, 3, &u.Number)
	word(f, 4, &u.Label)
	word(f, 5, &u.Rubric)
	f.words(6, &u.Path)
	records(f, 7, &u.Versions, versionForm)
	f.flag(8, &u.Amending)
}

func decodeUnit(norm, rec string) (digesto.Unit, error) {
	u := digesto.Unit{Norm: norm}
	err := decode(rec, &u, unitForm)
	return u, err
}

func versionForm(f *form, v *digesto.Version) {
	word(f, 1, &v.ID)
	word(f, 2, &v.Text)
	word(f, 3, &v.Published)
	word(f, 4, &v.ValidFrom)
	word(f, 5, &v.ValidTo)
	f.flag(6, &v.Current)
	records(f, 7, &v.Pages, pageForm)
	f.words(8, &v.Notes)
	records(f, 9, &v.Refs, referenceForm)
	f.hash(10, &v.SHA256)
	f.words(11, &v.AmendedBy)
	word(f, 14, &v.Replaced)
	records(f, 12, &v.Reforms, reformForm)
	records(f, 13, &v.Unseen, reformForm)
	records(f, 15, &v.Defects, textDefectForm)
}

func textDefectForm(f *form, d *digesto.TextDefect) {
	word(f, 1, &d.Kind)
	word(f, 2, &d.Detail)
}

func pageForm(f *form, p *digesto.PageMark) {
	number(f, 1, &p.Start)
	number(f, 2, &p.Page)
}

func referenceForm(f *form, r *digesto.Reference) {
	number(f, 1, &r.Start)
	number(f, 2, &r.End)
	word(f, 3, &r.Norm)
	word(f, 4, &r.Name)
	word(f, 5, &r.Unit)
	word(f, 6, &r.Detail)
	word(f, 7, &r.To)
}

func reformForm(f *form, r *digesto.Reform) {
	word(f, 1, &r.Norm)
	word(f, 2, &r.Name)
	word(f, 3, &r.Enacted)
	word(f, 4, &r.Published)
	word(f, 5, &r.From)
	f.words(6, &r.Parts)
	word(f, 7, &r.Act)
}
