package bisect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/record"
)

// A Result holds the findings of a search.
type Result struct {
	Good, Bad gitrepo.Commit
	Subject   string // the benchmark
	Unit      string
	Found     bool      // the search has finished
	Refused   bool      // the ends were measured and are indistinguishable
	Suspects  []Suspect // the most likely one first; nil until the ends are distinguished
	Spans     []Span    // the most likely one first
	// Confirmed compares the first suspect with the commit before it, once the two have been
	// measured.
	Confirmed *compare.Decision
	Ends      *compare.Decision
	Exact     bool // decided by exactly repeating counts
	Pairs     int  // number of pairs measured on this line of commits
	Measured  int  // number of commits measured on this line of commits
	Skipped   []BisectSkip
	Reproduce string // measures the first suspect against its parent, if it is likelier than the rest together
	Workers   string // class of the workers that measured; "" means this machine
}

// A Suspect is a possible culprit.
type Suspect struct {
	gitrepo.Commit
	P        float64
	Credible bool             // in the set that contains the culprit with a probability of 95 %
	With     []gitrepo.Commit // unmeasurable commits before it, indistinguishable from it
	Before   gitrepo.Commit   // the base of its past or future measurement
	Files    []string         // files changed by it
}

// A Span is a range of commits between two measured ones. The measurements do not distinguish
// between these commits.
type Span struct {
	After, Last gitrepo.Commit // the commits after After up to Last
	Commits     int
	P           float64 // probability that the culprit is one of them
}

// A BisectSkip is an unmeasurable commit.
type BisectSkip struct {
	Commit string
	Reason string
}

// SkipReason returns the reason for skipping a commit in one line: the failed action, and the first
// line of the compiler's or the program's message about it.
func SkipReason(text string) string {
	what, output, _ := strings.Cut(text, "\n")
	if missing, ok := strings.CutSuffix(what, "; to add it:"); ok {
		return missing // the package is missing in the module itself, so go get does not help
	}
	for line := range strings.Lines(output) {
		// A line beginning with # is the go command's heading for a package.
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") {
			return strings.TrimSuffix(what, ": exit status 1") + ": " + line
		}
	}
	return what
}

// Result returns the findings so far.
func (s *Search) Result(ctx context.Context) (*Result, error) {
	res := &Result{Good: s.good, Bad: s.bad, Subject: s.Subject.Bench, Unit: s.Subject.Unit, Found: s.Finished, Workers: s.Subject.Workers}
	measured := map[string]bool{}
	for _, e := range s.log.valid() {
		if _, on := s.position[e.Head]; on && e.Event == eventPair && e.Env == s.env {
			measured[e.Base], measured[e.Head] = true, true
			res.Pairs++
		}
		if _, on := s.position[e.Commit]; on && e.Event == eventSkip && e.Env == s.env {
			res.Skipped = append(res.Skipped, BisectSkip{e.Commit, e.Reason})
		}
	}
	res.Measured = len(measured)
	_, d, err := s.ended()
	if err != nil {
		if res.Refused = s.refused(); res.Refused {
			res.Ends = &d
		}
		return res, nil // a search reports this itself
	}
	res.Ends, res.Exact = &d, d.Exact
	p := s.model(d.Exact).Posterior()
	res.Spans = s.spans(p.Culprit, d.Exact)
	credible := len(p.Credible(0.95))
	for i, c := range p.Candidates {
		suspect := Suspect{Commit: s.line[c.Last], P: c.P, Credible: i < credible, With: s.line[c.First:c.Last], Before: s.line[c.First-1]}
		if i < shownSuspects {
			files, err := s.Where.Repo.ChangedFiles(ctx, [][2]string{{suspect.Before.SHA, suspect.SHA}})
			if err != nil {
				return res, fault.Git(err)
			}
			suspect.Files = files[0]
		}
		res.Suspects = append(res.Suspects, suspect)
	}
	if len(res.Suspects) == 0 {
		return res, nil
	}
	first := res.Suspects[0]
	if c, open := s.logged(first.Before, first.Commit); !open {
		d := c.Decision()
		res.Confirmed = &d
	}
	if !res.Found && first.P <= 0.5 {
		return res, nil
	}
	pinned := ""
	if s.Subject.CPUs != "" {
		pinned = " --cpus " + s.Subject.CPUs
	}
	if s.Subject.Procs > 0 {
		pinned += " --procs " + strconv.Itoa(s.Subject.Procs)
	}
	if s.Opt.Flags.Isolate {
		pinned += " --isolate"
	}
	_, source := measure.AtProcs(s.Target, s.Subject.Bench, s.Subject.Procs)
	res.Reproduce = fmt.Sprintf("perftrack run --rev %s --against %s --bench '%s'%s %s", record.ShortHash(first.SHA), record.ShortHash(first.Before.SHA), gobench.Expression(source), pinned, s.Subject.Target)
	return res, nil
}

// shownSuspects is the number of suspects shown with their changed files.
const shownSuspects = 3

// spans divides the line at the measured commits. Measurements from before the search also count,
// unless the counts are exact. culprit holds the probability of each position.
func (s *Search) spans(culprit []float64, exact bool) (out []Span) {
	known := map[string]bool{}
	for _, e := range s.log.valid() {
		if (e.Event == eventPair || e.Event == eventHistory && !exact) && e.Env == s.env {
			known[e.Base], known[e.Head] = true, true
		}
	}
	span := Span{After: s.good}
	for i := 1; i < len(culprit); i++ {
		span.P += culprit[i]
		span.Commits++
		if c := s.line[i]; known[c.SHA] || i == len(culprit)-1 {
			span.Last = c
			out = append(out, span)
			span = Span{After: c}
		}
	}
	slices.SortStableFunc(out, func(a, b Span) int { return cmp.Compare(b.P, a.P) })
	return out
}

// IsConfirmed reports whether the first suspect, compared with the last measurable commit before
// it, shows the same verdict as the two ends of the search.
func (r *Result) IsConfirmed() bool {
	return r.Confirmed != nil && r.Ends != nil && r.Confirmed.Verdict == r.Ends.Verdict
}
