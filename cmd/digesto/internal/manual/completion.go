package manual

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/alecthomas/kong"
)

// Completion writes the script for a shell (bash, zsh or fish) from the grammar of the program;
// packs are the values of --pack.
func Completion(w io.Writer, shell string, root *kong.Node, packs []string) {
	nodes, values := Commands(root), valuesAfter(root, packs)
	switch shell {
	case "bash":
		bashScript(w, nodes, values)
	case "zsh":
		fmt.Fprintln(w, "#compdef digesto\nautoload -U +X bashcompinit && bashcompinit")
		bashScript(w, nodes, values)
		fmt.Fprintln(w, `[[ $funcstack[1] != _digesto ]] || _bash_complete -o default -F _digesto # the first time, loaded by fpath`)
	case "fish":
		fishScript(w, nodes, values)
	}
}

// valuesAfter gives what may follow a flag: the names of the packs, and the words that
// a flag is limited to.
func valuesAfter(n *kong.Node, packs []string) map[string][]string {
	out := map[string][]string{"--pack": packs}
	for _, f := range n.Flags {
		if f.Enum != "" && !f.IsBool() {
			out["--"+f.Name] = strings.Split(f.Enum, ",")
		}
	}
	for _, c := range n.Children {
		maps.Copy(out, valuesAfter(c, packs))
	}
	return out
}

// Command is a command with what may follow it.
type Command struct {
	Path     string // "corpus add"; "" = the program
	help     string
	children []string
	flags    []string // with their dashes
	flagHelp map[string]string
}

// Commands lists every command of a grammar, parents before children.
func Commands(root *kong.Node) []Command { return commandsBelow(root, "") }

func commandsBelow(n *kong.Node, path string) []Command {
	c := Command{Path: path, help: n.Help, flagHelp: map[string]string{}}
	for p := n; p != nil; p = p.Parent {
		for _, f := range p.Flags {
			c.flags = append(c.flags, "--"+f.Name)
			c.flagHelp["--"+f.Name] = f.Help
		}
	}
	sort.Strings(c.flags)
	out := []Command{c}
	for _, child := range n.Children {
		out[0].children = append(out[0].children, child.Name)
		out = append(out, commandsBelow(child, strings.TrimSpace(path+" "+child.Name))...)
	}
	return out
}

// bashScript walks the words typed so far down the tree of commands and offers
// what may follow; anything else is completed as a file.
func bashScript(w io.Writer, nodes []Command, values map[string][]string) {
	fmt.Fprint(w, `_digesto() {
  local cur=${COMP_WORDS[COMP_CWORD]} path="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case "$path $word" in
`)
	for _, n := range nodes {
		for _, c := range n.children {
			fmt.Fprintf(w, "      %q) path=%q ;;\n", strings.TrimPrefix(" "+n.Path, " ")+" "+c, strings.TrimSpace(n.Path+" "+c))
		}
	}
	fmt.Fprint(w, "    esac\n  done\n  local words=\"\"\n  case \"$path\" in\n")
	for _, n := range nodes {
		fmt.Fprintf(w, "    %q) words=%q ;;\n", n.Path, strings.Join(append(append([]string{}, n.children...), n.flags...), " "))
	}
	fmt.Fprint(w, "  esac\n  case \"${COMP_WORDS[COMP_CWORD-1]}\" in\n    --data|--config|--from) words=\"\" ;;\n")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(w, "    %s) words=%q ;;\n", name, strings.Join(values[name], " "))
	}
	fmt.Fprint(w, `  esac
  case "$path" in
    "completion") words="bash zsh fish $words" ;;
    "eval pack") words="$words `+strings.Join(values["--pack"], " ")+` all" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _digesto digesto
`)
}

// fishScript offers commands and flags with their descriptions.
func fishScript(w io.Writer, nodes []Command, values map[string][]string) {
	for _, n := range nodes {
		cond := "__fish_use_subcommand"
		if n.Path != "" {
			cond = "__fish_seen_subcommand_from " + n.Path[strings.LastIndex(n.Path, " ")+1:]
		}
		for _, c := range nodes {
			if parent, name := cutLast(c.Path); c.Path != "" && parent == n.Path {
				fmt.Fprintf(w, "complete -c digesto -f -n '%s' -a %s -d '%s'\n", cond, name, fishQuote(c.help))
			}
		}
		for _, f := range n.flags {
			follows := ""
			if list := values[f]; len(list) > 0 {
				follows = " -x -a '" + fishQuote(strings.Join(list, " ")) + "'"
			}
			fmt.Fprintf(w, "complete -c digesto -n '%s' -l %s%s -d '%s'\n", cond, strings.TrimPrefix(f, "--"), follows, fishQuote(n.flagHelp[f]))
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
