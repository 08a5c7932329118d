package family

import (
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
)

// glossary explains the terms used in the reports.
func glossary() reports.Table {
	t := reports.Table{Heading: "Glossary", Columns: []reports.Column{{Title: "word"}, {Title: "meaning"}}}
	for _, w := range [][2]string{
		{"benchmark, scope", "A benchmark is one operation, measured by itself. A scope is a named part of a profiled program; its name is the path of calls to it."},
		{"run, sample, round", "A run is one target measured at one commit. It has several rounds, each with one sample of each benchmark."},
		{"trial", "Runs of two commits, measured side by side, round by round, on one machine. Only a trial gives a verdict."},
		{"verdict", "regressed, improved: proven to differ by more than noise. unchanged: proven to differ by less than the threshold. inconclusive: neither. suspect: unpaired runs differ, perhaps because of the machine."},
		{"interval", "± or [low, high]: the range that contains the true value or change with the stated confidence (95 % for values, 1 - 2 alpha for changes in a trial)."},
		{"step, level, drift", "In a history, a level is a series of runs that differ only by noise, a step is a change of level, and a drift is a slow change. The runs in a history are unpaired, so a step is a reason to measure, not a proof."},
		{"unresolved", "A step for the worse, neither accepted nor followed by a level as good as before."},
		{"outlier", "A single run far from its level. If it is the newest run, it may also be the start of a new level."},
		{"environment", "Processor, threads, Go version and settings. Numbers from two environments are never compared."},
		{"noise", "How much the runs in a history scatter within its newest level, where nothing changed."},
		{"pair noise", "How much the change scatters from round to round in a trial. Effects common to both sides of a round cancel out, so it is lower than the noise in a history."},
		{"self time", "A scope's time without the scopes inside it."},
		{"GFLOPS", "1e9 floating point operations per second, counted by the kernel's formula, not by the processor."},
		{"elements/s", "Elements of the result that a kernel computes per second."},
		{"tok/s, latency, first token", "Tokens generated per second; the time per token; the time until the first token."},
		{"B/op, allocs/op, gc/op", "Bytes allocated, objects allocated and garbage collections per operation."},
		{"percent of peak", "GFLOPS divided by the program's measured peak for as many cores as the kernel has threads, or else by this machine's peak in reference.toml."},
	} {
		t.Rows = append(t.Rows, []reports.Cell{cells.Text(w[0]), cells.Text(w[1])})
	}
	return t
}
