package family

import "github.com/perftrack/perftrack/reports"

// glossary explains the words of the reports.
func glossary() reports.Table {
	t := reports.Table{Heading: "Glossary", Columns: []reports.Column{{Title: "word"}, {Title: "what it means here"}}}
	for _, w := range [][2]string{
		{"benchmark, scope", "A benchmark is one operation, measured by itself. A scope is a named part of a profiled program; its name is the path of calls to it."},
		{"run, sample, round", "A run is one target measured at one commit. It has several rounds, and each gives one sample of each benchmark."},
		{"trial", "Runs of two commits that were measured side by side, round by round, on one machine. Only a trial gives a verdict."},
		{"verdict", "regressed, improved: proven to differ by more than noise. unchanged: proven to differ by less than the threshold. inconclusive: neither. suspect: runs measured apart differ, which may be the machine."},
		{"interval", "± or [low, high]: where the true value, or the true change, lies with the stated confidence (95 % for values, 1 - 2 alpha for changes in a trial)."},
		{"step, level, drift", "In a history: a level is a stretch of runs that differ by noise only, a step is where it changes, a drift is a change little by little. Runs of a history were measured apart: a step is a reason to measure, not a proof."},
		{"in force", "A step for the worse that was not accepted and after which no level was as good again."},
		{"outlier", "A single run far off its level; open if it is the newest, so that nothing yet says whether it is a new level."},
		{"environment", "Processor, threads, Go version and settings. Numbers of two environments are never compared."},
		{"noise", "By how much the runs of a history scatter within its newest level, though nothing changed there."},
		{"pair noise", "By how much the change that one round of a trial shows scatters. What both sides of a round share cancels, so that it is less than the noise of a history."},
		{"self time", "Time of a scope without the scopes in it."},
		{"GFLOPS", "1e9 floating point operations a second, counted by the formula of the kernel, not by the processor."},
		{"elements/s", "Elements of the result that a kernel finishes in a second."},
		{"tok/s, latency, first token", "Tokens generated in a second; its inverse; the time until the first token is there."},
		{"B/op, allocs/op, gc/op", "Bytes and objects allocated, and garbage collections, for one operation."},
		{"percent of peak", "GFLOPS divided by the peak that the program measured, of as many cores as the kernel has threads, or else by that which reference.toml gives for this machine."},
	} {
		t.Rows = append(t.Rows, []reports.Cell{text(w[0]), text(w[1])})
	}
	return t
}
