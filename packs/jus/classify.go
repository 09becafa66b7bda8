package jus

import "digesto/pack"

type classifier struct {
	calc *Calc
	pack *pack.Pack
}

func (c *classifier) Classify(q pack.ToolQuestion) pack.Classification {
	return pack.Classification{Rest: q.Text}
}

// Detect reads a calculation from a question.
func (t *Tool) Detect(q pack.ToolQuestion) (pack.ToolCall, bool) { return pack.ToolCall{}, false }
