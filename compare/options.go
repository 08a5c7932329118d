package compare

import (
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// Options sets the error rates and the size of a change that matters. A number that is 0 or less
// means the default.
type Options struct {
	// Alpha is the probability that a trial without any change flags some row as regressed. The
	// probability that it flags some row as improved is the same. The default is 0.01.
	Alpha float64
	// Threshold returns the smallest change worth reporting for a benchmark, as a fraction. bench does
	// not have the -N suffix. The default is 0.05.
	Threshold func(bench string) float64
	// MeanWithin returns the bound, as a fraction, that a strict gate requires to be proven for the
	// change in the mean of all slices of an unchanged benchmark, or 0 for no bound. The default is
	// 0.
	MeanWithin func(bench string) float64
	// Better returns the direction that a rule sets for a unit of a benchmark: +1 if higher values are
	// better, -1 if lower ones are, or 0 without such a rule. unit is the stored unit. The rule takes
	// precedence over what the benchmark program declares. If Better is nil, there are no rules.
	Better func(bench, unit string) int
	// Confidence is the confidence level of each center's interval. The default is 0.95.
	Confidence float64
	// CompareAlpha is benchstat's own alpha: if p is larger, the delta is shown as ~ and never
	// flagged. The default is 0.05.
	CompareAlpha float64
	// Ongoing is set while a check is still measuring, so that the end of the samples is not
	// mistaken for the end of the check.
	Ongoing bool
	// Noise returns the noise floor of a row in a check, as a fraction, or 0 if it is unknown; see
	// [NoiseFloor]. unit is the stored unit. If Noise is nil, all noise floors are unknown.
	Noise func(target string, id record.BenchmarkID, unit string) float64
	// Capped reports whether the ranks of a row in a check are capped because its rounds often have
	// extreme values; see [stat.Series]. unit is the stored unit. If Capped is nil, no ranks are
	// capped.
	Capped func(target string, id record.BenchmarkID, unit string) bool
	// Families is the number of targets sharing the error rate in a check, whether measured or not.
	// It is raised to the number of compared targets if it is smaller. A number stated by the runs
	// takes precedence.
	Families int
	// Peers are runs of other targets in the same trial, which also take part in the division of
	// the error rate.
	Peers []*record.Run
	// Known reports whether the base's history has a benchmark in a unit; unit is the stored unit.
	// Unknown rows form a separate family with a small share of the error rate, regardless of their
	// number. If Known is nil, all rows are known.
	Known func(target string, id record.BenchmarkID, unit string) bool
	// Limits bounds the values of benchmarks, regardless of their earlier values.
	Limits limit.List
	// OnePart is set if only one part of the benchmarks is compared on purpose, so that the other
	// parts do not count as missing.
	OnePart bool
	// Edited reports whether the benchmarks of a package may differ between the sides. Benchmarks
	// of other packages are judged even if the trial claims they were edited. If Edited is nil, the
	// trial's claims are trusted.
	Edited func(target, pkg string) bool
	// TrialOptions returns the options for one of several trials, because each trial was measured with
	// its own options. If it is nil, these Options apply to all trials.
	TrialOptions func(base, head Side) Options
}

func (o Options) withDefaults() Options {
	if o.Alpha <= 0 {
		o.Alpha = 0.01
	}
	if o.Threshold == nil {
		o.Threshold = func(string) float64 { return 0.05 }
	}
	if o.MeanWithin == nil {
		o.MeanWithin = func(string) float64 { return 0 }
	}
	if o.Confidence <= 0 {
		o.Confidence = 0.95
	}
	if o.CompareAlpha <= 0 {
		o.CompareAlpha = 0.05
	}
	return o
}
