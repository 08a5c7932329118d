package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/actions"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/check"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/explain"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/gating"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure/measureflags"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/viewing"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/record"
)

func newCheckCommand(g *globals) *cobra.Command {
	var opt check.Options
	var out console.Output
	var strict, explain, reach, ofRounds bool
	var shard string
	var why whyOptions
	var view viewing.Flags
	cmd := &cobra.Command{
		Use:   "check [BASE [HEAD]] [TARGET...]",
		Short: "Decide whether a change made anything slower",
		Long: `Measure two commits side by side and decide which benchmarks got slower.

Each benchmark is regressed, improved, unchanged, or inconclusive if the rounds or the
budget were not enough; the same command then continues. If a change has no
effect, the chance of any false regression is at most alpha, 1 %, over all benchmarks and
repetitions of the command.

The base is the merge base with the default branch; the head is your work tree, which is not
touched. Benchmarks that reach no changed code are measured only with --all.

Exit status: 0 nothing regressed; 1 something regressed; 2 an error, or too small a
budget; 3 inconclusive or lost coverage (only with --strict); 130 interrupted.`,
		Example: `  perftrack check                       this branch against its merge base
  perftrack check HEAD~1                did the last commit slow anything down?
  perftrack check v1.4.0 v1.5.0
  perftrack check --explain             and which functions did?
  perftrack check --budget 5m --strict  in CI: undecided fails, too`,
		RunE: func(cmd *cobra.Command, args []string) error {
			part, badPart := check.ParsePart(shard)
			a, err := g.start(cmd, out.Check(g.term), checkCheck(cmd, opt, ofRounds), badPart, checkExplained(explain, out.Format, why), view.Check(out.Format))
			if err != nil {
				return err
			}
			if opt.Part, view.All = part, opt.All; ofRounds {
				opt.Part, opt.RoundsPart = record.Part{}, part
			}
			opt.Flags = g.flags
			if err := opt.TakeArgs(cmd.Context(), a, args); err != nil {
				return err
			}
			if reach {
				return printReach(cmd.Context(), a, g.term, &out, opt)
			}
			opt.Spread.Flags = passed(cmd, "bench", "suite", "benchtime", "timeout", "procs", "pairs", "threshold", "all")
			opt.UsualBudget = !cmd.Flags().Changed("budget")
			res, err := check.Run(cmd.Context(), a, opt)
			g.term.ClearStatus()
			if len(res.Runs) == 0 {
				g.term.NoteNothing(cmd.Context())
			}
			if opt.RoundsPart.Of > 0 && len(res.Runs) > 0 {
				noticeRuns(g.term, res)
				g.term.Notice(fmt.Sprintf("part %s of the rounds is stored; perftrack compare %s decides, once the other parts are imported", shard, res.Trial))
				return err
			}
			if res.Spared {
				const why = "nothing was measured: no changed file matches paths in the base's perftrack.toml"
				g.term.Notice(why)
				return actions.Job().WriteSummary("### ✅ perftrack: " + why + "\n")
			}
			if opt.Flags.Bench != "" && res.Comparison != nil {
				res.Comparison = viewing.Asked(res.Comparison, opt.Flags.Bench)
			}
			var verdict error
			says := gates.Gate{Result: gates.NoResult} // for errors outside the comparison
			if res.Comparison != nil {
				if g := gates.Decide(res.Comparison, gates.Options{Strict: strict}); err == nil || g.Result != gates.Pass {
					says = g
				}
			}
			if err == nil {
				verdict = gating.Trial(res.Comparison, strict)
			}
			if verdict != nil && opt.Spread.Optional {
				g.term.Notice("this class is optional: its result blocks nothing")
				verdict = nil
			}
			if c := res.Comparison; c != nil && len(c.Tables)+len(c.Same)+len(c.Unreached)+len(c.Failures)+len(c.Starved) > 0 {
				// Print the results so far, even after an interruption.
				wanted := explain && err == nil && res.Comparison.Count(compare.Regressed) > 0
				err = errors.Join(printCheck(cmd.Context(), a, g.term, &out, checked{res, view, says, errors.Join(verdict, err), repeated(cmd), opt.Flags.Bench}, wanted, why), actions.Announce(g.term, res.Comparison, res.Accepted, strict, says), err)
			}
			if err != nil {
				return err
			}
			if res.Comparison.Unaccepted() == 0 && res.Comparison.Count(compare.Regressed) > 0 {
				g.term.Notice("all regressions are accepted: see perftrack ci accept --list")
			}
			return verdict
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Base, "base", "", "compare with this `revision` (default the merge base with the default branch)")
	f.StringVar(&opt.Head, "head", "", "check this `revision` (default the work tree)")
	f.DurationVar(&opt.Budget, "budget", 0, "time limit of the whole check; 0 is none (default 2m of measuring, from ten benchmarks on 12s each, at most 15m)")
	f.StringVar(&shard, "shard", "", "measure the `I/N`-th part of the benchmarks only, one part per machine")
	f.BoolVar(&ofRounds, "rounds-part", false, "with --shard, measure the I/N-th part of the rounds instead, of all benchmarks")
	f.BoolVar(&explain, "explain", false, "then profile each regression and show which functions cause it, beyond the budget")
	f.BoolVar(&opt.All, "all", false, "also measure benchmarks that reach no changed code, and show all rows")
	f.BoolVar(&reach, "reach", false, "only build, and list each benchmark with its calls to changed code")
	f.BoolVar(&opt.NewTrial, "new-trial", false, "begin another trial of these commits, with 1/40 of alpha; the earlier one stays stored")
	f.StringVar(&opt.Spread.Class, "workers", "", "let the workers of this `class` measure the rounds: see perftrack help scaling")
	addSpreadFlags(cmd, &opt.Spread)
	why.addFlags(cmd)
	view.Add(cmd, true)
	f.StringVar(&opt.IfNeeded, "if-needed", "", "skip the check unless a changed file matches paths in perftrack.toml at the base or at this `revision`, the branch's tip")
	f.BoolVar(&strict, "strict", false, "exit 3 if a benchmark is inconclusive, suspect, failed or missing, or if its mean is not within mean_within")
	out.AddFlagForCI(cmd)
	return cmd
}

// printReach lists the benchmarks, whether each would be measured, and its call path to the change.
func printReach(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, opt check.Options) error {
	all, err := check.Reaches(ctx, a, opt)
	t.ClearStatus()
	if err != nil {
		return err
	}
	l := listing.New("reach", "target", "package", "benchmark", "measured", "reaches")
	l.Extra("target", "package")
	l.Wraps("reaches")
	for _, r := range all {
		measured := "no"
		if r.Measured {
			measured = "yes"
		}
		l.Add(r.Target, r.Package, r.Name, measured, strings.Join(r.Path, " -> "))
	}
	return out.Print(t, l.Report())
}

func checkCheck(cmd *cobra.Command, opt check.Options, ofRounds bool) error {
	alone := error(nil)
	if ofRounds && !cmd.Flags().Changed("shard") {
		alone = errors.New("--rounds-part requires --shard I/N")
	}
	if opt.Spread.Class != "" && cmd.Flags().Changed("shard") {
		alone = errors.New("--shard and --workers exclude each other: workers share the rounds")
	}
	return errors.Join(measureflags.CheckBudget(opt.Budget), helptext.RefuseEmpty(cmd, "base", "head", "shard", "workers", "repo"), alone, checkSpread(cmd, opt.Spread))
}

func checkExplained(explain bool, format string, why whyOptions) error {
	if !explain && why != (whyOptions{}) {
		return errors.New("--explain-budget and --explain-file require --explain")
	}
	if why.budget < 0 {
		return fmt.Errorf("--explain-budget %v is negative", why.budget)
	}
	if explain && format == "csv" {
		return errors.New("--explain cannot be combined with --format csv: use another format, or perftrack explain --format csv")
	}
	return nil
}

// A checked is the result of a check, together with everything needed to print it.
type checked struct {
	check.Result
	view    viewing.Flags
	gate    gates.Gate
	verdict error
	flags   []string // flags to repeat in the next check of the trial
	bench   string   // the pattern of --bench, or ""
}

// repeated returns the flags to repeat in the next check of the trial. It omits revisions, the
// budget and selections of benchmarks.
func repeated(cmd *cobra.Command) (flags []string) {
	for _, f := range asked(cmd, "db", "all", "benchtime", "pairs", "cpus", "timeout", "threshold", "alpha", "workers", "repo") {
		if f.isBool {
			flags = append(flags, "--"+f.name)
		} else if word, ok := shell.Word(f.value); ok {
			flags = append(flags, "--"+f.name+" "+word)
		}
	}
	return flags
}

// passed returns those of the given flags that the user set, as arguments of another command.
func passed(cmd *cobra.Command, names ...string) (args []string) {
	for _, f := range asked(cmd, names...) {
		args = append(args, "--"+f.name+"="+f.value)
	}
	return args
}

// An askedFlag is a flag that the user set.
type askedFlag struct {
	name, value string
	isBool      bool
}

// asked returns those of the given flags that the command has and the user set.
func asked(cmd *cobra.Command, names ...string) (flags []askedFlag) {
	for _, name := range names {
		f := cmd.Flag(name)
		if f == nil || !f.Changed {
			continue
		}
		value := f.Value.String()
		if share, ok := f.Value.(*measureflags.Fraction); ok {
			value = fmt.Sprint(share.Value())
		}
		flags = append(flags, askedFlag{name, value, f.Value.Type() == "bool"})
	}
	return flags
}

func printCheck(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, res checked, wanted bool, why whyOptions) error {
	noticeRuns(t, res.Result)
	if res.InProcesses > 0 {
		t.Notice(fmt.Sprintf("took %v, of which %.0f %% in benchmark processes", res.Took.Round(time.Second), 100*res.InProcesses.Seconds()/res.Took.Seconds()))
	}
	view := res.view.View(ctx, a, res.Comparison)
	view.Flags, view.Gate = res.flags, &res.gate
	view.Asked = (&viewing.Flags{Bench: res.bench}).Pattern(slices.Concat(res.Comparison.Base.Runs, res.Comparison.Head.Runs)...)
	r := gating.Failing(view.Report(res.Comparison), res.verdict)
	if !wanted {
		return out.Print(t, r)
	}
	return out.PrintExplained(t, console.Always(r), func() []*explanation.Explanation {
		opt, write := explain.WithWhys(why.budget, why.file)
		all, err := explain.Regressed(ctx, a, res.Comparison, opt)
		if writeErr := write(); writeErr != nil {
			t.Notice(writeErr.Error())
		}
		if err != nil { // the explanation was interrupted, but the verdicts are still valid
			t.Notice("the explanation was interrupted; to try again: perftrack explain BASE HEAD --bench NAME" + console.BesidesCancel(err))
		}
		return all
	})
}

// noticeRuns names the stored runs.
func noticeRuns(t *console.Console, res check.Result) {
	for _, r := range res.Runs {
		t.Notice(fmt.Sprintf("stored run %s: %s, %s%s", record.ShortHash(r.ID), r.Target, r.Status, sideText(r.Run)))
	}
}

// whyOptions holds the time limit of --explain and the file with its result for the pull request
// comment.
type whyOptions struct {
	budget time.Duration
	file   string
}

func (o *whyOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.DurationVar(&o.budget, "explain-budget", 0, "time limit of --explain, on top of --budget; 0 is none")
	f.StringVar(&o.file, "explain-file", "", "with --explain, also write the functions to this `file`, for the comment on a pull request")
}
