package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure/measureflags"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/vetting"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	report "github.com/perftrack/perftrack/reports/vet"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/vet"
)

func newVetCommand(g *globals) *cobra.Command {
	var out console.Output
	var opt vetting.Options
	var strict bool
	var budget time.Duration
	cmd := &cobra.Command{
		Use:   "vet [PACKAGE...]",
		Short: "Find mistakes in Go benchmarks",
		Long: `Find mistakes that make Go benchmarks measure the wrong thing.

vet looks for mistakes that more samples cannot fix: an unused result, measured preparation,
a loop that ends early, input that the first operation changes. It reads the source, then
runs each benchmark briefly. A finding is certain, likely or possible.

Without a PACKAGE, vet checks the Go targets in perftrack.toml, or else the whole module.

Exit status: 0 nothing certain or likely; 1 a certain or likely finding; 2 an error, a
failed benchmark or a package not fully read; 3 with --strict, a benchmark that was not
judged; 130 interrupted.`,
		Example: `  perftrack vet
  perftrack vet ./parser --bench Parse
  perftrack vet --no-run ./...          only read the source`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.Check(g.term), measureflags.CheckBudget(budget))
			if err != nil {
				return err
			}
			opt.Now = a.Now
			opt.Dir, opt.Patterns, err = vetPackages(cmd.Context(), a, args)
			if err != nil {
				return err
			}
			opt.Progress = func(p vetting.Progress) { showVetting(g.term, p) }
			within := cmd.Context()
			if budget > 0 {
				limited, cancel := context.WithTimeout(within, budget)
				defer cancel()
				within = limited
			}
			res, err := vetting.Check(within, opt)
			g.term.ClearStatus()
			if err != nil && within.Err() != nil {
				if err := printStopped(g.term, &out, res, budget); err != nil || cmd.Context().Err() != nil {
					return errors.Join(err, cmd.Context().Err())
				}
				return vetStatus(res, strict)
			}
			if errors.Is(err, vetting.ErrNone) && opt.Bench != "" {
				return fault.Usage(err)
			}
			if errors.Is(err, vetting.ErrNone) {
				return fault.Usagef("no Go benchmarks here: name packages that have some, as in perftrack vet ./...")
			}
			if err != nil {
				return fault.Build(err)
			}
			if err := out.Print(g.term, res.Report()); err != nil {
				return err
			}
			return vetStatus(res, strict)
		},
	}
	cmd.Flags().StringVar(&opt.Bench, "bench", "", helptext.BenchUsage)
	cmd.Flags().BoolVar(&opt.NoRun, "no-run", false, "only read the source, do not run benchmarks")
	cmd.Flags().DurationVar(&budget, "budget", 0, "time limit; 0 is none")
	cmd.Flags().BoolVar(&strict, "strict", false, "exit 3 if a benchmark was not judged")
	out.AddFlag(cmd)
	return cmd
}

// showVetting shows which package and function are running.
func showVetting(t *console.Console, p vetting.Progress) {
	line := "looking for packages with benchmarks"
	switch {
	case p.Package == "" && p.Packages > 0:
		line = fmt.Sprintf("reading the benchmarks in %s and compiling their imports", reports.Plural(p.Packages, "package"))
	case p.Package != "":
		line = fmt.Sprintf("package %d of %d: briefly running the benchmarks in %s", p.PackageNo, p.Packages, p.Package)
	}
	if p.Function != "" {
		line += fmt.Sprintf(", %d of %d: %s", p.FunctionNo, p.Functions, p.Function)
	}
	t.Activity(line, p.Function == "" && (p.Package != "" || p.Packages == 0), p.Package == "")
}

// vetPackages returns the named packages, or else those of the configured Go targets, with the base
// directory of the patterns.
func vetPackages(ctx context.Context, a *workspace.Session, named []string) (dir string, patterns []string, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return "", nil, err
	}
	if len(named) > 0 {
		return where.Dir, named, nil
	}
	for _, t := range where.Config.Targets {
		if t.Kind == config.GoTest {
			patterns = append(patterns, t.Packages...)
		}
	}
	slices.Sort(patterns)
	return where.ModuleDir(), slices.Compact(patterns), nil
}

// printStopped prints the findings of a vet that was interrupted or ran out of budget. If the
// source was not completely read and compiled by then, it reports this instead.
func printStopped(t *console.Console, out *console.Output, res report.Result, budget time.Duration) error {
	if res.Functions == 0 && budget > 0 {
		return fault.Usagef("the budget of %v ran out before the source was read and compiled", budget)
	}
	if res.Functions == 0 {
		t.Notice("stopped before the source was read and compiled")
		return nil
	}
	return out.Print(t, res.Report())
}

// vetStatus returns an error with the exit code for the findings, or nil if the exit code is 0.
func vetStatus(res report.Result, strict bool) error {
	if len(res.Missed) > 0 {
		first := res.Missed[0]
		return fault.Build(fmt.Errorf("not fully checked: %s: %w", strings.TrimSpace(first.Package+" "+first.Benchmark), first.Err))
	}
	for _, f := range res.Findings {
		if f.Sure >= vet.Likely {
			return console.GateError{Code: console.ExitRegression}
		}
	}
	if strict && len(res.Unjudged) > 0 {
		return console.GateError{Code: console.ExitInconclusive}
	}
	return nil
}
