package query

import "digesto/model"

func MustPrompt(name, text string) *model.Prompt {
	p, err := model.NewPrompt(name, text)
	if err != nil {
		panic(err) // a constant of the program: its tests would show it
	}
	return p
}
