package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/stretch"
)

func newRoundsCommand(g *globals) *cobra.Command {
	var opt stretch.Options
	var plain string
	cmd := &cobra.Command{
		Use:   "rounds --base REV --head REV --trial ID TARGET",
		Short: "Measure rounds of a trial for a worker",
		Long: `Measure rounds of a trial for perftrack worker, which starts this command.

It reads orders from stdin and writes the rounds to stdout, both as lines of JSON. It decides
and stores nothing. Without a target, it only checks whether benchmarks can be isolated.
` + exitStatus,
		Example: `  echo '{"first":1,"last":4}' | perftrack rounds --base main --head HEAD --trial t1 engine`,
		Args:    cobra.MaximumNArgs(1),
		Hidden:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			missing := error(nil)
			if len(args) > 0 && (opt.Base == "" || opt.Head == "" || opt.Trial == "") {
				missing = errors.New("--base, --head and --trial are needed")
			}
			a, err := g.start(cmd, missing, helptext.RefuseEmpty(cmd, "plain"))
			if err != nil || len(args) == 0 {
				return err
			}
			if plain != "" {
				if opt.Plain, err = stretch.ParsePlain(plain); err != nil {
					return err
				}
			}
			opt.Target, opt.Flags = args[0], g.flags
			return stretch.Serve(cmd.Context(), a, opt, g.term.Stdin, g.term.Stdout)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Base, "base", "", "`revision` to compare with")
	f.StringVar(&opt.Head, "head", "", "`revision` to check")
	f.StringVar(&opt.Trial, "trial", "", "`id` of the trial")
	f.BoolVar(&opt.All, "all", false, "also measure benchmarks that reach no changed code")
	f.StringVar(&plain, "plain", "", "measure every selected benchmark on both sides, with the configuration in this `JSON`")
	return cmd
}
