package run

import (
	"fmt"
	"slices"

	"digesto"
	"digesto/ask"
)

// StoredText gives the text of the version that a citation names.
func StoredText(r digesto.Ref, views ...ask.View) (string, error) {
	for _, v := range views {
		if _, x, ok := storedVersion(r, v); ok {
			return x.Text, nil
		}
	}
	return "", &digesto.Error{Code: digesto.CodeNotFound, Message: fmt.Sprintf("No está %s, %s, versión %s", r.Document, r.Unit, r.Version)}
}

// storedVersion finds the unit and the version that a citation names.
func storedVersion(r digesto.Ref, v ask.View) (u digesto.Unit, x digesto.Version, ok bool) {
	if v.Snapshot == nil {
		return u, x, false
	}
	if u, ok = v.Snapshot.Unit(r.Document, r.Unit); !ok {
		return u, x, false
	}
	k := slices.IndexFunc(u.Versions, func(x digesto.Version) bool { return x.ID == r.Version })
	if k < 0 {
		return u, x, false
	}
	return u, u.Versions[k], true
}
