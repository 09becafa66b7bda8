package write

import (
	"digesto/ground"
	"digesto/query"
	"digesto/retrieve"
)

func EndedIntent(i query.Intent) Draft {
	return Draft{Grounds: ground.Grounds{Hits: retrieve.Hits{Intent: i}}, End: i.Done}
}

func EndedGrounds(g ground.Grounds) Draft { return Draft{Grounds: g, End: g.Done} }

func EndedScope(s query.Scope) Draft {
	return Draft{Grounds: ground.Grounds{Hits: retrieve.Hits{Intent: query.Intent{Scope: s}}}, End: s.Done}
}
