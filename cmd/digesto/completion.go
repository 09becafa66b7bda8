package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/alecthomas/kong"
)

// completionCmd prints a completion script for a shell.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh o fish."`
}

// Examples of the command.
func (completionCmd) Examples() []string {
	return []string{
		"source <(digesto completion bash)",
		"digesto completion zsh > ~/.zfunc/_digesto",
		"digesto completion fish > ~/.config/fish/completions/digesto.fish",
	}
}

// Run prints the script, generated from the grammar of the program.
func (c completionCmd) Run(a *app) error {
	nodes := commandTable(a.model.Node, "")
	switch c.Shell {
	case "bash":
		bashScript(a.out, nodes)
	case "zsh":
		fmt.Fprintln(a.out, "#compdef digesto\nautoload -U +X bashcompinit && bashcompinit")
		bashScript(a.out, nodes)
	case "fish":
		fishScript(a.out, nodes)
	}
	return nil
}

// command is a line of the table that completion is made from.
type command struct {
	path     string // "corpus add"; "" = the program
	help     string
	children []string
	flags    []string // with their dashes
	flagHelp map[string]string
}

// commandTable lists every command of the grammar, parents before children.
func commandTable(n *kong.Node, path string) []command {
	c := command{path: path, help: n.Help, flagHelp: map[string]string{}}
	for p := n; p != nil; p = p.Parent {
		for _, f := range p.Flags {
			c.flags = append(c.flags, "--"+f.Name)
			c.flagHelp["--"+f.Name] = f.Help
		}
	}
	sort.Strings(c.flags)
	out := []command{c}
	for _, child := range n.Children {
		out[0].children = append(out[0].children, child.Name)
		out = append(out, commandTable(child, strings.TrimSpace(path+" "+child.Name))...)
	}
	return out
}

// bashScript walks the words typed so far down the tree of commands and offers
// what may follow; anything else is completed as a file.
func bashScript(w io.Writer, nodes []command) {
	fmt.Fprint(w, `_digesto() {
  local cur=${COMP_WORDS[COMP_CWORD]} path="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case "$path $word" in
`)
	for _, n := range nodes {
		for _, c := range n.children {
			fmt.Fprintf(w, "      %q) path=%q ;;\n", strings.TrimPrefix(" "+n.path, " ")+" "+c, strings.TrimSpace(n.path+" "+c))
		}
	}
	fmt.Fprint(w, "    esac\n  done\n  local words=\"\"\n  case \"$path\" in\n")
	for _, n := range nodes {
		fmt.Fprintf(w, "    %q) words=%q ;;\n", n.path, strings.Join(append(append([]string{}, n.children...), n.flags...), " "))
	}
	fmt.Fprint(w, `  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _digesto digesto
`)
}

// fishScript offers commands and flags with their descriptions.
func fishScript(w io.Writer, nodes []command) {
	for _, n := range nodes {
		cond := "__fish_use_subcommand"
		if n.path != "" {
			cond = "__fish_seen_subcommand_from " + n.path[strings.LastIndex(n.path, " ")+1:]
		}
		for _, c := range nodes {
			if parent, name := cutLast(c.path); c.path != "" && parent == n.path {
				fmt.Fprintf(w, "complete -c digesto -f -n '%s' -a %s -d '%s'\n", cond, name, fishQuote(c.help))
			}
		}
		for _, f := range n.flags {
			fmt.Fprintf(w, "complete -c digesto -n '%s' -l %s -d '%s'\n", cond, strings.TrimPrefix(f, "--"), fishQuote(n.flagHelp[f]))
		}
	}
}

func cutLast(path string) (parent, name string) {
	i := strings.LastIndex(path, " ")
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

func fishQuote(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), "'", `\'`)
}
