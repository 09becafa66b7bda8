package store

import (
	"bytes"
	"fmt"
	"strings"

	"digesto/text"
)

// Export is a whole conversation as JSON: what a person takes away.
type Export struct {
	Conversation Conversation `json:"conversation"`
	Messages     []Message    `json:"messages"`
}

// Markdown is a whole conversation to read.
func Markdown(c Conversation, list []Message) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\nConversación del %s.\n", text.Inert(oneLine(c.Title)), c.Created.Format("2006-01-02 15:04"))
	for _, m := range list {
		who := "Pregunta"
		if m.Role == RoleAssistant {
			who = "Respuesta"
			if t := m.Meta.Type(); t != "" && t != "answer" {
				who += " (" + t + ")"
			}
		}
		fmt.Fprintf(&b, "\n## %s · %s\n\n", who, m.Created.Format("2006-01-02 15:04"))
		for l := range strings.Lines(m.Content) {
			b.WriteString(heading(text.Inert(l)))
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

// heading keeps a line of a message from becoming a heading of the document.
func heading(line string) string {
	if strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
		return `\` + strings.TrimLeft(line, " ")
	}
	return line
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
