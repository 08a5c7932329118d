package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

func newAcceptCommand(g *globals) *cobra.Command {
	var opt comparison.AcceptOptions
	var out output
	var list bool
	var revoke string
	cmd := &cobra.Command{
		Use:   "accept BENCH --reason TEXT",
		Short: "Record that a change of a benchmark is intended",
		Long: `Record that a change of a benchmark is intended, so that it fails no check.

Where the commit that made it is part of what is compared, the regression is shown as
accepted and does not gate; what was measured before it is no baseline any more.

BENCH is a stored benchmark: its name, or an end of it that no other has. An
acceptance holds for all units, is never changed, and travels with perftrack sync;
--revoke takes it back. On a pull request it holds for the head that --commit names;
with --pull its reason ends with the number, and after a squash merge it holds for
the commit on the default branch whose subject ends with the same number.
` + exitStatus,
		Example: `  perftrack accept GELU_1000 --reason 'exact-gradients'
  perftrack accept GELU_1000 --commit v1.4.0 --reason 'see-#142'
  perftrack accept GELU_1000 --pull 142 --reason 'exact-gradients'
  perftrack accept --list
  perftrack accept --revoke 3f29ab10`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term), checkAccept(cmd, args))
			if err != nil {
				return err
			}
			switch {
			case list:
				all, err := comparison.ListAcceptances(cmd.Context(), a, opt.Target)
				if err != nil {
					return err
				}
				return out.print(g.term, acceptedListing(all).report())
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
	f.IntVar(&opt.Pull, "pull", 0, "`number` of the pull request, by which the commit of a squash merge is found")
	f.StringVar(&opt.Target, "target", "", "`target` that has the benchmark, where several do")
	f.StringVar(&opt.Package, "package", "", "`package` that has the benchmark, where several do, or where this clone has no run of it")
	f.BoolVar(&list, "list", false, "list the acceptances in force")
	f.StringVar(&revoke, "revoke", "", "take back the acceptance with this `id`")
	out.addFlag(cmd)
	return cmd
}

// checkAccept checks that the flags ask for one thing.
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
		return errors.New("a benchmark, --list and --revoke are one at a time")
	case len(args) == 1 && !changed("reason"):
		return errors.New("--reason is missing: say why the change is intended")
	case len(args) == 0 && (changed("commit") || changed("pull")), changed("list") && changed("reason"), changed("revoke") && changed("target"), len(args) == 0 && changed("package"):
		return errors.New("a flag does not go with --list or --revoke")
	}
	return nil
}

func printAccepted(g *globals, out *output, done comparison.AcceptedChange, what string) error {
	if done.ID == "" {
		return nil // the error says it all
	}
	l := acceptedListing([]record.Acceptance{done.Acceptance})
	r := l.report()
	if !done.Added {
		what = "already " + what
	}
	r.Summary = fmt.Sprintf("%s: %s", what, record.ShortHash(cmp.Or(done.Revokes, done.ID)))
	return out.print(g.term, r)
}

func acceptedListing(all []record.Acceptance) *listing {
	l := newListing("accepted", "id", "target", "package", "benchmark", "commit", "time", "by", "reason")
	l.extra("package", "target", "time", "by")
	l.wraps("reason")
	for _, a := range all {
		l.add(idText(a.ID()), a.Target, a.Package, a.Benchmark, commitText(record.Commit{SHA: a.Commit}), timeText(a.Time), a.Author, a.Reason)
	}
	return l
}
