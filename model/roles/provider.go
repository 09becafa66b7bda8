// Package roles binds the four roles (reader, writer, embedder, reranker) to
// providers, as a configuration says: it chooses the adapter, and puts around it
// what keeps a provider's faults from becoming ours.
package roles

import (
	"slices"
	"strings"

	"digesto/model"
	"digesto/model/openai"
)

// Form is the protocol that a provider speaks.
type Form string

// The forms.
const (
	FormOpenAI Form = "openai"
	FormAzure  Form = "azure"
	FormGemini Form = "gemini"
	FormRerank Form = "rerank"
)

// Provider is one row of the table of docs/models.md: who serves models, where,
// and in which form.
type Provider struct {
	ID, Title string
	Form      Form
	Base      string // address if the configuration gives none; "" = it must
	Rerank    string // address of its reranker, if it has one
	Local     bool   // a server of one's own
	Key       bool   // it wants a key
	// Examples names one model for each role it serves; models not named here work too.
	Examples map[string]string
	// Structured is how it holds a model to a JSON Schema, where not by the server itself.
	Structured openai.Structured
	Likely     bool   // it gives the probabilities of tokens
	Note       string // Spanish, one sentence
}

// Providers are all that are known by name. Every other server of one of these
// forms is a "compatible".
func Providers() []Provider {
	gen := func(m string) map[string]string { return map[string]string{model.Reader: m, model.Writer: m} }
	with := func(m map[string]string, role, name string) map[string]string { m[role] = name; return m }
	return []Provider{
		{ID: "openai", Title: "OpenAI", Form: FormOpenAI, Base: "https://api.openai.com/v1", Key: true, Likely: true,
			Examples: with(gen("gpt-5-mini"), model.Embedding, "text-embedding-3-small")},
		{ID: "azure", Title: "Azure OpenAI", Form: FormAzure, Key: true, Likely: true, Examples: with(gen("mi-despliegue"), model.Embedding, "mis-vectores"),
			Note: "La dirección es la del recurso y el nombre, el del despliegue; con «auth: entra» la clave es un token de Microsoft Entra."},
		{ID: "gemini", Title: "Google Gemini", Form: FormGemini, Base: "https://generativelanguage.googleapis.com/v1beta", Key: true,
			Examples: with(gen("gemini-2.5-flash"), model.Embedding, "gemini-embedding-001")},
		{ID: "mistral", Title: "Mistral", Form: FormOpenAI, Base: "https://api.mistral.ai/v1", Key: true,
			Examples: with(gen("mistral-small-latest"), model.Embedding, "mistral-embed")},
		{ID: "groq", Title: "Groq", Form: FormOpenAI, Base: "https://api.groq.com/openai/v1", Key: true, Structured: openai.StructuredObject,
			Examples: gen("llama-3.3-70b-versatile")},
		{ID: "openrouter", Title: "OpenRouter", Form: FormOpenAI, Base: "https://openrouter.ai/api/v1", Key: true, Examples: gen("mistralai/mistral-small-3.2-24b-instruct")},
		{ID: "ollama", Title: "Ollama", Form: FormOpenAI, Base: "http://127.0.0.1:11434/v1", Local: true,
			Examples: with(gen("qwen3:4b"), model.Embedding, "bge-m3")},
		{ID: "llamacpp", Title: "llama.cpp (llama-server)", Form: FormOpenAI, Base: "http://127.0.0.1:8081/v1", Rerank: "http://127.0.0.1:8081/v1/rerank", Local: true, Likely: true,
			Examples: with(with(gen("local"), model.Embedding, "local"), model.Ranking, "local"),
			Note:     "llama-server escucha en 8080 si no se le dice otra cosa, como «digesto serve»: arránquelo con --port 8081."},
		{ID: "vllm", Title: "vLLM", Form: FormOpenAI, Base: "http://127.0.0.1:8000/v1", Rerank: "http://127.0.0.1:8000/v1/rerank", Local: true, Likely: true,
			Examples: with(with(gen("Qwen/Qwen3-4B"), model.Embedding, "BAAI/bge-m3"), model.Ranking, "BAAI/bge-reranker-v2-m3")},
		{ID: "lmstudio", Title: "LM Studio", Form: FormOpenAI, Base: "http://127.0.0.1:1234/v1", Local: true,
			Examples: with(gen("qwen3-4b"), model.Embedding, "text-embedding-bge-m3")},
		{ID: "tei", Title: "Text Embeddings Inference", Form: FormOpenAI, Base: "http://127.0.0.1:8082/v1", Rerank: "http://127.0.0.1:8082/rerank", Local: true,
			Examples: map[string]string{model.Embedding: "BAAI/bge-m3", model.Ranking: "BAAI/bge-reranker-v2-m3"}},
		{ID: "jina", Title: "Jina AI", Form: FormOpenAI, Base: "https://api.jina.ai/v1", Rerank: "https://api.jina.ai/v1/rerank", Key: true,
			Examples: map[string]string{model.Embedding: "jina-embeddings-v3", model.Ranking: "jina-reranker-v2-base-multilingual"}},
		{ID: "cohere", Title: "Cohere", Form: FormRerank, Rerank: "https://api.cohere.com/v2/rerank", Key: true,
			Examples: map[string]string{model.Ranking: "rerank-v3.5"}},
		{ID: "compatible", Title: "Otro servidor compatible con OpenAI", Form: FormOpenAI,
			Examples: with(with(gen("mi-modelo"), model.Embedding, "mi-modelo"), model.Ranking, "mi-modelo"),
			Note:     "La dirección es obligatoria; la del reordenador es la de su «/rerank», entera."},
	}
}

// ProviderOf finds a provider by its name.
func ProviderOf(id string) (Provider, bool) {
	all := Providers()
	i := slices.IndexFunc(all, func(p Provider) bool { return p.ID == strings.ToLower(strings.TrimSpace(id)) })
	if i < 0 {
		return Provider{}, false
	}
	return all[i], true
}

// Serves says whether a provider serves a role.
func (p Provider) Serves(role string) bool {
	if role == Backup {
		role = model.Writer
	}
	return p.Examples[role] != ""
}

func providerNames() string {
	var out []string
	for _, p := range Providers() {
		out = append(out, p.ID)
	}
	return strings.Join(out, ", ")
}
