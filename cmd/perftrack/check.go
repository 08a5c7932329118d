package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/check"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/explain"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/runner/record"
)

func newCheckCommand(g *globals) *cobra.Command {
	var opt check.Options
	var out output
	var strict, explain, reach bool
	var shard string
	var why whyOptions
	var view viewFlags
	cmd := &cobra.Command{
		Use:   "check [BASE [HEAD]] [TARGET...]",
		Short: "Decide whether a change made anything slower: the CI step",
		Long: `Measure two commits side by side and say which benchmarks got slower.

Base and head are built and measured in pairs, round by round, until each benchmark
is decided: regressed, improved or unchanged. What is not decided when the rounds or
the budget are spent is inconclusive, which means that nobody knows, not that nothing
changed; the same command goes on with it. A benchmark with too few rounds for any
regression to be shown is not checked, which is an error that names the budget that
would do. perftrack help verdicts says what each means. The chance that a change which slows nothing down is
called regressed anywhere is at most alpha (1 % unless perftrack.toml of the base
says otherwise), however many benchmarks there are and however often the check is
repeated.

The base is the merge base with the default branch, unless BASE or --base names another;
the head is the work tree, unless HEAD or --head names a revision. A name that is both a
target and a revision is the target. Both are checked out
into throw-away worktrees; your work tree is not touched. A benchmark is decided
at an interim look after 9 to 17, 21, 27, 34 or 48 rounds. A second check of the same two
commits continues the trial of the first; a part of alpha is set aside for that. Where
the machine was busy when that trial began, --new-trial begins another on a quieter
one, which has a fortieth of alpha; the first stays stored, and what it found stands.

What cannot have changed is not measured: packages whose tests are the same machine
code on both sides, and of the others the benchmarks that reach no changed function,
type or data, however indirectly, nor a changed file. --all measures these, too.
--reach measures nothing and shows how each benchmark gets to what changed; it runs the
build command and the test binaries of both sides: perftrack help trust.

When all is built it waits while another perftrack measures on this machine. Builds count
against --budget, the wait does not. Nothing is begun that cannot end within it. Without --budget
the benchmarks are measured for two minutes, or where there are more than ten for 12 seconds each, and for
a quarter of an hour at most; less if all is decided before.

A TARGET may be a pattern of Go packages, as for perftrack run. If a package does not
build, the others are decided, and check exits 2; not so if it is only base's, and others of
its target are decided.

With --shard 2/4 it measures the second of four parts of the benchmarks, both sides of
each: four machines, told 1/4 to 4/4, have all of them between them. Each part is a trial
with a quarter of alpha. It exits 0 where nothing of the part regressed; perftrack comment,
and perftrack compare of what all stored, say whether a part is missing.

With --explain, each benchmark that regressed is then profiled on both sides, which
takes about half a minute each, and the functions that make the difference are shown
below the verdicts, as perftrack explain shows them. Ctrl-C then stops only the
explanation: verdicts and exit status stay. --explain-budget bounds the time of all;
what it leaves out is said.

Exit status: 0 nothing regressed; 1 something regressed; 2 anything that went
wrong, also a budget too small to check all; 3 inconclusive or lost coverage (only
with --strict); 130 interrupted.`,
		Example: `  perftrack check                       this branch against where it left main
  perftrack check HEAD~1                did the last commit slow anything down?
  perftrack check v1.4.0 v1.5.0
  perftrack check --explain             and which functions did?
  perftrack check --shard 2/4           the second quarter of the benchmarks
  perftrack check --budget 5m --strict  in CI: undecided fails, too`,
		RunE: func(cmd *cobra.Command, args []string) error {
			part, badPart := check.ParsePart(shard)
			a, err := g.start(cmd, out.check(g.term), checkCheck(cmd, opt), badPart, checkExplained(explain, out.format, why), view.check(out.format))
			if err != nil {
				return err
			}
			opt.Part, view.all = part, opt.All
			opt.Flags = g.flags
			if err := opt.TakeArgs(cmd.Context(), a, args); err != nil {
				return err
			}
			if reach {
				return printReach(cmd.Context(), a, g.term, &out, opt)
			}
			opt.UsualBudget = !cmd.Flags().Changed("budget")
			res, err := check.Run(cmd.Context(), a, opt)
			g.term.clearStatus()
			if len(res.Runs) == 0 {
				g.term.noteNothing(cmd.Context())
			}
			if res.Spared {
				const why = "nothing was measured: no changed file is in paths of perftrack.toml of the base"
				g.term.notice(why)
				return actionsJob().WriteSummary("### ✅ perftrack: " + why + "\n")
			}
			if opt.Flags.Bench != "" && res.Comparison != nil {
				res.Comparison = askedOf(res.Comparison, opt.Flags.Bench)
			}
			var verdict error
			says := compare.Gate{Result: compare.NoResult} // what else went wrong, the comparison may not know
			if res.Comparison != nil {
				if g := res.Comparison.Gate(compare.GateOptions{Strict: strict}); err == nil || g.Result != compare.Pass {
					says = g
				}
			}
			if err == nil {
				verdict = gateOn(res.Comparison, strict)
			}
			if c := res.Comparison; c != nil && len(c.Tables)+len(c.Same)+len(c.Unreached)+len(c.Failures)+len(c.Starved) > 0 {
				// Interrupted, the user still sees what there is.
				wanted := explain && err == nil && res.Comparison.Count(compare.Regressed) > 0
				err = errors.Join(printCheck(cmd.Context(), a, g.term, &out, checked{res, view, says, errors.Join(verdict, err), repeated(cmd), opt.Flags.Bench}, wanted, why), announce(g.term, res.Comparison, res.Accepted, strict, says), err)
			}
			if err != nil {
				return err
			}
			if res.Comparison.Unaccepted() == 0 && res.Comparison.Count(compare.Regressed) > 0 {
				g.term.notice("every regression was accepted: see perftrack accept --list")
			}
			return verdict
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Base, "base", "", "compare with this `revision` (default the merge base with the default branch)")
	f.StringVar(&opt.Head, "head", "", "check this `revision` (default the work tree)")
	f.DurationVar(&opt.Budget, "budget", 0, "longest time of the whole check; 0 is no limit (default 2m of measuring, from ten benchmarks on 12s each, at most 15m)")
	f.StringVar(&shard, "shard", "", "measure the `I/N`-th part of the benchmarks, by what they cost where that is stored; others measure the rest")
	f.BoolVar(&explain, "explain", false, "after the verdicts, and beyond the budget, show which functions make the difference of what regressed")
	f.BoolVar(&opt.All, "all", false, "measure also the benchmarks that reach no changed code, and show every row")
	f.BoolVar(&reach, "reach", false, "build, but measure nothing: say of each benchmark whether it would be measured, and by which calls it reaches what changed")
	f.BoolVar(&opt.NewTrial, "new-trial", false, "leave the trial of earlier checks of these commits, which stays stored, and begin another with a small part of the error rate")
	why.addFlags(cmd)
	view.addFlags(cmd, true)
	f.StringVar(&opt.IfNeeded, "if-needed", "", "measure nothing where no changed file is in paths of perftrack.toml, that of the base and that of this `revision`, the tip of its branch")
	f.BoolVar(&strict, "strict", false, "exit 3 if a benchmark is inconclusive, suspect, failed or missing, or its mean not within mean_within")
	out.addFlagForCI(cmd)
	return cmd
}

// printReach lists which benchmarks would be measured and why.
func printReach(ctx context.Context, a *workspace.Session, t *terminal, out *output, opt check.Options) error {
	all, err := check.Reaches(ctx, a, opt)
	t.clearStatus()
	if err != nil {
		return err
	}
	l := newListing("reach", "target", "package", "benchmark", "measured", "reaches")
	l.extra("target", "package")
	l.wraps("reaches")
	for _, r := range all {
		measured := "no"
		if r.Measured {
			measured = "yes"
		}
		l.add(r.Target, r.Package, r.Name, measured, strings.Join(r.Path, " -> "))
	}
	return out.print(t, l.report())
}

// askedOf is what a comparison says of the benchmarks that a check was of. What earlier checks of the
// same trial measured besides is counted in a line.
func askedOf(c *compare.Comparison, bench string) *compare.Comparison {
	asked := (&viewFlags{bench: bench}).pattern(slices.Concat(c.Base.Runs, c.Head.Runs)...)
	if asked == nil {
		return c
	}
	of, rest := c.Narrow(asked)
	if len(rest.Tables) > 0 {
		of.Caveats = append(of.Caveats, compare.Caveat{
			Code: compare.CodeRest, Text: "besides, earlier checks of this trial measured " + comparisonreport.Counted(rest), Detail: "perftrack compare --all",
		})
	}
	return of
}

func checkCheck(cmd *cobra.Command, opt check.Options) error {
	return errors.Join(checkBudget(opt.Budget), refuseEmpty(cmd, "base", "head", "shard"))
}

func checkExplained(explain bool, format string, why whyOptions) error {
	if !explain && why != (whyOptions{}) {
		return errors.New("--explain-budget and --explain-file are for --explain")
	}
	if why.budget < 0 {
		return fmt.Errorf("--explain-budget %v is negative", why.budget)
	}
	if explain && format == "csv" {
		return errors.New("--explain is not part of the csv: use another --format, or perftrack explain --format csv")
	}
	return nil
}

// A checked is the result of a check, what of it is to be seen, and what the gate says of it.
type checked struct {
	check.Result
	view    viewFlags
	gate    compare.Gate
	verdict error
	flags   []string // that a check which goes on with it has, too
	bench   string   // the expression that selected benchmarks, "" if none did
}

// repeated are the flags of a check, but for its revisions, its budget and what is selected, that
// one which goes on with it has to have: with others it would measure or judge in another way.
func repeated(cmd *cobra.Command) (flags []string) {
	for _, name := range []string{"db", "all", "benchtime", "pairs", "cpus", "timeout", "threshold", "alpha"} {
		f := cmd.Flag(name)
		if f == nil || !f.Changed {
			continue
		}
		value := f.Value.String()
		if share, ok := f.Value.(*fraction); ok {
			value = fmt.Sprint(*share.to)
		}
		if f.Value.Type() == "bool" {
			flags = append(flags, "--"+name)
		} else if word, ok := reports.ShellWord(value); ok {
			flags = append(flags, "--"+name+" "+word)
		}
	}
	return flags
}

func printCheck(ctx context.Context, a *workspace.Session, t *terminal, out *output, res checked, wanted bool, why whyOptions) error {
	for _, r := range res.Runs {
		t.notice(fmt.Sprintf("stored run %s: %s, %s%s", record.ShortHash(r.ID), r.Target, r.Status, sideText(r.Run)))
	}
	if res.InProcesses > 0 {
		t.notice(fmt.Sprintf("took %v, %.0f %% of it in benchmark processes", res.Took.Round(time.Second), 100*res.InProcesses.Seconds()/res.Took.Seconds()))
	}
	view := res.view.view(ctx, a, res.Comparison)
	view.Flags, view.Gate = res.flags, &res.gate
	view.Asked = (&viewFlags{bench: res.bench}).pattern(slices.Concat(res.Comparison.Base.Runs, res.Comparison.Head.Runs)...)
	r := failing(view.Report(res.Comparison), res.verdict)
	if !wanted {
		return out.print(t, r)
	}
	return out.printExplained(t, always(r), func() []*explanation.Explanation {
		opt, write := why.options()
		all, err := explain.Regressed(ctx, a, res.Comparison, opt)
		if writeErr := write(); writeErr != nil {
			t.notice(writeErr.Error())
		}
		if err != nil { // an interruption: the verdicts stand
			t.notice("the explanation was interrupted; again: perftrack explain BASE HEAD --bench NAME" + besidesCancel(err))
		}
		return all
	})
}
