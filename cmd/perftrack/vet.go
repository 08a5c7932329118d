package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	vetted "github.com/perftrack/perftrack/reports/vet"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/vet"
	"github.com/perftrack/perftrack/runner/vet/source"
)

func newVetCommand(g *globals) *cobra.Command {
	var out output
	var opt vet.Options
	cmd := &cobra.Command{
		Use:   "vet [PACKAGE...]",
		Short: "Say which Go benchmarks do not measure what they seem to",
		Long: `Look for faults of the benchmarks themselves, which no number of samples mends: a
result that nobody reads, so that the compiler leaves the work out; preparation that
is measured; a loop that ends early; input that the first operation changes.

The source is read with its types, then each benchmark runs for a moment, about a
third of a second. Of what source alone cannot tell, only what the run confirms is
shown. A finding is certain; likely, where it takes a good reason to be right; or
possible, which is worth a look. perftrack help vet lists the rules.

Without a PACKAGE it looks at the packages of perftrack.toml's Go targets, else at
the whole module. Nothing is stored.

Exit status: 0 nothing certain or likely; 1 a finding that is; 2 anything that went
wrong, also a package that could not be looked at whole; 130 interrupted.`,
		Example: `  perftrack vet
  perftrack vet ./parser --bench Parse
  perftrack vet --no-run ./...          read the source alone`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term))
			if err != nil {
				return err
			}
			opt.Now = a.Now
			opt.Dir, opt.Patterns, err = vetPlace(cmd.Context(), a, args)
			if err != nil {
				return err
			}
			opt.Progress = func(done, all int, pkg string) {
				vetProgress(g.term, fmt.Sprintf("running the benchmarks of %s for a moment, package %d of %d", pkg, done+1, all))
			}
			res, err := vet.Check(cmd.Context(), opt)
			g.term.clearStatus()
			if errors.Is(err, vet.ErrNone) {
				return fault.Usagef("there is no Go benchmark to look at here: name packages that have some, as in perftrack vet ./...")
			}
			if err != nil {
				return fault.Build(err)
			}
			if err := out.print(g.term, vetReport(res)); err != nil {
				return err
			}
			return vetStatus(res)
		},
	}
	cmd.Flags().StringVar(&opt.Bench, "bench", "", "only benchmark functions that match this `regexp`, as -bench of go test")
	cmd.Flags().BoolVar(&opt.NoRun, "no-run", false, "read the source alone")
	out.addFlag(cmd)
	return cmd
}

// vetProgress says what runs: in the status line, or where there is none in a line of its own.
func vetProgress(t *terminal, line string) {
	if !t.quiet && t.drawsStatus() {
		t.drawStatus(line)
		return
	}
	t.milestone(line)
}

// vetPlace is where packages are meant, and which: those named, else those of the Go targets.
func vetPlace(ctx context.Context, a *workspace.Session, named []string) (dir string, patterns []string, err error) {
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

func vetReport(res vet.Result) reports.Report {
	v := vetted.Vet{Packages: res.Packages, Looked: res.Looked, Ran: res.Ran, Unrun: res.Unrun}
	for _, f := range res.Findings {
		v.Findings = append(v.Findings, vetted.Finding{
			Rule: string(f.Rule), Package: f.Package, Benchmark: f.Benchmark, File: f.File, Line: f.Line,
			Found: f.Found, Remedy: f.Remedy, Sure: f.Sure.String(),
		})
	}
	for _, m := range res.Missed {
		v.Missed = append(v.Missed, vetted.Miss{Package: m.Package, Why: m.Err.Error()})
	}
	return v.Report()
}

// vetStatus turns what was found into an exit code.
func vetStatus(res vet.Result) error {
	if len(res.Missed) > 0 {
		return fault.Build(fmt.Errorf("%s not looked at whole: %s: %w", reports.Plural(len(res.Missed), "package"), res.Missed[0].Package, res.Missed[0].Err))
	}
	for _, f := range res.Findings {
		if f.Sure >= source.Likely {
			return gateError{exitRegression}
		}
	}
	return nil
}
