package openai

import (
	"strings"
	"testing"

	"digesto/model"
	"digesto/model/modeltest"
)

// The wire form of Azure is played by the test's own server after its
// documentation: no exchange with the real service stands behind these tests.

func azure(t *testing.T, change func(*Options), scripts ...modeltest.Script) (*Client, *modeltest.Server) {
	t.Helper()
	s := modeltest.NewServer(t, scripts...)
	return client(t, strings.TrimSuffix(s.URL, "/v1"), func(o *Options) {
		o.AzureVersion, o.Model = "2024-10-21", "lector.1"
		if change != nil {
			change(o)
		}
	}), s
}

func TestAzureDocumentedFormConforms(t *testing.T) {
	modeltest.Generator(t, func(t *testing.T, scripts ...modeltest.Script) model.Generator {
		c, _ := azure(t, nil, scripts...)
		return c
	})
}

func TestAzureDocumentedFormAddresses(t *testing.T) {
	c, s := azure(t, nil, modeltest.Script{Pieces: []string{"ya"}})
	if _, err := c.Generate(t.Context(), modeltest.Ask(), nil); err != nil {
		t.Fatal(err)
	}
	call := s.Calls()[0]
	if call.Path != "/openai/deployments/lector.1/chat/completions" || call.Query != "api-version=2024-10-21" || call.Key != modeltest.Key || call.Auth != "" {
		t.Errorf("with a key: %+v", call)
	}
	c, s = azure(t, func(o *Options) { o.EntraToken = true }, modeltest.Script{})
	if _, err := c.Embed(t.Context(), []string{"a"}, model.Query); err != nil {
		t.Fatal(err)
	}
	call = s.Calls()[0]
	if call.Path != "/openai/deployments/lector.1/embeddings" || call.Key != "" || call.Auth != "Bearer "+modeltest.Key {
		t.Errorf("with a token: %+v", call)
	}
}
