package helptext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/manual"
)

// ExitStatus is the last paragraph in the help of most commands.
const ExitStatus = "\nExit status: 0 success; 2 error; 130 interrupted."

// Usage returns the help for a command: its purpose, examples and details, and then its flags. If
// all is set, it also lists advanced flags and less common commands.
func Usage(c *cobra.Command, s manual.Style, all bool) string {
	purpose, details, _ := strings.Cut(strings.TrimSpace(c.Long), "\n\n")
	var b strings.Builder
	b.WriteString(manual.Wrap(purpose+"\n", s) + "\nUsage:\n")
	if c.Runnable() && c.HasParent() {
		fmt.Fprintf(&b, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND [flags]\n", c.CommandPath())
	}
	if len(c.Aliases) > 0 {
		fmt.Fprintf(&b, "\nShort:\n  %s %s\n", c.Parent().CommandPath(), strings.Join(c.Aliases, ", "))
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	writeCommands(&b, c, all)
	if details != "" {
		b.WriteString("\n" + manual.Wrap(details+"\n", s))
	}
	usual, more := FlagGroups(c.LocalFlags())
	writeFlags(&b, "Flags", usual, s)
	switch {
	case all:
		writeFlags(&b, "Advanced flags", more, s)
	case more.HasAvailableFlags():
		fmt.Fprintf(&b, "\n%s --all also lists the advanced flags.\n", helpOf(c))
	}
	writeFlags(&b, "Global flags", c.InheritedFlags(), s)
	switch {
	case !c.HasParent():
		b.WriteString("\n" + manual.Wrap("perftrack help COMMAND shows the help of a command, perftrack help --all lists every command, "+
			"and perftrack help pages lists the pages of the documentation.\n", s))
	case c.HasAvailableSubCommands():
		fmt.Fprintf(&b, "\n%s COMMAND shows the help of a command.\n", helpOf(c))
	}
	return b.String()
}

// helpOf returns the command line for the help of c.
func helpOf(c *cobra.Command) string {
	return strings.Replace(c.CommandPath(), "perftrack", "perftrack help", 1)
}

// OtherCommands is the title of the group listed only by perftrack help --all.
const OtherCommands = "Other commands"

// writeCommands lists the subcommands of c by group.
func writeCommands(b *strings.Builder, c *cobra.Command, all bool) {
	groups := c.Groups()
	if len(groups) == 0 && c.HasAvailableSubCommands() {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, group := range groups {
		if group.ID == OtherCommands && !all {
			continue
		}
		fmt.Fprintf(b, "\n%s\n", group.Title)
		for _, sub := range c.Commands() {
			if sub.GroupID == group.ID && (sub.IsAvailableCommand() || sub.Name() == "help") {
				writeName(b, sub.Name(), sub.Short)
			}
		}
	}
}

func writeName(b *strings.Builder, name, about string) { fmt.Fprintf(b, "  %-14s%s\n", name, about) }

func writeFlags(b *strings.Builder, title string, flags *pflag.FlagSet, s manual.Style) {
	if flags.HasAvailableFlags() {
		b.WriteString("\n" + title + ":\n" + flags.FlagUsagesWrapped(s.Width))
	}
}

// advancedMark is the annotation of advanced flags.
const advancedMark = "advanced"

// advanced lists the advanced flags by command; flags under "" are advanced in all commands.
var advanced = map[string][]string{
	"":         {"alpha", "benchtime", "cpus", "isolate", "package", "pairs", "procs", "suite", "timeout"},
	"run":      {"anchor", "rounds"},
	"check":    {"explain-budget", "explain-file", "if-needed", "new-trial", "optional", "priority", "pull-request", "reach", "repo", "rounds-part", "shard", "sort", "unit", "workers"},
	"auto":     {"repo", "workers"},
	"backfill": {"repo", "workers"},
	"compare":  {"sort"},
	"history":  {"env", "no-pager", "target"},
	"explain":  {"processes", "rounds"},
	"profile":  {"against", "budget", "model", "prompt", "tokens"},
}

func MarkAdvanced(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(advanced[""], f.Name) || slices.Contains(advanced[c.Name()], f.Name) {
			f.Annotations = map[string][]string{advancedMark: nil}
		}
	})
	for _, sub := range c.Commands() {
		MarkAdvanced(sub)
	}
}

// FlagGroups splits a command's flags into the usual ones, shown by --help, and the advanced ones,
// shown only by help --all.
func FlagGroups(flags *pflag.FlagSet) (usual, more *pflag.FlagSet) {
	usual, more = pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.VisitAll(func(f *pflag.Flag) {
		if _, ok := f.Annotations[advancedMark]; ok {
			more.AddFlag(f)
		} else {
			usual.AddFlag(f)
		}
	})
	return usual, more
}

// SeePage returns a reference to the documentation page about a command, or "" if there is no such
// page.
func SeePage(c *cobra.Command) string {
	if c.HasParent() && !c.Parent().HasParent() {
		for _, name := range append([]string{c.Name()}, c.Aliases...) {
			if _, ok := manual.Find(name); ok {
				return "\nSee also perftrack help " + name + ".\n"
			}
		}
	}
	return ""
}
