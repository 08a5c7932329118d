package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pullrequest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/setup"
	familyreport "github.com/perftrack/perftrack/reports/family"
	"github.com/perftrack/perftrack/runner/format"
)

func newCompletionCommand(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a shell's completion script",
		Long:  "Print the script that makes a shell complete what is typed after perftrack.\n\nIt completes commands and flags, and what is stored and committed: benchmarks, targets, suites, branches, tags, commits, runs.\n" + exitStatus,
		Example: `  source <(perftrack completion bash)
  perftrack completion zsh > "${fpath[1]}/_perftrack"
  perftrack completion fish | source`,
		Args:                  cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs:             []string{"bash", "zsh", "fish", "powershell"},
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			root, w := cmd.Root(), g.term.stdout
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(w, true)
			case "zsh":
				return root.GenZshCompletion(w)
			case "fish":
				return root.GenFishCompletion(w, true)
			}
			return root.GenPowerShellCompletionWithDesc(w)
		},
	}
}

const noFiles = cobra.ShellCompDirectiveNoFileComp

// addCompletion makes all commands complete their arguments and flags.
func addCompletion(root *cobra.Command, g *globals) {
	g.completeArgs(root)
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if complete := g.completeFlag(c, f); complete != nil {
				_ = c.RegisterFlagCompletionFunc(f.Name, complete) // fails where there is one already
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// completeArgs says what the arguments of commands are. For those without a row here a shell
// completes files.
func (g *globals) completeArgs(root *cobra.Command) {
	one := func(f cobra.CompletionFunc) cobra.CompletionFunc { return atMost(1, f) }
	targets := g.complete(stored(targetWords), cobra.ShellCompDirectiveDefault) // or a folder of packages
	of := map[string]cobra.CompletionFunc{
		"run": targets, "check": targets, "calibrate": targets,
		"backfill": func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return g.completeRange(revisions)(cmd, args, typed)
			}
			return targets(cmd, args, typed)
		},
		"bisect-helper auto": one(g.completeRange(revisions)),
		"explain":            atMost(2, g.complete(revisions, noFiles)),
		"compare":            atMost(2, g.complete(measured, cobra.ShellCompDirectiveDefault)),
		"export":             g.complete(measured, noFiles),
		"history":            one(g.complete(stored(benchmarkWords), noFiles)),
		"accept":             one(g.complete(stored(benchmarkWords), noFiles)),
		"sync":               one(g.complete(remotes, noFiles)),
		"report":             one(g.complete(these(reportKinds()...), noFiles)),
		"profile": func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if cmd.Flags().Changed("diff") {
				return one(g.complete(revisions, noFiles))(cmd, args, typed)
			}
			return one(g.complete(stored(suiteWords), noFiles))(cmd, args, typed)
		},
		"help": completeHelp, "man": completeCommands,
	}
	for name, complete := range of {
		cmd, _, err := root.Find(strings.Fields(name))
		if err != nil {
			panic("complete " + name + ": " + err.Error()) // a mistake in the table
		}
		cmd.ValidArgsFunction = complete
	}
}

// atMost completes as many arguments and no more.
func atMost(n int, complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= n {
			return nil, noFiles
		}
		return complete(cmd, args, typed)
	}
}

// completeFlag returns what completes the value of a flag: by its name where it takes one of a few
// words, else by what its help calls the value. Nil leaves files to the shell.
func (g *globals) completeFlag(c *cobra.Command, f *pflag.Flag) cobra.CompletionFunc {
	if f.NoOptDefVal != "" { // takes no value, as a rule
		return nil
	}
	switch f.Name {
	case "color":
		return g.complete(these("auto", "always", "never"), noFiles)
	case "pairs":
		return g.complete(these(measure.Pairs...), noFiles)
	case "on":
		return g.complete(these(setup.When...), noFiles)
	case "ci":
		return g.complete(these("github", "gitlab", "forgejo", "generic"), noFiles)
	case "comment":
		return g.complete(these(string(pullrequest.Always), string(pullrequest.OnChange), string(pullrequest.Never)), noFiles)
	case "to":
		return g.complete(these("benchfmt", "json", "csv"), noFiles)
	case "from":
		return g.complete(these(formatNames()...), noFiles)
	case "unit":
		return g.complete(stored(unitWords), noFiles)
	case "format":
		if c.Name() == "report" {
			return g.complete(these("markdown", "html", "json"), noFiles)
		}
		return g.complete(these(printable...), noFiles)
	}
	value, usage := pflag.UnquoteUsage(f)
	switch value {
	case "FORMAT=FILE":
		_, known, _ := strings.Cut(usage, "repeated: ")
		formats := strings.Split(known, ", ")
		for i := range formats {
			formats[i] += "="
		}
		return g.complete(these(formats...), noFiles|cobra.ShellCompDirectiveNoSpace)
	case "revision":
		return g.complete(revisions, noFiles)
	case "branch":
		return g.complete(branches, noFiles)
	case "remote":
		return g.complete(remotes, noFiles)
	case "target":
		return g.complete(stored(targetWords), noFiles)
	case "suite":
		return g.complete(stored(suiteWords), noFiles)
	case "name": // of a suite, or of somebody else's thing
		if f.Name == "suite" {
			return g.complete(stored(suiteWords), noFiles)
		}
	case "benchmark", "regexp":
		return g.complete(stored(benchmarkWords), noFiles)
	case "environment":
		return g.complete(stored(environmentWords), noFiles)
	case "run":
		return g.complete(measured, noFiles)
	case "file", "folder", "directory", "path":
		return nil
	}
	return cobra.NoFileCompletions
}

// completeCommands completes the path of a command.
func completeCommands(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	of, err := findCommand(cmd, args)
	if err != nil {
		return nil, noFiles
	}
	var all []suggestion
	for _, sub := range of.Commands() {
		if sub.IsAvailableCommand() {
			all = append(all, suggestion{sub.Name(), sub.Short})
		}
	}
	return completions(all, typed), noFiles
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
