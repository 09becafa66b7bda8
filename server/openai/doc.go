// Package openai answers in the forms of OpenAI's API: chat completions, with
// streams, responses of text alone, models and errors. The answer is the one
// that the engine gives everywhere; here it is written in another form.
package openai
