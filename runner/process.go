package runner

import (
	"strconv"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// noteProcess records the program's report about its own process. The program repeats the report
// with each scope. All suites with printed scopes ran in that process, so each suite gets an entry.
func (o *output) noteProcess(rec *benchfmt.Result) {
	p := record.Process{
		Package: rec.GetConfig(record.KeyPackage), Suite: rec.GetConfig(record.KeySuite),
		Cycles: amount(rec, record.KeyCycles), Pause: amount(rec, record.KeyPause), Heap: amount(rec, record.KeyHeap),
	}
	if resident := amount(rec, record.KeyResident); resident != nil {
		p.Resident = *resident
	}
	for i, known := range o.processes {
		if known.Package == p.Package && known.Suite == p.Suite {
			o.processes[i] = p
			return
		}
	}
	o.processes = append(o.processes, p)
}

// amount returns the value that the program reported for key, or nil if it is missing or not a
// valid amount.
func amount(rec *benchfmt.Result, key string) *int64 {
	n, err := strconv.ParseInt(rec.GetConfig(key), 10, 64)
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

// needed returns the processes reported by the program. Their resident size is the larger of the
// program's and the operating system's value.
func (o *output) needed(res proc.Result) []record.Process {
	for i := range o.processes {
		o.processes[i].Resident = max(o.processes[i].Resident, res.MaxRSS)
	}
	return o.processes
}

// addProcesses records the processes that ran on a side in a round.
func (m *measurement) addProcesses(side, round int, all []record.Process) {
	if round == 0 {
		return // the warm-up is not part of the run
	}
	for _, p := range all {
		p.Round = round
		m.out.Processes[side] = append(m.out.Processes[side], p)
	}
}
