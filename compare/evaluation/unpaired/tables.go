package unpaired

import (
	"fmt"
	"io"

	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// Scenarios returns the scenarios in the table. The name of each one lists all of its changes.
func Scenarios() []Scenario {
	const benchmarks, samples, cv = 29, 10, 0.03
	s := func(name string, change func(*Scenario)) Scenario {
		one := Scenario{Name: name, Benchmarks: benchmarks, Samples: samples, CV: cv}
		change(&one)
		return one
	}
	return []Scenario{
		s("every sample independent of all others", func(*Scenario) {}),
		s("the same, 20 samples", func(s *Scenario) { s.Samples = 20 }),
		s("a process a benchmark, a drifting machine", func(s *Scenario) { s.Processes = true }),
		s("the same, 20 samples", func(s *Scenario) { s.Processes, s.Samples = true, 20 }),
		s("the machine off by 2 % between the runs", func(s *Scenario) { s.Processes, s.Shift = true, 0.02 }),
		s("the machine off by 5 %", func(s *Scenario) { s.Processes, s.Shift = true, 0.05 }),
		s("each benchmark off by 2 % by itself", func(s *Scenario) { s.Processes, s.Own = true, 0.02 }),
		s("each benchmark off by 5 %", func(s *Scenario) { s.Processes, s.Own = true, 0.05 }),
		s("CV 1 %, each benchmark off by 2 %", func(s *Scenario) { s.Processes, s.CV, s.Own = true, 0.01, 0.02 }),
		s("one benchmark +10 %, independent samples", func(s *Scenario) { s.Effect = 0.10 }),
		s("one benchmark +10 %, a process a benchmark", func(s *Scenario) { s.Processes, s.Effect = true, 0.10 }),
	}
}

// Table writes how often the gates trip in n pairs of runs from each scenario.
func Table(w io.Writer, n int, seed uint64) {
	fmt.Fprintf(w, "| two runs of 29 benchmarks, CV 3 %%, 10 samples | `--gate=unpaired`: exit 1 wrongly | found | `--gate=benchstat`: exit 1 wrongly | found |\n|---|---|---|---|---|\n")
	for i, s := range Scenarios() {
		t := Run(s, n, seed+uint64(i))
		fmt.Fprintf(w, "| %s |", s.Name)
		for g := range Gates {
			found := ""
			if s.Effect != 0 {
				found = figures.Percent(t.Found[g], t.Pairs)
			}
			fmt.Fprintf(w, " %s (≤ %s) | %s |", figures.Percent(t.Wrong[g], t.Pairs), figures.Bound(figures.AtMost(t.Wrong[g], t.Pairs)), found)
		}
		fmt.Fprintln(w)
	}
}
