// Package viewing provides the flags that select and order the rows of a report.
package viewing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	historyreport "github.com/perftrack/perftrack/reports/history"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// Flags select and order the rows to show. They change neither verdicts nor the exit status, which
// take all rows into account.
type Flags struct {
	All, Changed      bool
	Bench, Unit, Sort string

	orders []string // values allowed for --sort
}

// Add declares the flags. If measures is set, the command already has its own --bench and --all.
func (v *Flags) Add(cmd *cobra.Command, measures bool) {
	v.orders = comparison.Orders
	f := cmd.Flags()
	f.BoolVar(&v.Changed, "changed", false, "show only changed or undecided rows; the verdict still counts all")
	f.StringVar(&v.Unit, "unit", "", "show only this `unit`: ns/op, or sec/op as shown; the verdict still counts all")
	f.StringVar(&v.Sort, "sort", "", "order the rows by `key`: change, name or p (default by verdict)")
	if measures {
		return
	}
	f.StringVar(&v.Bench, "bench", "", helptext.BenchUsage+"; the verdict still counts all")
	f.BoolVar(&v.All, "all", false, "also show rows without a change")
}

// AddForAll declares the flags for an overview of all benchmarks.
func (v *Flags) AddForAll(cmd *cobra.Command) {
	v.orders = historyreport.Orders
	f := cmd.Flags()
	f.BoolVar(&v.Changed, "changed", false, "show only regressed, changed, improved or accepted benchmarks; the summary still counts all")
	f.StringVar(&v.Bench, "bench", "", helptext.BenchUsage+"; the summary still counts all")
	f.StringVar(&v.Unit, "unit", "", "judge only this `unit`: ns/op, or sec/op as shown")
	f.StringVar(&v.Sort, "sort", "", "order the rows by `key`: change, name or noise (default by state)")
}

// Overview returns the view that the flags describe for an overview of all benchmarks.
func (v *Flags) Overview() historyreport.View {
	return historyreport.View{Changed: v.Changed, Bench: v.Pattern(), Sort: v.Sort}
}

// Pattern returns the filter that --bench describes. It returns nil if the flag is not given or is
// invalid; CheckRows reports an invalid one. The filter also matches the full names that
// benchmarks have in runs, with the -N suffix.
func (v *Flags) Pattern(runs ...*record.Run) func(name string) bool {
	p, err := naming.ParsePattern(v.Bench)
	if v.Bench == "" || err != nil {
		return nil
	}
	return func(name string) bool {
		id := record.BenchmarkID{Kind: record.Bench, Name: name}
		return p.Matches(name) || slices.ContainsFunc(runs, func(r *record.Run) bool { return p.Matches(id.FullName(r.Env)) })
	}
}

// CheckRows returns an error for an invalid --bench or --sort.
func (v *Flags) CheckRows() error {
	_, err := naming.ParsePattern(v.Bench)
	switch {
	case err != nil:
		return fmt.Errorf("--bench %q is not a regular expression: %w", v.Bench, err)
	case v.Sort != "" && !slices.Contains(v.orders, v.Sort):
		return fmt.Errorf("--sort %q is not one of %s", v.Sort, strings.Join(v.orders, ", "))
	}
	return nil
}

// Missed returns an error if --bench matches none of names, because an empty result would look as
// if nothing had changed.
func (v *Flags) Missed(names []string, accepts func(string) bool) error {
	if accepts == nil || slices.ContainsFunc(names, accepts) {
		return nil
	}
	p, err := naming.ParsePattern(v.Bench)
	if err != nil {
		return err // already reported by CheckRows
	}
	var functions []string
	for _, name := range names {
		function, _, _ := strings.Cut(name, "/")
		functions = append(functions, record.WithoutProcs(function))
	}
	return fault.Usagef("--bench %q matches none of %s%s", v.Bench, reports.Plural(len(names), "benchmark"), p.Nearest(functions))
}

// MissedBy is like Missed, for the benchmarks in the given comparisons.
func (v *Flags) MissedBy(all ...*compare.Comparison) error {
	if v.Bench == "" {
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
	return v.Missed(names, v.Pattern(runs...))
}

// Check is CheckRows for a command with --format. It also rejects filters if the format always
// contains all rows.
func (v *Flags) Check(format string) error {
	switch err := v.CheckRows(); {
	case err != nil:
		return err
	case (format == "json" || format == "csv") && (v.Changed || v.Bench != "" || v.Unit != "" || v.Sort != ""):
		return errors.New("--changed, --bench, --unit and --sort do not apply to json and csv, which list all rows in a fixed order")
	}
	return nil
}

// View returns the view described by the flags of the comparisons in all, with details of the
// commits in this repository.
func (v *Flags) View(ctx context.Context, a *workspace.Session, all ...*compare.Comparison) comparison.View {
	c := all[0]
	var runs []*record.Run
	for _, one := range all {
		runs = slices.Concat(runs, one.Base.Runs, one.Head.Runs)
	}
	out := comparison.View{All: v.All, Changed: v.Changed, Bench: v.Pattern(runs...), Unit: v.Unit, Sort: v.Sort}
	if where, err := a.Locate(ctx); err == nil { // without a configuration, the target is a Go module
		for _, t := range where.Config.Targets {
			out.Targets = append(out.Targets, t.Name)
		}
		out.Opaque = where.Config.Opaque()
	}
	known := Commits(ctx, a, runs)
	out.Commit = func(sha string) (comparison.Commit, bool) {
		about, ok := known[sha]
		return comparison.Commit{Author: about.Author, Subject: about.Subject}, ok
	}
	if where, _ := a.LocateUnconfigured(ctx); where.Repo != nil && len(c.Base.Runs) > 0 && len(c.Head.Runs) > 0 {
		base, head := c.Base.Runs[0].Commit.SHA, c.Head.Runs[0].Commit.SHA
		if _, ok := known[base]; ok && known[head] != (CommitWords{}) {
			if between, err := where.Repo.Between(ctx, base, head); err == nil { // otherwise the report omits the number
				out.Between = len(between)
			}
		}
	}
	return out
}

// Asked narrows c to the benchmarks that bench selects. A caveat counts the other benchmarks,
// which earlier checks of the same trial measured.
func Asked(c *compare.Comparison, bench string) *compare.Comparison {
	asked := (&Flags{Bench: bench}).Pattern(slices.Concat(c.Base.Runs, c.Head.Runs)...)
	if asked == nil {
		return c
	}
	of, rest := c.Narrow(asked)
	if len(rest.Tables) > 0 {
		of.Caveats = append(of.Caveats, compare.Caveat{
			Code: compare.CodeRest, Text: "earlier checks of this trial also measured " + comparison.Counted(rest), Detail: "perftrack compare --all",
		})
	}
	return of
}
