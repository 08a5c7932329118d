package compare

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// Narrow splits a comparison in two. of has the requested benchmarks and all unaccepted
// regressions; rest has the remaining rows. All rows keep their verdicts, because the error
// rate holds for all measured rows together.
func (c *Comparison) Narrow(asked func(name string) bool) (of, rest *Comparison) {
	of = c.only(func(r *Row) bool { return asked(r.Name) || r.Verdict == Regressed && !r.Accepted() })
	rest = c.only(func(r *Row) bool { return !asked(r.Name) && (r.Verdict != Regressed || r.Accepted()) })
	named := func(u OneSided) bool { return !asked(u.Name) }
	of.Missing, of.New = slices.DeleteFunc(slices.Clone(c.Missing), named), slices.DeleteFunc(slices.Clone(c.New), named)
	of.Cut = slices.DeleteFunc(slices.Clone(c.Cut), named)
	of.Failures = slices.DeleteFunc(slices.Clone(c.Failures), func(f Failure) bool {
		name, ok := c.benchmarkOf(f)
		return ok && !asked(name)
	})
	rest.Missing, rest.New, rest.Cut, rest.Failures, rest.Same, rest.Unreached, rest.Starved = nil, nil, nil, nil, nil, nil, nil
	of.newest = true
	of.Caveats = slices.DeleteFunc(slices.Clone(c.Caveats), func(x Caveat) bool { return x.Code == CodeNotChecked })
	of.noteNotChecked()
	return of, rest
}

// only returns a copy of the comparison with only the rows accepted by keep. It recomputes the
// geometric means for these rows.
func (c *Comparison) only(keep func(*Row) bool) *Comparison {
	out := *c
	out.Tables = nil
	for _, t := range c.Tables {
		all := len(t.Rows)
		t.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(r *Row) bool { return !keep(r) })
		if len(t.Rows) == 0 {
			continue
		}
		if len(t.Rows) < all {
			t.Geomean = geomean(t.Rows)
			t.Geomean.Change = MeanChange(t.Rows)
		}
		out.Tables = append(out.Tables, t)
	}
	return &out
}

// benchmarkOf returns the name of the failed benchmark. ok is false if a package or a whole target
// failed.
func (c *Comparison) benchmarkOf(f Failure) (name string, ok bool) {
	for _, r := range slices.Concat(c.Base.Runs, c.Head.Runs) {
		if r.Target != f.Target {
			continue
		}
		for i := range r.Benchmarks {
			b := &r.Benchmarks[i]
			if b.Package == "" || b.Kind != record.Bench {
				continue
			}
			if name, ok = strings.CutPrefix(f.Benchmark, b.Package+"."); ok {
				return name, true
			}
		}
	}
	return "", false
}
