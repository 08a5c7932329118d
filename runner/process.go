package runner

import (
	"strconv"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// noteProcess takes from a scope what the program says of its process, for each suite whose scopes
// it printed: all of them ran in it.
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

// amount is what the program says of itself under the key; nil if that is nothing, or no amount.
func amount(rec *benchfmt.Result, key string) *int64 {
	n, err := strconv.ParseInt(rec.GetConfig(key), 10, 64)
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

// needed are the processes that the output told of, with what the operating system knows: that
// may be more than the program knew when it printed, and less where it is not known.
func (o *output) needed(res proc.Result) []record.Process {
	for i := range o.processes {
		o.processes[i].Resident = max(o.processes[i].Resident, res.MaxRSS)
	}
	return o.processes
}

// addProcesses notes on a side what the processes of a round needed.
func (m *measurement) addProcesses(side, round int, all []record.Process) {
	if round == 0 {
		return // the warm-up is no part of the run
	}
	for _, p := range all {
		p.Round = round
		m.out.Processes[side] = append(m.out.Processes[side], p)
	}
}
