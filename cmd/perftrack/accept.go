package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/runner/record"
)

func newAcceptCommand(g *globals) *cobra.Command {
	var opt comparison.AcceptOptions
	var out console.Output
	var list bool
	var revoke string
	cmd := &cobra.Command{
		Use:   "accept BENCH --reason TEXT",
		Short: "Record that a benchmark's change is intended",
		Long: `Record that a benchmark's change is intended, so that checks do not fail because of it.

A regression counts as accepted if the comparison includes the named commit. BENCH is the
name of a stored benchmark, or a unique ending of one. An acceptance covers all units and is
shared by perftrack sync; --revoke withdraws it. With --pull it also covers the squash merge
of that pull request.
` + exitStatus,
		Example: `  perftrack ci accept GELU_1000 --reason 'exact-gradients'
  perftrack ci accept GELU_1000 --commit v1.4.0 --reason 'see-#142'
  perftrack ci accept GELU_1000 --pull 142 --reason 'exact-gradients'
  perftrack ci accept --list
  perftrack ci accept --revoke 3f29ab10`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.Check(g.term), checkAccept(cmd, args))
			if err != nil {
				return err
			}
			switch {
			case list:
				all, err := comparison.ListAcceptances(cmd.Context(), a, opt.Target)
				if err != nil {
					return err
				}
				return out.Print(g.term, listing.Accepted(all))
			case cmd.Flags().Changed("revoke"):
				done, err := comparison.Revoke(cmd.Context(), a, revoke, opt.Reason)
				return errors.Join(err, printAccepted(g, &out, done, "revoked"))
			}
			done, err := comparison.Accept(cmd.Context(), a, args[0], opt)
			return errors.Join(err, printAccepted(g, &out, done, "accepted"))
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Reason, "reason", "", "why the change is intended")
	f.StringVar(&opt.Commit, "commit", "", "`revision` that made the change (default HEAD)")
	f.IntVar(&opt.Pull, "pull", 0, "`number` of the pull request, to find its squash merge")
	f.StringVar(&opt.Target, "target", "", "the benchmark's `target`, if several targets have the benchmark")
	f.StringVar(&opt.Package, "package", "", "the benchmark's `package`, if several packages have it or this clone has no run of it")
	f.BoolVar(&list, "list", false, "list the acceptances not revoked")
	f.StringVar(&revoke, "revoke", "", "revoke the acceptance with this `id`")
	out.AddFlag(cmd)
	return cmd
}

// checkAccept returns an error unless the arguments and flags select exactly one task: accepting a
// benchmark, listing acceptances or revoking one.
func checkAccept(cmd *cobra.Command, args []string) error {
	changed := cmd.Flags().Changed
	var forms int
	for _, asked := range []bool{len(args) == 1, changed("list"), changed("revoke")} {
		if asked {
			forms++
		}
	}
	switch {
	case forms == 0:
		return errors.New("name a benchmark, or use --list or --revoke ID")
	case forms > 1:
		return errors.New("a benchmark, --list and --revoke cannot be combined: use one")
	case len(args) == 1 && !changed("reason"):
		return errors.New("--reason is missing: say why the change is intended")
	case len(args) == 0 && (changed("commit") || changed("pull")), changed("list") && changed("reason"), changed("revoke") && changed("target"), len(args) == 0 && changed("package"):
		return errors.New("some of the flags cannot be combined with --list or --revoke")
	}
	return nil
}

func printAccepted(g *globals, out *console.Output, done comparison.AcceptedChange, what string) error {
	if done.ID == "" {
		return nil // nothing was recorded; the caller reports why
	}
	r := listing.Accepted([]record.Acceptance{done.Acceptance})
	if !done.Added {
		what = "already " + what
	}
	r.Summary = fmt.Sprintf("%s: %s", what, record.ShortHash(cmp.Or(done.Revokes, done.ID)))
	return out.Print(g.term, r)
}
