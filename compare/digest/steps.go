package digest

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
)

// A Step is something that a reader can do about a comparison.
type Step string

// The steps.
const (
	Explain      Step = "explain"       // find the functions behind the worst regression
	Accept       Step = "accept"        // accept a regression or a missed limit, if it is intended
	MeasureAgain Step = "measure-again" // measure again, because the measurement was interrupted
	ReadFailures Step = "read-failures" // find out why benchmarks failed
	ProveMeans   Step = "prove-means"   // measure means longer, as a strict gate requires
	CheckMissing Step = "check-missing" // find out whether benchmarks were removed on purpose
	ReadLog      Step = "read-log"      // find out why there is nothing to compare
)

func (d *Digest) steps(c *compare.Comparison) (steps []Step) {
	add := func(is bool, s Step) {
		if is {
			steps = append(steps, s)
		}
	}
	interrupted := c.Interrupted()
	add(d.Worst != nil, Explain)
	add(d.Gate.Cause == gates.CauseWorse, Accept)
	add(interrupted, MeasureAgain)
	add(!interrupted && len(c.Failures) > 0, ReadFailures)
	add(d.Gate.Cause == gates.CauseGap && len(c.UnprovenMeans()) > 0, ProveMeans)
	add(d.Missing > 0, CheckMissing)
	add(len(c.Tables)+len(c.Failures)+d.SameCode+d.Unreached+d.Starved == 0, ReadLog)
	return steps
}
