// Package pack is the manifest and the data of a domain: what the engine may
// not know by itself. A pack is a directory of files that people who do not
// program can edit:
//
//	pack.yaml      name, jurisdictions, collections, bodies to ask, files below
//	aliases.tsv    customary names and acronyms of norms
//	synonyms.txt   words that mean the same, a line each
//	fiches*.yaml   facts in our own words, each with its official reference
//	rules.yaml     classes, fixed sentences, ambiguous topics, signals
//	sources.tsv    the official norms that the pack expects to be installed
//	ranks.tsv      order of the ranks of norms in each jurisdiction
//	prompts/*.md   prompts, one version a file
//
// [Load] reads one and reports every fault with its file and line; [Check]
// proves it sound. Files may be shared: a manifest may name "../x/aliases.tsv".
// Domain code exists only where the law calculates: a [Tool].
package pack
