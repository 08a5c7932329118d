package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/bisect"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/explain"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/runner/record"
)

// stepMark is in the environment of the process that does the work of a step.
const stepMark = "PERFTRACK_BISECT_STEP=1"

func newBisectCommand(g *globals) *cobra.Command {
	var opt bisect.Options
	cmd := &cobra.Command{
		Use:     "bisect-helper --bench NAME",
		Aliases: []string{"bisect"},
		Short:   "Find the commit that changed a benchmark",
		Long: `Find the commit that changed a benchmark.

perftrack bisect-helper auto drives the whole search itself, and says how sure it is.
Without auto it judges one commit for git bisect run, which is less sure:

  git bisect start BAD GOOD
  git bisect run perftrack bisect-helper --bench NAME

The first step measures the two ends against each other and stops the bisection
unless they differ. Each step builds the commit in a throw-away checkout and
measures it side by side with the good one until it is clearly like the one end or
the other. Your work tree plays no part: git bisect start --no-checkout works, too.
Target and thresholds are those of the bad end's perftrack.toml.
What was measured is kept, so that a step that is repeated costs nothing.

Exit status: 0 good; 1 bad; 125 skip: does not build, has no such benchmark, or
undecided after 40 pairs; 128 whatever else, which stops the bisection.
`,
		Example: `  git bisect start HEAD v1.4.0
  git bisect run perftrack bisect-helper --bench MatMul_512x512
  perftrack bisect-helper auto v1.4.0..HEAD --bench MatMul_512x512`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && strings.Contains(args[0], "..") {
				return fmt.Errorf("a range is searched by auto: perftrack bisect-helper auto %s", args[0])
			}
			return cobra.NoArgs(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if os.Getenv("PERFTRACK_BISECT_STEP") == "" {
				self, err := os.Executable()
				if err != nil {
					return err
				}
				return asGate(bisect.RunGuarded(cmd.Context(), append([]string{self}, os.Args[1:]...), stepMark))
			}
			a, err := g.start(cmd, checkBisect(cmd, g, true))
			if err != nil {
				return err
			}
			opt.Flags = g.flags
			answer, err := bisect.Step(cmd.Context(), a, opt)
			g.term.clearStatus()
			if err != nil {
				return err
			}
			code, text := describeStep(answer)
			_, err = fmt.Fprintln(g.term.stdout, reports.Message(text))
			return errors.Join(err, asGate(code))
		},
	}
	addBisectFlags(cmd, &opt)
	cmd.AddCommand(newBisectAuto(g), newBisectStatus(g), newBisectLog(g), newBisectUndo(g), newBisectReset(g))
	return cmd
}

func asGate(code int) error {
	if code == 0 {
		return nil
	}
	return gateError{code}
}

// stepExit turns the exit code of a command line into one that git bisect run
// understands, if that command is a step of it: not even a flag that does not exist
// may look like a bad commit.
func stepExit(root *cobra.Command, args []string, code int) int {
	cmd, _, _ := root.Find(args)
	if cmd == nil || cmd.Name() != "bisect-helper" {
		return code
	}
	switch code {
	case bisect.ExitGood, bisect.ExitBad, bisect.ExitSkipped:
		return code
	}
	return bisect.ExitStop
}

func describeStep(a bisect.Answer) (code int, text string) {
	word := "good"
	switch {
	case a.Skip:
		code, word = bisect.ExitSkipped, "skipped"
	case a.Bad:
		code, word = bisect.ExitBad, "bad"
	}
	text = fmt.Sprintf("%s is %s", record.ShortHash(a.Commit.SHA), word)
	if !a.Skip && a.Pairs > 0 {
		text += fmt.Sprintf(" (%s; bad with probability %s)", reports.Plural(a.Pairs, "pair"), percent(a.P))
	}
	if a.Reason != "" {
		text += ": " + bisect.SkipReason(a.Reason)
	}
	return code, text
}

func addBisectFlags(cmd *cobra.Command, opt *bisect.Options) {
	f := cmd.Flags()
	f.StringVar(&opt.Target, "target", "", "the `target`, where there are several")
	f.StringVar(&opt.Package, "package", "", "the import `path`, where several packages have the benchmark")
	f.StringVar(&opt.Unit, "unit", "", "what is measured, as the benchmark prints it: allocs/op, B/op, ... (default ns/op)")
}

func checkBisect(cmd *cobra.Command, g *globals, needsBench bool) error {
	if g.flags.Bench == "" && (needsBench || cmd.Flags().Changed("bench")) {
		return errors.New("which benchmark? name it with --bench")
	}
	return nil
}

func newBisectAuto(g *globals) *cobra.Command {
	var opt bisect.Options
	var out output
	cmd := &cobra.Command{
		Use:   "auto [GOOD..BAD]",
		Short: "Search the commits between GOOD and BAD",
		Long: `Find the commit between GOOD and BAD that changed a benchmark.

The search is along first parents. The change need not be a regression: improvements are
found as well, and with --unit allocs/op or B/op the commit that changed a count.

Each commit has a probability of being the culprit; the next one to be measured is
the one that teaches most for its cost. The search ends when one commit has 97 %,
which is then confirmed against its parent. Commits that touch what the benchmark is
built from are likelier at first; a commit whose program is the same as another's is
not measured. In the end the culprit and the commit before it are profiled, and the
functions that make the difference are shown, as perftrack explain shows them.

After Ctrl-C, the same command, or auto without arguments, continues the search.
status shows what is known, log what was done; undo takes the last step back, reset
forgets all. Ends that could not be told apart are measured again with another
--benchtime, --unit or --cpus.
` + exitStatus,
		Example: `  perftrack bisect-helper auto v1.4.0..HEAD --bench MatMul_512x512
  perftrack bisect-helper auto --into-merges      go on, and into the merge
  perftrack bisect-helper auto main~50..main --bench Sort/n=9 --unit allocs/op`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term), checkBisect(cmd, g, false))
			if err != nil {
				return err
			}
			opt.Flags = g.flags
			res, err := bisect.Auto(cmd.Context(), a, strings.Join(args, ""), opt)
			g.term.clearStatus()
			if res != nil && len(res.Suspects) > 0 {
				err = printBisect(cmd.Context(), a, g.term, &out, res, err)
			}
			if errors.Is(err, context.Canceled) {
				g.term.notice("go on with: perftrack bisect-helper auto")
			}
			return err
		},
	}
	addBisectFlags(cmd, &opt)
	cmd.Flags().BoolVar(&opt.IntoMerges, "into-merges", false, "if the culprit is a merge, search what it merged")
	out.addFlag(cmd)
	return cmd
}

// printBisect prints what a search found, and, if it is over, what its culprit changed.
// The error is that of the search.
func printBisect(ctx context.Context, a *workspace.Session, t *terminal, out *output, res *bisect.Result, err error) error {
	of := func(format string) reports.Report { return bisectReport(res, format) }
	if err != nil || !res.Found || out.format == "csv" {
		return errors.Join(out.printEach(t, of), err)
	}
	var explainErr error
	err = out.printExplained(t, of, func() []*explanation.Explanation {
		e, err := explain.Culprit(ctx, a)
		if explainErr = err; e == nil {
			return nil
		}
		return []*explanation.Explanation{e}
	})
	return errors.Join(err, explainErr)
}

func newBisectStatus(g *globals) *cobra.Command {
	var out output
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Show what the search knows",
		Long:    "Show which commits may be the culprit, and how likely each is.\n" + exitStatus,
		Example: "  perftrack bisect-helper status",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.check(g.term))
			if err != nil {
				return err
			}
			res, err := bisect.Status(cmd.Context(), a)
			if err != nil {
				return err
			}
			return out.printEach(g.term, func(format string) reports.Report { return bisectReport(res, format) })
		},
	}
	out.addFlag(cmd)
	return cmd
}

func newBisectLog(g *globals) *cobra.Command {
	var out output
	cmd := &cobra.Command{
		Use:     "log",
		Short:   "Show what the search did",
		Long:    "Show every step of the search: what was chosen, measured, skipped and taken back.\n" + exitStatus,
		Example: "  perftrack bisect-helper log --format csv",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.check(g.term))
			if err != nil {
				return err
			}
			events, err := bisect.Events(cmd.Context(), a)
			if err != nil {
				return err
			}
			t := newListing("bisection log", "time", "event", "commit", "against", "#round", "#against value", "#value", "#p", "reason")
			t.extra("p", "round", "reason", "time")
			t.wraps("reason")
			unit := ""
			for _, e := range events {
				if e.Subject != nil {
					unit = e.Subject.Unit
				}
				commit, against := e.Commit, e.Base
				if commit == "" {
					commit = e.Head
				}
				if e.Bad != "" {
					commit, against = e.Bad, e.Good
				}
				row := []any{brief{e.Time.Format("01-02 15:04:05"), e.Time.Format("2006-01-02T15:04:05Z")}, e.Event, brief{record.ShortHash(commit), commit}, brief{record.ShortHash(against), against}, "", "", "", "", e.Reason}
				if e.Values != nil {
					row[4], row[5], row[6] = e.Round, valueCell(e.Values[0], unit), valueCell(e.Values[1], unit)
				}
				if e.P > 0 {
					row[7] = brief{fmt.Sprintf("%.4f", e.P), e.P}
				}
				t.add(row...)
			}
			return out.print(g.term, t.report())
		},
	}
	out.addFlag(cmd)
	return cmd
}

// valueCell is a value that was measured, for people with its unit.
func valueCell(x float64, unit string) brief {
	return brief{reports.Measured(unit, x), x}
}

func newBisectUndo(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "undo",
		Short: "Take the last step of the search back",
		Long: `Take back the last step of the search: what was measured of the commit that was
chosen last no longer counts. The samples stay in the database.
` + exitStatus,
		Example: "  perftrack bisect-helper undo",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd)
			if err != nil {
				return err
			}
			e, err := bisect.Undo(cmd.Context(), a)
			if err == nil {
				g.term.notice(fmt.Sprintf("took back: %s %s", e.Event, record.ShortHash(e.Commit+e.Head)))
			}
			return err
		},
	}
}

func newBisectReset(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "reset",
		Short: "Forget all bisections of this repository",
		Long: `Forget all bisections of this repository, those of git bisect run too, and remove
the binaries that were kept for them. The samples stay in the database.
` + exitStatus,
		Example: "  perftrack bisect-helper reset",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd)
			if err != nil {
				return err
			}
			return bisect.Reset(cmd.Context(), a)
		},
	}
}
