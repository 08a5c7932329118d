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

// A viewFlags selects and orders the rows to show. It changes neither verdicts nor the exit status,
// which take all rows into account.
type viewFlags struct {
	all, changed      bool
	bench, unit, sort string
	orders            []string // values allowed for --sort
}

// addFlags declares the flags. If measures is set, the command already has its own --bench and
// --all.
func (v *viewFlags) addFlags(cmd *cobra.Command, measures bool) {
	v.orders = comparison.Orders
	f := cmd.Flags()
	f.BoolVar(&v.changed, "changed", false, "show only changed or undecided rows; the verdict still counts all")
	f.StringVar(&v.unit, "unit", "", "show only this `unit`: ns/op, or sec/op as shown; the verdict still counts all")
	f.StringVar(&v.sort, "sort", "", "order the rows by `key`: change, name or p (default by verdict)")
	if measures {
		return
	}
	f.StringVar(&v.bench, "bench", "", benchUsage+"; the verdict still counts all")
	f.BoolVar(&v.all, "all", false, "also show rows without a change")
}

// addFlagsForAll declares the flags for an overview of all benchmarks.
func (v *viewFlags) addFlagsForAll(cmd *cobra.Command) {
	v.orders = historyreport.Orders
	f := cmd.Flags()
	f.BoolVar(&v.changed, "changed", false, "show only regressed, improved or accepted benchmarks; the summary still counts all")
	f.StringVar(&v.bench, "bench", "", benchUsage+"; the summary still counts all")
	f.StringVar(&v.unit, "unit", "", "judge only this `unit`: ns/op, or sec/op as shown")
	f.StringVar(&v.sort, "sort", "", "order the rows by `key`: change, name or noise (default by state)")
}

// overview returns the view that the flags describe for an overview of all benchmarks.
func (v *viewFlags) overview() historyreport.View {
	return historyreport.View{Changed: v.changed, Bench: v.pattern(), Sort: v.sort}
}

// pattern returns the filter that --bench describes. It returns nil if the flag is not given or is
// invalid; checkShown reports an invalid one. The filter also matches the full names that
// benchmarks have in runs, with the -N suffix.
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

// checkShown returns an error for an invalid --bench or --sort.
func (v *viewFlags) checkShown() error {
	_, err := naming.ParsePattern(v.bench)
	switch {
	case err != nil:
		return fmt.Errorf("--bench %q is not a regular expression: %w", v.bench, err)
	case v.sort != "" && !slices.Contains(v.orders, v.sort):
		return fmt.Errorf("--sort %q is not one of %s", v.sort, strings.Join(v.orders, ", "))
	}
	return nil
}

// missed returns an error if --bench matches none of names, because an empty result would look as
// if nothing had changed.
func (v *viewFlags) missed(names []string, accepts func(string) bool) error {
	if accepts == nil || slices.ContainsFunc(names, accepts) {
		return nil
	}
	p, err := naming.ParsePattern(v.bench)
	if err != nil {
		return err // already reported by checkShown
	}
	var functions []string
	for _, name := range names {
		function, _, _ := strings.Cut(name, "/")
		functions = append(functions, record.WithoutProcs(function))
	}
	return fault.Usagef("--bench %q matches none of %s%s", v.bench, reports.Plural(len(names), "benchmark"), p.Nearest(functions))
}

// missedBy is like missed, for the benchmarks in the given comparisons.
func (v *viewFlags) missedBy(all ...*compare.Comparison) error {
	if v.bench == "" {
		return nil
	}
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
		return nil // the report has a message of its own
	}
	return v.missed(names, v.pattern(runs...))
}

// check is checkShown for a command with --format. It also rejects filters if the format always
// contains all rows.
func (v *viewFlags) check(format string) error {
	switch err := v.checkShown(); {
	case err != nil:
		return err
	case (format == "json" || format == "csv") && (v.changed || v.bench != "" || v.unit != "" || v.sort != ""):
		return errors.New("--changed, --bench, --unit and --sort do not apply to json and csv, which list all rows in a fixed order")
	}
	return nil
}

// view returns the view of the comparisons in all that the flags describe, with details of those
// commits that are in this repository.
func (v *viewFlags) view(ctx context.Context, a *workspace.Session, all ...*compare.Comparison) comparison.View {
	c := all[0]
	var runs []*record.Run
	for _, one := range all {
		runs = slices.Concat(runs, one.Base.Runs, one.Head.Runs)
	}
	out := comparison.View{All: v.all, Changed: v.changed, Bench: v.pattern(runs...), Unit: v.unit, Sort: v.sort}
	if where, err := a.Locate(ctx); err == nil { // without a configuration, the target is a Go module
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
			if between, err := where.Repo.Between(ctx, base, head); err == nil { // otherwise the report omits the number
				out.Between = len(between)
			}
		}
	}
	return out
}

// A commitWords holds the author and the subject of a commit.
type commitWords struct{ author, subject string }

// commitsKnown returns the author and subject of each of the runs' commits that this repository
// has. For other commits, reports show only the hash.
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
		return known // the report works without them
	}
	for sha, c := range commits {
		known[sha] = commitWords{c.Author, c.Subject}
	}
	return known
}
