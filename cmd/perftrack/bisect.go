package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/bisect"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/bisect/bisectreport"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/explain"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/runner/record"
)

// stepMark is set in the environment of a process that judges a single commit for git bisect.
const stepMark = "PERFTRACK_BISECT_STEP=1"

func newBisectCommand(g *globals) *cobra.Command {
	var opt bisect.Options
	cmd := &cobra.Command{
		Use:     "bisect-helper --bench NAME",
		Aliases: []string{"bisect"},
		Short:   "Find the commit that changed a benchmark",
		Long: `Find the commit that changed a benchmark.

For git bisect run, bisect-helper judges one commit; auto drives a whole search.

Exit status: 0 good; 1 bad; 125 skip: does not build, lacks the benchmark, or is undecided
after 40 pairs; 128 any other failure, which stops the bisection.`,
		Example: `  git bisect start HEAD v1.4.0
  git bisect run perftrack bisect-helper --bench MatMul_512x512
  perftrack bisect-helper auto v1.4.0..HEAD --bench MatMul_512x512`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && strings.Contains(args[0], "..") {
				return fmt.Errorf("to search a range, run perftrack bisect-helper auto %s", args[0])
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
			g.term.ClearStatus()
			if err != nil {
				return err
			}
			code, text := bisectreport.Step(answer)
			_, err = fmt.Fprintln(g.term.Stdout, reports.Message(text))
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
	return console.GateError{Code: code}
}

// stepExit returns the exit code for git bisect run if args run bisect-helper, and code unchanged
// otherwise. Any unexpected failure, even an unknown flag, must stop the bisection, because git
// would take exit code 2 for a bad commit.
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

func addBisectFlags(cmd *cobra.Command, opt *bisect.Options) {
	f := cmd.Flags()
	f.StringVar(&opt.Target, "target", "", "the `target`, if there are several")
	f.StringVar(&opt.Package, "package", "", "the import `path`, if several packages have the benchmark")
	f.StringVar(&opt.Unit, "unit", "", "the `unit` to search by, as the benchmark prints it, such as allocs/op (default ns/op)")
}

func checkBisect(cmd *cobra.Command, g *globals, needsBench bool) error {
	if g.flags.Bench == "" && (needsBench || cmd.Flags().Changed("bench")) {
		return errors.New("--bench is missing: name the benchmark")
	}
	return nil
}

func newBisectAuto(g *globals) *cobra.Command {
	var opt bisect.Options
	var out console.Output
	cmd := &cobra.Command{
		Use:   "auto [GOOD..BAD]",
		Short: "Search the commits between GOOD and BAD",
		Long: `Find the commit between GOOD and BAD that changed a benchmark, for better or worse.

The search follows first parents. Each commit has a probability of being the culprit, and
the search next measures the commit that tells the most for its cost. At 97 % it measures
the culprit against its parent and profiles both.

Without arguments auto continues the last search, also after Ctrl-C. status shows the
probabilities, log the steps; undo undoes the last step, reset forgets everything.
` + exitStatus,
		Example: `  perftrack bisect-helper auto v1.4.0..HEAD --bench MatMul_512x512
  perftrack bisect-helper auto --into-merges      continue, inside the merge
  perftrack bisect-helper auto main~50..main --bench Sort/n=9 --unit allocs/op`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.Check(g.term), checkBisect(cmd, g, false), checkWorkers(cmd))
			if err != nil {
				return err
			}
			opt.Flags = g.flags
			res, err := bisect.Auto(cmd.Context(), a, strings.Join(args, ""), opt)
			g.term.ClearStatus()
			if res != nil && len(res.Suspects) > 0 {
				err = printBisect(cmd.Context(), a, g.term, &out, res, err)
			}
			if errors.Is(err, context.Canceled) {
				g.term.Notice("to continue: perftrack bisect-helper auto")
			}
			return err
		},
	}
	addBisectFlags(cmd, &opt)
	cmd.Flags().BoolVar(&opt.IntoMerges, "into-merges", false, "if the culprit is a merge, search the merged commits")
	addWorkersFlags(cmd, &opt.Workers)
	out.AddFlag(cmd)
	return cmd
}

// printBisect prints the state of a search and, once the culprit is found, the functions it
// changed. It returns err, the error of the search, joined with its own errors.
func printBisect(ctx context.Context, a *workspace.Session, t *console.Console, out *console.Output, res *bisect.Result, err error) error {
	of := func(format string) reports.Report { return bisectreport.Of(res, format) }
	if err != nil || !res.Found || out.Format == "csv" {
		return errors.Join(out.PrintEach(t, of), err)
	}
	if res.Workers != "" { // this machine may differ from the workers, and be busy
		t.Notice(fmt.Sprintf("for the functions that cause the change, on a machine like the workers: perftrack explain %s %s --bench '%s'",
			record.ShortHash(res.Suspects[0].Before.SHA), record.ShortHash(res.Suspects[0].SHA), res.Subject))
		return out.PrintEach(t, of)
	}
	var explainErr error
	err = out.PrintExplained(t, of, func() []*explanation.Explanation {
		e, err := explain.Culprit(ctx, a)
		if explainErr = err; e == nil {
			return nil
		}
		return []*explanation.Explanation{e}
	})
	return errors.Join(err, explainErr)
}

func newBisectStatus(g *globals) *cobra.Command {
	var out console.Output
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Show the state of the search",
		Long:    "Show the suspected commits and their probabilities.\n" + exitStatus,
		Example: "  perftrack bisect-helper status",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.Check(g.term))
			if err != nil {
				return err
			}
			res, err := bisect.Status(cmd.Context(), a)
			if err != nil {
				return err
			}
			return out.PrintEach(g.term, func(format string) reports.Report { return bisectreport.Of(res, format) })
		},
	}
	out.AddFlag(cmd)
	return cmd
}

func newBisectLog(g *globals) *cobra.Command {
	var out console.Output
	cmd := &cobra.Command{
		Use:     "log",
		Short:   "Show the steps of the search",
		Long:    "Show every step of the search: commits chosen, measured, skipped and undone.\n" + exitStatus,
		Example: "  perftrack bisect-helper log --format csv",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, out.Check(g.term))
			if err != nil {
				return err
			}
			events, err := bisect.Events(cmd.Context(), a)
			if err != nil {
				return err
			}
			return out.Print(g.term, bisectreport.Log(events))
		},
	}
	out.AddFlag(cmd)
	return cmd
}

func newBisectUndo(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "undo",
		Short: "Undo the last step of the search",
		Long: `Undo the last step of the search. The samples stay in the database.
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
				g.term.Notice(fmt.Sprintf("undone: %s %s", e.Event, record.ShortHash(e.Commit+e.Head)))
			}
			return err
		},
	}
}

func newBisectReset(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "reset",
		Short: "Forget all bisections of this repository",
		Long: `Forget all bisections of this repository, including those of git bisect run, and remove
their binaries. The samples stay in the database.
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
