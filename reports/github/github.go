// Package github writes the texts that report a comparison on a pull request: the comment, the
// summary and the annotations of a job, and the commit status.
//
// It is at the end of the pipeline engine -> runner -> store -> compare -> reports. People read its
// texts to decide whether to merge. All four texts come from one [Finding], so they agree with each
// other. Only the comment is complete. It shows what was proven, how large the changes are, on
// which machine they were measured, and how to measure them again. Names, units and environments
// come from the pull request and are untrusted, so they are shown only in code spans.
//
// Start reading at github.go. status.go writes the verdict in one line, headline.go the first line
// of the comment, comment.go its sections, limits.go the limits, and annotations.go the annotations
// of a job. page.go makes the texts fit into GitHub's limits.
package github

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// GitHub's limits, with a safety margin.
const (
	MaxComment     = 60_000  // in bytes; GitHub allows 65,536 characters
	MaxSummary     = 900_000 // in bytes, for each step; GitHub allows 1 MiB
	MaxDescription = 140     // in characters, for a commit status
	MaxAnnotations = 10      // of each kind, for each step
)

// Options holds information beyond the comparison. The zero value is valid.
type Options struct {
	// Workflow is the name of the workflow. It distinguishes the comment from those of other
	// workflows; see [Marker].
	Workflow string
	// Link is the address of the workflow run that measured. Commits is the address of a commit
	// without its hash, which is appended. History is the address of the history. All three consist
	// of trusted parts or are "".
	Link, Commits, History string
	// Site is the address of the published site without a trailing slash, or "". Changed benchmarks
	// link to their history there.
	Site string
	// Pull is the number of the pull request, or 0. Fork reports whether the pull request comes
	// from a fork.
	Pull int
	Fork bool
	// Accept is the easiest valid way of accepting a regression: "trailer", "label" or "record". ""
	// means "record".
	Accept string
	// Opaque lists the targets whose functions perftrack cannot profile.
	Opaque []string
	// OwnWorkflow reports whether the pull request's own workflow did the measuring. If so, the
	// author of the pull request could have made up the samples.
	OwnWorkflow bool
	// Strict makes undecided, failed and missing benchmarks fail the check.
	Strict bool
	// Accepted returns the reason for accepting a regression and reports whether it is accepted.
	// Accepted may be nil.
	Accepted func(*compare.Row) (reason string, ok bool)
	// Hidden is an HTML comment to insert below the marker, or "".
	Hidden string
	// Why explains regressions by the functions that caused them.
	Why []Why
	// Histories holds the data for the charts of the worst regressions. It is nil if there are no
	// earlier runs.
	Histories *Histories
	// Notes are sentences in perftrack's own words to show below the table.
	Notes []string
	// Overruled, unless nil, replaces the status that follows from the comparison.
	Overruled *Overruled
}

// An Overruled is a commit status with a cause other than the comparison.
type Overruled struct {
	State, Description string
	Why                string // a sentence in perftrack's own words that explains the status
}

// A Finding is a comparison with its rows sorted for the readers of a pull request.
type Finding struct {
	c        *compare.Comparison
	opt      Options
	policy   gates.Options
	digest   *digest.Digest
	changed  []row // worst first
	nested   []row // rows that only show the change of a row in changed
	open     []row // inconclusive rows
	short    []row // unchecked rows
	same     []row // unchanged rows
	limits   []limited
	family   bool                        // the tables cover several packages or suites
	targets  bool                        // the tables cover several targets
	root     string                      // common prefix of the import paths
	repeated map[record.BenchmarkID]bool // benchmarks measured in several environments
}

// A row is a row of the comparison together with its table.
type row struct {
	table  *compare.Table
	row    *compare.Row
	accept string // the reason for accepting it, or ""
}

// New returns the finding for a comparison.
func New(c *compare.Comparison, opt Options) *Finding {
	f := &Finding{c: c, opt: opt}
	f.policy = gates.Options{Strict: opt.Strict, Accepted: func(r *compare.Row) bool { _, ok := f.acceptedReason(r); return ok }}
	f.digest = digest.Of(c, f.policy)
	var packages []string
	pairings := map[record.BenchmarkID]*pairs.Pairing{}
	f.repeated = map[record.BenchmarkID]bool{}
	for i := range c.Tables {
		t := &c.Tables[i]
		packages = append(packages, t.Package)
		f.family = f.family || t.Package != c.Tables[0].Package || t.Suite != c.Tables[0].Suite
		f.targets = f.targets || t.Target != c.Tables[0].Target
		for _, r := range t.Rows {
			if p := pairings[r.BenchmarkID]; p != nil && p != t.Pairing && p.Target == t.Target {
				f.repeated[r.BenchmarkID] = true
			}
			pairings[r.BenchmarkID] = t.Pairing
			f.add(row{table: t, row: r})
			f.addLimits(row{table: t, row: r})
		}
	}
	f.root = commonRoot(packages)
	f.sortLimits()
	for _, list := range [][]row{f.changed, f.nested} {
		slices.SortStableFunc(list, func(a, b row) int {
			return cmp.Or(cmp.Compare(digest.Severity(a.verdict()), digest.Severity(b.verdict())), cmp.Compare(b.size(), a.size()))
		})
	}
	slices.SortStableFunc(f.short, func(a, b row) int { return cmp.Compare(b.ratio(), a.ratio()) })
	return f
}

// ratio returns the absolute value of the logarithm of the ratio between both medians, or -1 if it
// is unknown.
func (r row) ratio() float64 {
	if x := math.Abs(math.Log1p(r.row.Delta)); !math.IsNaN(x) {
		return x
	}
	return -1
}

func (f *Finding) add(r row) {
	if f.c.Settled(r.row) {
		return // another trial has decided this row
	}
	switch r.row.Verdict {
	case compare.Regressed, compare.Improved, compare.Changed, compare.Suspect, compare.NotComparable:
		r.accept = f.intended(r.row)
		if r.row.CorrelatedWith != nil {
			f.nested = append(f.nested, r)
		} else {
			f.changed = append(f.changed, r)
		}
	case compare.Inconclusive:
		f.open = append(f.open, r)
	case compare.NotChecked:
		f.short = append(f.short, r)
	case compare.Unchanged:
		f.same = append(f.same, r)
	}
}

// intended returns the reason for accepting a regression, or "" if it is not accepted. An
// acceptance also covers rows that only show the accepted change because they contain it.
func (f *Finding) intended(r *compare.Row) string {
	if r.Verdict != compare.Regressed {
		return ""
	}
	if reason, ok := r.Acceptance(); ok {
		return cmp.Or(reason, "no reason given")
	}
	if f.opt.Accepted == nil {
		return ""
	}
	for _, r := range []*compare.Row{r, r.CorrelatedWith} {
		if r == nil {
			continue
		}
		if reason, ok := f.opt.Accepted(r); ok {
			return cmp.Or(reason, "no reason given")
		}
	}
	return ""
}

func (r row) verdict() compare.Verdict {
	if r.accept != "" {
		return digest.Accepted
	}
	return r.row.Verdict
}

// size returns the size of the row's change; see [digest.Size].
func (r row) size() float64 { return digest.Size(r.row) }

// name returns a name for a row that identifies it outside of its table.
func (f *Finding) name(r row, w comparison.RowWords) string {
	var parts []string
	add := func(show bool, p string) {
		if show && p != "" {
			parts = append(parts, p)
		}
	}
	add(f.targets, r.row.Target)
	add(f.family, r.row.Suite)
	add(f.family, r.row.Package)
	add(true, w.Name)
	add(r.row.Kind == record.Scope, "(scope)")
	if id, _, _ := strings.Cut(r.table.OfTrial, ","); id != "" {
		add(true, "(trial "+id+")")
	}
	return strings.Join(parts, " ")
}
