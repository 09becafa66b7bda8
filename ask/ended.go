package ask

import (
	"digesto/ground"
	"digesto/query"
	"digesto/retrieve"
)

func endedIntent(i query.Intent) draft {
	return draft{Grounds: ground.Grounds{Hits: retrieve.Hits{Intent: i}}, end: i.Done}
}

func endedGrounds(g ground.Grounds) draft { return draft{Grounds: g, end: g.Done} }

func endedScope(s query.Scope) draft {
	return draft{Grounds: ground.Grounds{Hits: retrieve.Hits{Intent: query.Intent{Scope: s}}}, end: s.Done}
}
