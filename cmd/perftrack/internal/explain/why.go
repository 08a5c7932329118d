package explain

import (
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/tree"
	explanationreport "github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/reports/github"
)

// WithWhys returns options with the given budget, and a function that writes the explanations to
// file unless file is "". The caller calls write after the explanations. Explained benchmarks come
// before unexplained ones, because readers of the file may stop at a limit.
func WithWhys(budget time.Duration, file string) (opt Options, write func() error) {
	var known, unknown []github.Why
	opt = Options{Budget: budget, Report: func(r *compare.Row, x *explanationreport.Explanation, reason string) {
		w := github.Why{Target: r.Target, Package: r.Package, Name: r.Name, Reason: reason}
		if x == nil {
			unknown = append(unknown, w)
			return
		}
		if w.Functions = certainFunctions(x); len(w.Functions) == 0 {
			w.Reason = "no function clearly takes more or less"
		}
		known = append(known, w)
	}}
	return opt, func() error {
		if file == "" {
			return nil
		}
		text, err := artifact.FormatWhys(append(known, unknown...))
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return fmt.Errorf("store the explanations of the regressions: %w", err)
		}
		return nil
	}
}

// certainFunctions returns the functions that certainly differ, from the first unit with such
// functions. Functions touched by the change come first.
func certainFunctions(e *explanationreport.Explanation) (found []github.Function) {
	for _, c := range e.Parts {
		parts := slices.DeleteFunc(slices.Clone(c.Parts), func(p tree.Contributor) bool { return !p.Certain() })
		slices.SortStableFunc(parts, func(a, b tree.Contributor) int {
			switch {
			case a.Changed == b.Changed:
				return 0
			case a.Changed:
				return -1
			}
			return 1
		})
		for _, p := range parts[:min(len(parts), artifact.MaxFunctions)] {
			share := c.Share(p)
			if math.IsInf(share, 0) {
				share = math.NaN()
			}
			found = append(found, github.Function{
				Name: p.Function, Unit: c.Unit, Base: p.Base, Head: p.Head, Share: share, Changed: p.Changed,
			})
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}
