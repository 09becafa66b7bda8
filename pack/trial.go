package pack

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"digesto"
)

// Trial is a version of a prompt that part of the conversations get.
type Trial struct {
	Version string
	Share   int // in hundredths of the conversations
}

// Try divides conversations between versions of a prompt; the shares must come
// to 100. No trials end it.
func (p *Pack) Try(name string, trials []Trial) error {
	if len(trials) == 0 {
		delete(p.trials, name)
		return nil
	}
	sum := 0
	for _, t := range trials {
		if _, ok := p.version(name, t.Version); !ok {
			return &digesto.Error{Code: digesto.CodeNotFound, Message: fmt.Sprintf("el paquete «%s» no tiene la versión «%s» del prompt «%s»", p.Name, t.Version, name),
				Hint: "las versiones están en «prompts» de su pack.yaml"}
		}
		sum += t.Share
		if t.Share < 0 {
			sum = -1 << 20
		}
	}
	if sum != 100 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("las partes del ensayo de «%s/%s» no suman 100", p.Name, name), Hint: "escriba por ejemplo " + p.Name + "/" + name + "=1:50/2:50"}
	}
	if p.trials == nil {
		p.trials = map[string][]Trial{}
	}
	p.trials[name] = trials
	return nil
}

func (p *Pack) version(name, version string) (Prompt, bool) {
	for _, h := range p.History {
		if h.Name == name && h.Version == version {
			return h, true
		}
	}
	return Prompt{}, false
}

// PromptFor gives the version of a prompt that a conversation has: the same as
// long as the trial lasts, and independent of the trials of other prompts. Without
// a trial, or without a conversation, it is that of [Pack.Prompt].
func (p *Pack) PromptFor(name, conversation string) (Prompt, bool) {
	trials := p.trials[name]
	if len(trials) == 0 || conversation == "" {
		return p.Prompt(name)
	}
	sum := sha256.Sum256([]byte(p.Name + "\x00" + name + "\x00" + conversation))
	at := int(binary.BigEndian.Uint64(sum[:8]) % 100)
	for _, t := range trials {
		if at -= t.Share; at < 0 {
			return p.version(name, t.Version)
		}
	}
	return p.Prompt(name)
}
