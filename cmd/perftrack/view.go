package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	historyreport "github.com/perftrack/perftrack/reports/history"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A viewFlags is what of a comparison a person asked to see, and in which order. It changes no
// verdict and no exit status: the family of hypotheses stays what was measured.
type viewFlags struct {
	all, changed      bool
	bench, unit, sort string
	orders            []string // that --sort knows
}

// addFlags declares the flags; a command that measures has --bench and --all already.
func (v *viewFlags) addFlags(cmd *cobra.Command, measures bool) {
	v.orders = comparison.Orders
	f := cmd.Flags()
	f.BoolVar(&v.changed, "changed", false, "show only what changed or is undecided; the verdict still counts all")
	f.StringVar(&v.unit, "unit", "", "show only this `unit`: ns/op, or sec/op as it is shown; the verdict still counts all")
	f.StringVar(&v.sort, "sort", "", "order the rows by `key`: change, name or p (default by verdict)")
	if measures {
		return
	}
	f.StringVar(&v.bench, "bench", "", "show only benchmarks whose name matches this `regexp`; the verdict still counts all")
	f.BoolVar(&v.all, "all", false, "show every row, also those that did not change")
}

// addFlagsForAll declares those of an overview of all benchmarks.
func (v *viewFlags) addFlagsForAll(cmd *cobra.Command) {
	v.orders = historyreport.Orders
	f := cmd.Flags()
	f.BoolVar(&v.changed, "changed", false, "show only what regressed, improved or was accepted; the summary still counts all")
	f.StringVar(&v.bench, "bench", "", "show only benchmarks whose name matches this `regexp`; the summary still counts all")
	f.StringVar(&v.unit, "unit", "", "how they stand by this `unit` alone: ns/op, or sec/op as it is shown")
	f.StringVar(&v.sort, "sort", "", "order the rows by `key`: change, name or noise (default by state)")
}

// overview returns what they ask for of an overview.
func (v *viewFlags) overview() historyreport.View {
	return historyreport.View{Changed: v.changed, Bench: v.pattern(), Sort: v.sort}
}

// pattern is that of --bench, nil without one; see check. Names may also be meant with the -N
// that they are shown with in these runs.
func (v *viewFlags) pattern(runs ...*record.Run) func(name string) bool {
	p, err := naming.ParsePattern(v.bench)
	if v.bench == "" || err != nil {
		return nil
	}
	return func(name string) bool {
		id := record.BenchmarkID{Kind: record.Bench, Name: name}
		return p.Matches(name) || slices.ContainsFunc(runs, func(r *record.Run) bool { return p.Matches(id.FullName(r.Env)) })
	}
}

// checkShown refuses what no report can show.
func (v *viewFlags) checkShown() error {
	_, err := naming.ParsePattern(v.bench)
	switch {
	case err != nil:
		return fmt.Errorf("--bench %q is no regular expression: %w", v.bench, err)
	case v.sort != "" && !slices.Contains(v.orders, v.sort):
		return fmt.Errorf("--sort %q is none of %s", v.sort, strings.Join(v.orders, ", "))
	}
	return nil
}

// missed is the error of --bench where it accepts none of the names; nil if it accepts one. Nothing
// shown would look as if nothing had changed.
func (v *viewFlags) missed(names []string, accepts func(string) bool) error {
	if accepts == nil || slices.ContainsFunc(names, accepts) {
		return nil
	}
	p, err := naming.ParsePattern(v.bench)
	if err != nil {
		return err // see checkShown
	}
	var functions []string
	for _, name := range names {
		function, _, _ := strings.Cut(name, "/")
		functions = append(functions, record.WithoutProcs(function))
	}
	return fault.Usagef("--bench %q: none of %s has such a name%s", v.bench, reports.Plural(len(names), "benchmark"), p.Nearest(functions))
}

// missedBy is missed of the benchmarks of comparisons.
func (v *viewFlags) missedBy(all ...*compare.Comparison) error {
	var names []string
	var runs []*record.Run
	for _, c := range all {
		for r := range c.Rows() {
			if !slices.Contains(names, r.Name) {
				names = append(names, r.Name)
			}
		}
		runs = slices.Concat(runs, c.Base.Runs, c.Head.Runs)
	}
	if len(names) == 0 {
		return nil // which is said
	}
	return v.missed(names, v.pattern(runs...))
}

// check also refuses what a comparison for programs has anyway.
func (v *viewFlags) check(format string) error {
	switch err := v.checkShown(); {
	case err != nil:
		return err
	case (format == "json" || format == "csv") && (v.changed || v.bench != "" || v.unit != "" || v.sort != ""):
		return errors.New("--changed, --bench, --unit and --sort are for people: json and csv have all rows, in one order")
	}
	return nil
}

// view returns what they ask for, of comparisons whose commits this repository may know.
func (v *viewFlags) view(ctx context.Context, a *workspace.Session, all ...*compare.Comparison) comparison.View {
	c := all[0]
	var runs []*record.Run
	for _, one := range all {
		runs = slices.Concat(runs, one.Base.Runs, one.Head.Runs)
	}
	out := comparison.View{All: v.all, Changed: v.changed, Bench: v.pattern(runs...), Unit: v.unit, Sort: v.sort}
	if where, err := a.Locate(ctx); err == nil { // what is not configured is a Go module
		for _, t := range where.Config.Targets {
			out.Targets = append(out.Targets, t.Name)
			if t.Kind != config.GoTest {
				out.Opaque = append(out.Opaque, t.Name)
			}
		}
	}
	known := commitsKnown(ctx, a, runs)
	out.Commit = func(sha string) (comparison.Commit, bool) {
		about, ok := known[sha]
		return comparison.Commit{Author: about.author, Subject: about.subject}, ok
	}
	if where, _ := a.LocateUnconfigured(ctx); where.Repo != nil && len(c.Base.Runs) > 0 && len(c.Head.Runs) > 0 {
		base, head := c.Base.Runs[0].Commit.SHA, c.Head.Runs[0].Commit.SHA
		if _, ok := known[base]; ok && known[head] != (commitWords{}) {
			if between, err := where.Repo.Between(ctx, base, head); err == nil { // else nobody is told how many there are
				out.Between = len(between)
			}
		}
	}
	return out
}

// A commitWords is what people know a commit by.
type commitWords struct{ author, subject string }

// commitsKnown are the commits of runs that the repository here has. Of others, and where there
// is none, only the hash is known.
func commitsKnown(ctx context.Context, a *workspace.Session, runs []*record.Run) map[string]commitWords {
	known := map[string]commitWords{}
	where, _ := a.LocateUnconfigured(ctx)
	if where.Repo == nil {
		return known
	}
	var shas []string
	for _, r := range runs {
		if r.Commit.SHA != "" && !slices.Contains(shas, r.Commit.SHA) {
			shas = append(shas, r.Commit.SHA)
		}
	}
	commits, err := where.Repo.Commits(ctx, shas)
	if err != nil {
		return known // the report stands without
	}
	for sha, c := range commits {
		known[sha] = commitWords{c.Author, c.Subject}
	}
	return known
}
