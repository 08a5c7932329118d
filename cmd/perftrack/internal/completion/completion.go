// Package completion completes perftrack command lines in a shell: commands, flags, and names from
// the database and from git. Start with completion.go; suggestions.go finds the names.
package completion

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/manual"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pullrequest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/setup"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	familyreport "github.com/perftrack/perftrack/reports/family"
	"github.com/perftrack/perftrack/runner/format"
)

const noFiles = cobra.ShellCompDirectiveNoFileComp

// A Completer completes command lines.
type Completer struct {
	Session *workspace.Session // with the database given by --db, if any
	Now     func() time.Time
	Within  time.Duration // time limit for finding suggestions, because the shell waits for them
}

// Add adds completion of arguments and flags to root and all its subcommands.
func (c Completer) Add(root *cobra.Command) {
	c.args(root)
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if complete := c.flag(cmd, f); complete != nil {
				_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // fails if the flag already has a function
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// args sets how commands complete their arguments. Commands outside its table complete file names.
func (c Completer) args(root *cobra.Command) {
	one := func(f cobra.CompletionFunc) cobra.CompletionFunc { return atMost(1, f) }
	targets := c.complete(stored(targetWords), cobra.ShellCompDirectiveDefault) // a target can also be a folder of packages
	of := map[string]cobra.CompletionFunc{
		"run": targets, "check": targets, "calibrate": targets,
		"backfill": func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return c.revisionRange(revisions)(cmd, args, typed)
			}
			return targets(cmd, args, typed)
		},
		"bisect-helper auto": one(c.revisionRange(revisions)),
		"explain":            atMost(2, c.complete(revisions, noFiles)),
		"compare":            atMost(2, c.complete(measured, cobra.ShellCompDirectiveDefault)),
		"export":             c.complete(measured, noFiles),
		"history":            one(c.complete(stored(benchmarkWords), noFiles)),
		"accept":             one(c.complete(stored(benchmarkWords), noFiles)),
		"ci accept":          one(c.complete(stored(benchmarkWords), noFiles)),
		"sync":               one(c.complete(remotes, noFiles)),
		"report":             one(c.complete(these(reportKinds()...), noFiles)),
		"profile": func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if cmd.Flags().Changed("diff") {
				return one(c.complete(revisions, noFiles))(cmd, args, typed)
			}
			return one(c.complete(stored(suiteWords), noFiles))(cmd, args, typed)
		},
		"help": completeHelp, "man": completeCommands,
	}
	for name, complete := range of {
		cmd, _, err := root.Find(strings.Fields(name))
		if err != nil {
			panic("complete " + name + ": " + err.Error()) // the table names an unknown command
		}
		cmd.ValidArgsFunction = complete
	}
}

// atMost completes the first n arguments with complete, and nothing after them.
func atMost(n int, complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= n {
			return nil, noFiles
		}
		return complete(cmd, args, typed)
	}
}

// flag returns the completion for a flag's value, chosen by the name of the flag or by the
// placeholder in its help. It returns nil if the shell should complete file names.
func (c Completer) flag(cmd *cobra.Command, f *pflag.Flag) cobra.CompletionFunc {
	if f.NoOptDefVal != "" { // such a flag usually has no value
		return nil
	}
	switch f.Name {
	case "color":
		return c.complete(these("auto", "always", "never"), noFiles)
	case "pairs":
		return c.complete(these(measure.Pairs...), noFiles)
	case "on":
		return c.complete(these(setup.When...), noFiles)
	case "ci":
		return c.complete(these("github", "gitlab", "forgejo", "generic"), noFiles)
	case "comment":
		return c.complete(these(string(pullrequest.Always), string(pullrequest.OnChange), string(pullrequest.Never)), noFiles)
	case "to":
		return c.complete(these("benchfmt", "json", "csv"), noFiles)
	case "from":
		return c.complete(these(formatNames()...), noFiles)
	case "unit":
		return c.complete(stored(unitWords), noFiles)
	case "format":
		if cmd.Name() == "report" {
			return c.complete(these("markdown", "html", "json"), noFiles)
		}
		return c.complete(these(outputs.Formats[:4]...), noFiles)
	}
	switch value, _ := pflag.UnquoteUsage(f); value {
	case "revision":
		return c.complete(revisions, noFiles)
	case "branch":
		return c.complete(branches, noFiles)
	case "remote":
		return c.complete(remotes, noFiles)
	case "target":
		return c.complete(stored(targetWords), noFiles)
	case "suite":
		return c.complete(stored(suiteWords), noFiles)
	case "name": // only --suite takes a known name
		if f.Name == "suite" {
			return c.complete(stored(suiteWords), noFiles)
		}
	case "benchmark", "regexp":
		return c.complete(stored(benchmarkWords), noFiles)
	case "environment":
		return c.complete(stored(environmentWords), noFiles)
	case "run":
		return c.complete(measured, noFiles)
	case "file", "folder", "directory", "path":
		return nil
	}
	return cobra.NoFileCompletions
}

// completeCommands completes the names of commands and their subcommands.
func completeCommands(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	of, err := helptext.Find(cmd, args)
	if err != nil {
		return nil, noFiles
	}
	var all []Suggestion
	for _, sub := range of.Commands() {
		if sub.IsAvailableCommand() {
			all = append(all, Suggestion{sub.Name(), sub.Short})
		}
	}
	return Words(all, typed), noFiles
}

func formatNames() (names []string) {
	for _, f := range format.All() {
		names = append(names, f.Name)
	}
	return names
}

func reportKinds() (kinds []string) {
	for _, k := range familyreport.Kinds() {
		kinds = append(kinds, string(k))
	}
	return kinds
}

// completeHelp completes the names of commands, of documentation pages and of their sections.
func completeHelp(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	all, directive := completeCommands(cmd, args, typed)
	switch len(args) {
	case 0:
		pages := []Suggestion{{"pages", "Pages of the documentation"}}
		for _, p := range manual.Pages() {
			if _, err := helptext.Find(cmd, []string{p.Name}); err != nil { // otherwise it is already listed as a command
				pages = append(pages, Suggestion{p.Name, p.Title})
			}
		}
		all = append(all, Words(pages, typed)...)
	case 1:
		if page, ok := manual.Find(args[0]); ok {
			var sections []Suggestion
			for _, name := range page.Sections() {
				section, _ := page.Section(name)
				sections = append(sections, Suggestion{name, section.Title})
			}
			all = append(all, Words(sections, typed)...)
		}
	}
	return all, directive
}

// Output completes the formats of --output.
func Output(formats []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var all []Suggestion
		for _, f := range formats {
			all = append(all, Suggestion{word: f + "="})
		}
		return Words(all, typed), noFiles | cobra.ShellCompDirectiveNoSpace
	}
}
