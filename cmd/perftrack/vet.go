package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

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
	var strict bool
	var budget time.Duration
	cmd := &cobra.Command{
		Use:   "vet [PACKAGE...]",
		Short: "Say which Go benchmarks do not measure what they seem to",
		Long: `Say which Go benchmarks do not measure what they seem to.

It looks for faults that no number of samples mends: a result that nobody reads, so that
the compiler leaves the work out; preparation that is measured; a loop that ends early;
input that the first operation changes.

The source is read with its types, then each benchmark runs for a moment, about a
third of a second, and some seconds where it looks wrong. Of what source alone cannot
tell, only what the run confirms is shown. A finding is certain; likely, where it takes
a good reason to be right; or possible, which is worth a look. perftrack help vet lists
the rules.

A benchmark that gives no result within 10 s is ended, and so is a benchmark function
after 30 s and a package after 3 min. What was not judged is named. Stopped by a signal, or at the end
of --budget, it shows what it found until then.

Without a PACKAGE it looks at the packages of perftrack.toml's Go targets, else at
the whole module. Nothing is stored.

Exit status: 0 nothing certain or likely; 1 a finding that is; 2 anything that went
wrong, also a benchmark that failed and a package that could not be looked at whole; 3
with --strict, a benchmark that was not judged; 130 interrupted.`,
		Example: `  perftrack vet
  perftrack vet ./parser --bench Parse
  perftrack vet --no-run ./...          read the source alone`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, out.check(g.term), checkBudget(budget))
			if err != nil {
				return err
			}
			opt.Now = a.Now
			opt.Dir, opt.Patterns, err = vetPlace(cmd.Context(), a, args)
			if err != nil {
				return err
			}
			opt.Progress = func(p vet.Progress) { g.term.vetting(p) }
			within := cmd.Context()
			if budget > 0 {
				limited, cancel := context.WithTimeout(within, budget)
				defer cancel()
				within = limited
			}
			res, err := vet.Check(within, opt)
			g.term.clearStatus()
			if err != nil && within.Err() != nil {
				if err := printStopped(g.term, &out, res, budget); err != nil || cmd.Context().Err() != nil {
					return errors.Join(err, cmd.Context().Err())
				}
				return vetStatus(res, strict)
			}
			if errors.Is(err, vet.ErrNone) && opt.Bench != "" {
				return fault.Usage(err)
			}
			if errors.Is(err, vet.ErrNone) {
				return fault.Usagef("there is no Go benchmark to look at here: name packages that have some, as in perftrack vet ./...")
			}
			if err != nil {
				return fault.Build(err)
			}
			if err := out.print(g.term, vetReport(res)); err != nil {
				return err
			}
			return vetStatus(res, strict)
		},
	}
	cmd.Flags().StringVar(&opt.Bench, "bench", "", "only benchmark functions that match this `regexp`, as -bench of go test")
	cmd.Flags().BoolVar(&opt.NoRun, "no-run", false, "read the source alone")
	cmd.Flags().DurationVar(&budget, "budget", 0, "longest time of all; 0 is no limit")
	cmd.Flags().BoolVar(&strict, "strict", false, "exit 3 if a benchmark was not judged")
	out.addFlag(cmd)
	return cmd
}

// vetting says what runs: in the status line, or where there is none in a line for each package
// and now and then in one for a benchmark function.
func (t *terminal) vetting(p vet.Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := "looking for packages with benchmarks"
	switch {
	case p.Package == "" && p.Packages > 0:
		line = fmt.Sprintf("reading the source of the benchmarks of %s, and compiling what it imports", reports.Plural(p.Packages, "package"))
	case p.Package != "":
		line = fmt.Sprintf("package %d of %d: running the benchmarks of %s for a moment", p.PackageNo, p.Packages, p.Package)
	}
	if p.Function != "" {
		line += fmt.Sprintf(", %d of %d: %s", p.FunctionNo, p.Functions, p.Function)
	}
	if p.Function == "" && (p.Package != "" || p.Packages == 0) && !t.quiet && !t.drawsStatus() {
		t.tell(line)
	}
	t.long = p.Package == "" // which is told where it takes long
	t.under(func(time.Time) string { return line })
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
		v.Missed = append(v.Missed, vetted.Miss{Package: m.Package, Benchmark: m.Benchmark, Why: m.Err.Error()})
	}
	for _, m := range res.Unjudged {
		v.Unjudged = append(v.Unjudged, vetted.Miss{Package: m.Package, Benchmark: m.Benchmark, Why: m.Err.Error()})
	}
	return v.Report()
}

// printStopped prints what was found until the context ended, which may be nothing.
func printStopped(t *terminal, out *output, res vet.Result, budget time.Duration) error {
	if res.Looked == 0 && budget > 0 {
		return fault.Usagef("the budget of %v ended while the source was read and compiled: nothing is known yet", budget)
	}
	if res.Looked == 0 {
		t.notice("stopped while the source was read and compiled: nothing is known yet")
		return nil
	}
	return out.print(t, vetReport(res))
}

// vetStatus turns what was found into an exit code.
func vetStatus(res vet.Result, strict bool) error {
	if len(res.Missed) > 0 {
		first := res.Missed[0]
		return fault.Build(fmt.Errorf("not looked at whole: %s: %w", strings.TrimSpace(first.Package+" "+first.Benchmark), first.Err))
	}
	for _, f := range res.Findings {
		if f.Sure >= source.Likely {
			return gateError{exitRegression}
		}
	}
	if strict && len(res.Unjudged) > 0 {
		return gateError{exitInconclusive}
	}
	return nil
}
