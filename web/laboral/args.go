package laboral

import (
	"encoding/json"
)

// fields gives the data of a call as the command line takes them: only what was
// given.
func fields(in any) map[string]string {
	out := map[string]string{}
	raw, err := json.Marshal(in)
	if err != nil || json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}
