package sqlite

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"

	"digesto"
)

// sumOf sums up what a message says and where it stands: 64 bits of its SHA-256.
// The database checks that its pages hang together, not what is written on them;
// a message whose words have changed on the disk must not be shown as said.
func sumOf(conv string, seq, turn int64, role, content, meta string) int64 {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%d\x00%d\x00%s\x00%d\x00%s\x00%s", conv, seq, turn, role, len(content), content, meta)
	return int64(binary.BigEndian.Uint64(h.Sum(nil)[:8]))
}

// damaged says that a stored message is not what was written.
func damaged(conv string) error {
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "Un mensaje guardado está dañado y no se muestra",
		Hint: "Restaure una copia («digesto restore») o borre la conversación «" + conv + "» para siempre."}
}

// damagedMessages gives the conversations with a message that is not what was written.
func damagedMessages(rows *sql.Rows, err error) ([]string, error) {
	type sums struct {
		conv string
		ok   bool
	}
	list, err := rowsOf(rows, err, func(r scanner) (x sums, err error) {
		var seq, turn int64
		var role, content string
		var meta sql.NullString
		var sum sql.NullInt64
		err = r.Scan(&x.conv, &seq, &turn, &role, &content, &meta, &sum)
		x.ok = !sum.Valid || sum.Int64 == sumOf(x.conv, seq, turn, role, content, meta.String)
		return x, err
	})
	var out []string
	for _, x := range list {
		if !x.ok {
			out = append(out, x.conv)
		}
	}
	return out, err
}
