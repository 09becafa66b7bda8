package fees

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"digesto"
)

// addedFile is where the values of the user's own stand in the data folder, and
// valueColumns what its rows hold.
const addedFile = "jus/values.tsv"

var valueColumns = []string{"date", "value", "source", "flags", "note"}

// seal begins the first line of the values added, before the SHA-256 of the rest in hex:
// an amount that changed on the disk would be told as law.
const seal = "# sha256 "

// Set gives the values of the user's own with one more, to be stored in place of the old
// ones; a second one for a day corrects the first. They pass the same rules as any other:
// a positive amount, a source, a day that the program has no value for. The table in use
// is not touched.
func (c *Tables) Set(date digesto.Date, amount, source string) ([]byte, error) {
	d, err := ParseNumber(amount, maxValueDigits)
	if err != nil {
		return nil, err
	}
	source = strings.Join(strings.Fields(source), " ")
	if source == "" {
		return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "Falta la fuente del valor.", Hint: "Use --source con el acuerdo o la página que lo publica."}
	}
	if !ValidDate(date) {
		return nil, Invalid("Escriba la fecha como AAAA-MM-DD.", "«%s» no es una fecha", date)
	}
	var rows bytes.Buffer
	line := func(cells ...string) { rows.WriteString(strings.Join(cells, "\t") + "\n") }
	line(valueColumns...)
	corrects := false
	for _, v := range c.added {
		if v.Date == date {
			corrects = true
			continue
		}
		line(string(v.Date), v.Amount.String(), v.Source, "", v.Note)
	}
	if !corrects {
		for _, v := range c.values {
			if v.Date == date {
				return nil, Invalid("Solo se corrigen los valores que agregó usted.", "Ya hay un valor del %s: %s (%s)", LongDate(date), Pesos(v.Amount), v.Source)
			}
		}
	}
	line(string(date), d.Pad(2).String(), source, "", "Valor agregado por el usuario.")
	sum := sha256.Sum256(rows.Bytes())
	out := append([]byte(seal+hex.EncodeToString(sum[:])+"\n"), rows.Bytes()...)
	opt := c.from
	opt.Added = out
	if _, err := Read(opt); err != nil {
		return nil, err
	}
	return out, nil
}

// unsealed gives the rows of values that were added, if they are as they were stored. A
// file of before there were seals has none, and is taken as it is.
func unsealed(data []byte) ([]byte, error) {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	sum, sealed := strings.CutPrefix(string(head), seal)
	if got := sha256.Sum256(rest); len(data) == 0 || sealed && hex.EncodeToString(got[:]) != sum {
		return nil, Invalid("Restaure una copia con «digesto restore», o borre el archivo y agregue de nuevo sus valores con «digesto jus set».", "La tabla de valores agregados («%s») está dañada: no es como se guardó", addedFile)
	}
	if !sealed {
		return data, nil
	}
	return rest, nil
}
