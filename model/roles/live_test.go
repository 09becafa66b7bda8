package roles_test

import (
	"testing"

	"digesto/model"
	"digesto/model/modeltest"
	"digesto/model/roles"
)

// TestRealServer holds the whole stack to the suite before a real server.
func TestRealServer(t *testing.T) {
	url, name := modeltest.RealServer(t)
	live := map[string]string{"key": "", "name": name, "first_byte": "60s", "stall": "30s", "timeout": "120s"}
	modeltest.Live(t, name, func(t *testing.T, name string) model.Generator {
		more := map[string]string{}
		for k, v := range live {
			more[k] = v
		}
		more["name"] = name
		return uncached(t, model.Writer, url, more).Writer
	})
	t.Run("vectors", func(t *testing.T) {
		modeltest.LiveEmbedder(t, uncached(t, model.Embedding, url, live).Embedder)
	})
}

// uncached binds without a cache: every call reaches the server.
func uncached(t *testing.T, role, url string, values map[string]string) *roles.Set {
	t.Helper()
	values["url"] = url
	set, err := roles.Bind(roles.Config{Sections: map[string]roles.Section{role: section(t, role, values)}, Redact: true, LocalOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}
