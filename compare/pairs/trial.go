package pairs

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// ProcedureCheck is the value of [record.Protocol].Procedure in the runs of a check. A check is a
// trial that measures until everything is decided, in any number of sessions; see [stat.CheckPlan].
// Other trials have a fixed length.
const ProcedureCheck = "check"

// ProcedureCalibrate is the value of [record.Protocol].Procedure in a trial that compares a source
// with itself. Such a trial measures the noise and never decides anything.
const ProcedureCalibrate = "calibrate"

// Checked reports whether the pairing belongs to a check.
func (p *Pairing) Checked() bool {
	for _, runs := range p.Runs {
		for _, r := range runs {
			if r.Protocol.Procedure != ProcedureCheck {
				return false
			}
		}
	}
	return p.Trial
}

// Calibrates reports whether the pairing compares a source with itself, so that any change it shows
// is noise.
func (p *Pairing) Calibrates() bool {
	for _, runs := range p.Runs {
		for _, r := range runs {
			if r.Protocol.Procedure == ProcedureCalibrate {
				return true
			}
		}
	}
	return false
}

// layoutDefault is the value of [record.KeyLayout] if the code layout is left to the build, so that
// each side has one build, with one layout, for the whole trial.
const layoutDefault = "default"

// PlacedOnce reports whether a side of the pairing is a single build with an arbitrary layout of
// its own.
func (p *Pairing) PlacedOnce() bool {
	same := func(r *record.Run) bool { return r.Facts.Get(record.KeyPlacement) == record.PlacementSame }
	if !slices.ContainsFunc(slices.Concat(p.Runs[base], p.Runs[head]), func(r *record.Run) bool { return !same(r) }) {
		return false
	}
	return slices.ContainsFunc(slices.Concat(p.Runs[base], p.Runs[head]), func(r *record.Run) bool {
		return len(r.Benchmarks) > 0 && r.Env.Get(record.KeyLayout) == layoutDefault
	})
}

// CutShort reports whether the newest session ended before its budget was used up.
func (p *Pairing) CutShort() bool {
	var last *record.Run
	for _, r := range p.Runs[head] {
		if last == nil || r.Start.After(last.Start) {
			last = r
		}
	}
	return last != nil && last.Status == record.Partial
}

// Pace returns the pace of the slowest session or, if newest is set, of the newest session. It
// returns nil if no run states its pace.
func (p *Pairing) Pace(newest bool) *record.Pace {
	var found *record.Pace
	for _, runs := range p.Runs {
		for _, r := range runs {
			switch pace := r.Protocol.Pace; {
			case pace == nil:
			case found == nil || newest:
				found = pace
			default:
				found = &record.Pace{Setup: max(found.Setup, pace.Setup), Round: max(found.Round, pace.Round)}
			}
		}
	}
	return found
}

// CutBefore reports whether a trial was interrupted before it measured a package's benchmarks on
// the given side. Each side records which benchmarks it lacks as soon as it is built.
func (p *Pairing) CutBefore(side int, pkg string) bool {
	partial := func(r *record.Run) bool { return r.Status == record.Partial }
	if !p.Trial || !slices.ContainsFunc(slices.Concat(p.Runs[base], p.Runs[head]), partial) {
		return false
	}
	return !slices.ContainsFunc(p.Runs[side], func(r *record.Run) bool {
		return !partial(r) || slices.ContainsFunc(r.Protocol.Lacks, func(l record.Count) bool { return l.Package == pkg })
	})
}

// Part returns the part that the pairing measured, or the zero Part.
func (p *Pairing) Part() record.Part {
	for _, r := range p.Runs[head] {
		if part := r.Protocol.Part; part != nil {
			return *part
		}
	}
	return record.Part{}
}

// TrialName returns a name that distinguishes the pairing's trial from other trials: its id and its
// kind.
func (p *Pairing) TrialName() string {
	r := p.Runs[head][0]
	switch part := p.Part(); {
	case part.Of > 0:
		return fmt.Sprintf("%s, %v of a check", r.Trial, part)
	case p.Checked():
		return r.Trial + ", a check"
	}
	return r.Trial + ", fixed length"
}

// FurtherShare returns the share of alpha for the n-th further check of a pair of commits, counting
// from 1. A further check runs in a different environment or a different clone than the first one.
func FurtherShare(n int) float64 { return stat.CheckPlan().FurtherShare(n) }

// ShareOf returns the share of alpha for the trial that r belongs to.
func ShareOf(r *record.Run) float64 { return cmp.Or(r.Protocol.AlphaShare, 1) }

// Share returns the trial's share of alpha.
func (p *Pairing) Share() float64 {
	least := 1.0
	for _, r := range p.Runs[head] {
		least = min(least, ShareOf(r))
	}
	return least
}

// Unshared removes a run's share of alpha and its family. It is for runs from untrusted
// contributors, who must not choose their own error rate.
func Unshared(r *record.Run) { r.Protocol.AlphaShare, r.Protocol.Family = 0, nil }

// Method returns how a benchmark of the trial was measured, according to the newest run that records
// it, or nil if no run does.
func (p *Pairing) Method(id record.BenchmarkID) *record.Method {
	if !p.Trial {
		return nil
	}
	for _, r := range slices.Backward(p.Runs[head]) {
		if w, ok := record.MethodOf(r.Protocol.Methods, id.Package, id.Name); ok {
			return &w
		}
	}
	return nil
}
