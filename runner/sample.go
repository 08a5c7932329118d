package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// measureSlot measures the slot once on each of its sides and reports whether it may run again.
// planned is the number of processes left to run, including those of this slot.
func (m *measurement) measureSlot(ctx context.Context, e *entry, r *Round, planned int) (bool, error) {
	if e.method != nil && e.method.miscounted != nil {
		m.fail(e.method.miscounted.Side, e.Slot, e.method.miscounted.Error())
		return false, nil
	}
	if e.method != nil && e.method.why == "" {
		return m.measureSliced(ctx, e, r, m.done+planned)
	}
	return m.measureFresh(ctx, e, r, m.done+planned)
}

// measureFresh runs the slot once on each of its sides, one after the other, each in a new process.
func (m *measurement) measureFresh(ctx context.Context, e *entry, r *Round, total int) (bool, error) {
	sides := e.sides
	if len(sides) == 2 && m.BaseFirst != nil && !m.BaseFirst(e.Slot, r.N) {
		sides = []int{sides[1], sides[0]}
	}
	healthy := true
	for _, i := range sides {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		what := e.Slot.String()
		if m.Sides[i].Name != "" {
			what += " " + m.Sides[i].Name
		}
		m.measuring(r, what, total)
		s, err := m.sample(ctx, i, e)
		if err != nil {
			m.keepCut(r, s.results)
			return false, err
		}
		m.done++
		for _, res := range s.results {
			m.place(res, r, i)
		}
		m.addProcesses(i, r.N, s.needed)
		if r.N == 0 && len(e.sides) == 2 {
			e.long[i], e.took[i] = s.results, s.took
		}
		switch {
		case s.failure == Skipped && e.skip != nil: // every benchmark of the function has a slot of its own in this process
			continue
		case s.failure == Skipped && e.method != nil && e.method.function != nil && e.method.function.Bench != e.Bench:
			m.giveBack(e)
			return false, nil
		}
		if s.failure != "" && s.failure != Skipped && r.N == 0 && m.takeBack(e, i) {
			continue
		}
		m.fail(i, e.Slot, s.failure)
		healthy = healthy && s.again
	}
	if e.method != nil && healthy {
		e.method.rounds[0]++
	}
	return healthy, nil
}

// measuring reports progress.
func (m *measurement) measuring(r *Round, what string, total int) {
	m.now = Progress{
		Stage: "measure", Round: max(r.N-max(m.First, 1)+1, 0), Rounds: m.Rounds,
		Done: m.done, Total: total, What: what, Open: len(m.open), Slots: m.slots,
	}
	m.progress(m.now)
}

// fail records why a slot did not finish. Only the first reason for a side and slot is kept.
func (m *measurement) fail(side int, s program.Slot, reason string) {
	known := slices.ContainsFunc(m.out.Failures, func(f Failure) bool { return f.Side == side && f.Slot == s })
	if reason != "" && !known {
		m.out.Failures = append(m.out.Failures, Failure{Side: side, Slot: s, Reason: reason})
	}
}

// place adds a result to the round and sets its position in the round.
func (m *measurement) place(res *benchfmt.Result, r *Round, side int) {
	res.SetConfig(record.KeyRound, strconv.Itoa(r.N))
	res.SetConfig(record.KeyOrder, strconv.Itoa(len(r.Samples)))
	if m.programs[side].Rotates() {
		res.SetConfig(record.KeyLayoutSeed, strconv.FormatUint(program.LayoutSeed(r.N), 10))
	}
	r.Samples = append(r.Samples, Sample{Side: side, Result: res})
}

// A processResult is the result of one process.
type processResult struct {
	results []*benchfmt.Result
	needed  []record.Process
	failure string // "" if it did not fail
	took    time.Duration
	again   bool // worth running again, because a failing sub-benchmark does not affect the results of the others
}

// sample runs one process and reads its output. If the process fails, the results that it printed
// before are kept.
func (m *measurement) sample(ctx context.Context, side int, e *entry) (processResult, error) {
	s := e.Slot
	writes, err := clearResults(m.programs[side])
	if err != nil {
		return processResult{}, fmt.Errorf("run %s: %w", s, err)
	}
	cmd := m.programs[side].Command(s)
	if len(e.skip) > 0 {
		cmd.Argv = append(cmd.Argv, "-test.skip="+gobench.Expression(e.skip...))
	}
	if d := e.method.shorter(); d > 0 {
		cmd.Argv = append(cmd.Argv, "-test.benchtime="+d.String())
	}
	cmd.Timeout = m.Timeout
	cmd.Env, cmd.CPUs = m.environment(side, s), m.CPUs
	res, err := m.run(ctx, cmd)
	if errors.Is(err, proc.ErrLost) && ctx.Err() == nil {
		return processResult{failure: "its process or supervisor was killed: " + err.Error()}, nil
	}
	if err != nil {
		return processResult{}, fmt.Errorf("run %s: %w", s, err)
	}
	m.out.InProcesses += res.Elapsed
	out := &output{m: m, side: side, slot: s}
	if ctx.Err() != nil {
		if m.Target.Kind == config.Command && !writes {
			out.readPrinted(printedBy(res))
			out.reduce()
		}
		return processResult{results: out.results}, ctx.Err()
	}
	if writes {
		out.note(out.readWritten(m.programs[side]))
	} else if text := out.readPrinted(printedBy(res)); res.Err() == nil {
		out.distrust(text)
	}
	out.reduce()
	failure := out.failure(res)
	if failure != "" && failure != Skipped {
		failure += m.withheldHint(side, s, slices.Concat(res.Stdout, res.Stderr))
	}
	again := len(out.results) > 0 && !res.TimedOut // worth running again even if some results were refused
	return processResult{out.results, out.needed(res), failure, res.Elapsed, again}, nil
}

// run runs a process. If it is a program of the user's own, which may run for long, run reports what
// it prints.
func (m *measurement) run(ctx context.Context, cmd proc.Command) (proc.Result, error) {
	if m.Target.Kind != config.Command || m.tell == nil {
		return proc.Run(ctx, cmd)
	}
	now := m.now
	watch := &printed{tell: func(lines int, last string) {
		now.Printed, now.Last = lines, last
		m.tell(now)
	}}
	defer watch.end()
	cmd.Stdout = watch
	return proc.Run(ctx, cmd)
}

// keepCut adds what an interrupted process printed to the round. In a trial, such results do not
// count, because the other side lacks them. Results of the warm-up, which may have taken an hour,
// become those of the first round.
func (m *measurement) keepCut(r *Round, results []*benchfmt.Result) {
	if len(m.Sides) != 1 {
		return
	}
	if r.N == 0 && len(results) > 0 {
		r.N, m.cut = m.number(1), r
	}
	for _, res := range results {
		m.place(res, r, 0)
	}
}

// cleaner is a program that can separate its result lines from the output of the measured code.
type cleaner interface {
	// Clean returns the output to pass to the format's reader. If a result could not be recovered,
	// wrong describes why; otherwise it is "".
	Clean(s program.Slot, stdout []byte) (out []byte, wrong string)
}
