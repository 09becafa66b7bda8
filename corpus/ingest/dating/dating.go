// Package dating reads since when words of the law hold: what notes beside a text tell
// of the changes that made it, which former wordings stand beside it, what its
// dispositions say of its entry into force and of other norms. It knows lines, notes and
// units, and no format.
package dating

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/line"
	"digesto/text"
)

// Log says when reforming norms were published: id → day. Collections of
// consolidated law keep it beside their texts.
type Log struct {
	days map[string]digesto.Date
	hash string // of the bytes it was read from
}

// logColumns are the first columns of such a table.
const logColumns = "norma\tfecha_publicacion\tnorma_modificadora"

// Read adds one table to the log; false = it is none.
func (l *Log) Read(data []byte) bool {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	if !strings.HasPrefix(strings.TrimPrefix(string(head), "\ufeff"), logColumns) {
		return false
	}
	if l.days == nil {
		l.days = map[string]digesto.Date{}
	}
	for row := range strings.SplitSeq(string(rest), "\n") {
		f := strings.SplitN(strings.TrimSuffix(row, "\r"), "\t", 4)
		if len(f) < 3 || !line.IsoDate.MatchString(f[1]) || f[1] <= epochStart || f[0] == f[2] {
			continue
		}
		if had := l.days[f[2]]; had == "" || digesto.Date(f[1]) < had {
			l.days[f[2]] = digesto.Date(f[1])
		}
	}
	sum := sha256.Sum256(append([]byte(l.hash), data...))
	l.hash = hex.EncodeToString(sum[:])
	return true
}

// Key is what of the log decides how a file is read.
func (l *Log) Key() string {
	if l == nil {
		return ""
	}
	return l.hash
}

// Note adds a norm that a history names with its day.
func (l *Log) Note(norm string, day digesto.Date) {
	if norm == "" || day <= epochStart {
		return
	}
	if l.days == nil {
		l.days = map[string]digesto.Date{}
	}
	if had := l.days[norm]; had == "" || day < had {
		l.days[norm] = day
	}
}

// epochStart is what stands in the log for every day before 1970.
const epochStart = "1970-01-02"

// Date dates the text in force of every unit by its reform notes: published
// with the latest reform, in force since the day that the note gives for it.
func Date(d *corpus.Document, log *Log) {
	if d.Norm.Published == "" && log != nil {
		d.Norm.Published = log.days[d.Norm.ID] // a norm that reformed others
	}
	period := setEntry(d)
	for i := range d.Units {
		versions := d.Units[i].Versions
		v := &versions[len(versions)-1]
		partNotes(v)
		if v.Reforms == nil {
			v.Reforms = ReformsOf(v.Notes)
			conform(&d.Units[i], v)
		}
		for k := range v.Reforms {
			if r := &v.Reforms[k]; r.Published == "" && r.Norm != "" && log != nil {
				r.Published = log.days[r.Norm]
			}
		}
		if v.Published == "" && v.ValidFrom == "" {
			DateVersion(v)
		}
		endRepealed(v)
		heldBefore(versions)
	}
	original(d, period)
}

// original dates the units that no note says was changed: in a source that notes
// changes they stand as the norm was published.
func original(d *corpus.Document, period bool) {
	noted := period || d.Norm.TextAsOf != "" && d.Norm.TextAsOf == d.Norm.Published
	for i := range d.Units {
		for _, v := range d.Units[i].Versions {
			noted = noted || len(v.Reforms) > 0
		}
	}
	if !noted || d.Norm.Published == "" {
		return
	}
	for i := range d.Units {
		if v := d.Units[i].Versions; len(v) == 1 && v[0].Published == "" && v[0].ValidFrom == "" && len(v[0].Reforms) == 0 && !aboutChange(v[0].Notes) && !Foreign(v[0]) {
			v[0].Published, v[0].ValidFrom = d.Norm.Published, d.Norm.InForce
		}
	}
}

// aboutChange says that a note speaks of a change in words that were not understood.
func aboutChange(notes []string) bool {
	for _, n := range notes {
		if f := text.Fold(line.Clip(n, 2000)); changesText(n) && reforming.MatchString(f) && !ofHeading.MatchString(f) {
			return true
		}
	}
	return false
}

// DateVersion gives a version the dates of its latest reform. Two reforms of one
// day leave open since when the text holds, unless they agree.
func DateVersion(v *digesto.Version) {
	var latest digesto.Reform
	for _, r := range v.Reforms {
		switch day := r.Day(); {
		case day > latest.Day():
			latest = r
		case day == latest.Day() && r.From != latest.From:
			latest.From = ""
		}
	}
	if slices.ContainsFunc(v.Defects, func(d digesto.TextDefect) bool { return d.Kind == digesto.DefectConditional }) {
		latest.From = "" // nothing shows that it came to hold
	}
	v.Published, v.ValidFrom = latest.Published, latest.From
	if v.ValidFrom != "" {
		for _, r := range v.Reforms {
			if r.From > v.ValidFrom { // an earlier reform that begins later: which words hold is not known
				v.ValidFrom = ""
				break
			}
		}
	}
}

// changesText says that a note tells of a change, not of a suspension, a
// judgment or a prolongation, which leave the words as they are.
func changesText(note string) bool {
	f := text.Fold(line.Clip(note, 60))
	for _, w := range []string{"se suspende", "se declara", "se prorroga", "tengase", "vease"} {
		if strings.HasPrefix(f, w) {
			return false
		}
	}
	return true
}

// Foreign says that a version has words that may be another norm's.
func Foreign(v digesto.Version) bool {
	_, ok := v.Foreign()
	return ok
}
