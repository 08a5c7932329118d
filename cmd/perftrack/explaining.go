package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/explain"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/reports/github"
)

// whyOptions are how long a check explains what regressed, and where it leaves that for the
// comment of a pull request.
type whyOptions struct {
	budget time.Duration
	file   string
}

func (o *whyOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.DurationVar(&o.budget, "explain-budget", 0, "longest time of --explain, on top of --budget; 0 is no limit")
	f.StringVar(&o.file, "explain-file", "", "with --explain, also write which functions they are to this `file`, for the comment on a pull request")
}

// options returns those of explain, and what writes the file when all is explained: what is
// explained comes first, since readers may stop at a limit.
func (o whyOptions) options() (opt explain.Options, write func() error) {
	var known, unknown []github.Why
	opt = explain.Options{Budget: o.budget, Told: func(r *compare.Row, x *explanation.Explanation, reason string) {
		w := github.Why{Target: r.Target, Package: r.Package, Name: r.Name, Reason: reason}
		if x == nil {
			unknown = append(unknown, w)
			return
		}
		if w.Functions = certainFunctions(x); len(w.Functions) == 0 {
			w.Reason = "no function takes clearly more or less"
		}
		known = append(known, w)
	}}
	return opt, func() error {
		if o.file == "" {
			return nil
		}
		text, err := artifact.FormatWhys(append(known, unknown...))
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.file, text, 0o644); err != nil {
			return fmt.Errorf("keep why it regressed: %w", err)
		}
		return nil
	}
}

// certainFunctions are those that certainly take more or less, those that the commits change
// first; of the first unit that has some.
func certainFunctions(e *explanation.Explanation) (found []github.Function) {
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
