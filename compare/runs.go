package compare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

func (c *Comparison) addRunCaveats(side string, of Side) {
	if of.Older > 0 {
		text := fmt.Sprintf("%d older runs on the %s side have the same benchmarks and were not used", of.Older, side)
		if of.Older == 1 {
			text = "an older run on the " + side + " side has the same benchmarks and was not used"
		}
		c.addCaveat(Caveat{CodeOlder, text, "perftrack list runs"})
	}
	blamed := func(r *record.Run) bool { // the run was stored as failed only because the other side failed
		return len(r.Failures) == 0 && slices.ContainsFunc(c.Failures, func(f Failure) bool { return f.Target == r.Target })
	}
	for _, r := range of.Runs {
		switch {
		case r.Status == record.Partial:
			c.addCaveat(Caveat{CodeRunStatus, "a run on the " + side + " side was interrupted", r.Target})
		case r.Status == record.Failed && !blamed(r):
			c.addCaveat(Caveat{CodeRunStatus, "a run on the " + side + " side has failures", r.Target})
		}
		if r.Commit.Dirty {
			c.addCaveat(Caveat{CodeDirty, "a run on the " + side + " side was measured with uncommitted changes", r.Target})
		}
	}
}

// busyLoad is the load per processor above which other programs must have been running; perftrack's
// own build causes a load of 1.
const busyLoad = 2

// Busy reports whether other programs kept the machine busy when a run began. load is the number of
// processes that wanted to run.
func Busy(r *record.Run) (load float64, busy bool) {
	load, err1 := strconv.ParseFloat(r.Facts.Get(record.KeyLoad), 64)
	cpus, err2 := strconv.ParseFloat(r.Env.Get(record.KeyCPUCount), 64)
	return load, len(r.Benchmarks) > 0 && err1 == nil && err2 == nil && load >= busyLoad*cpus // false for NaN
}

// BusyWords returns the text of the caveat about an excessive load, including the remedy.
func BusyWords(load float64) string {
	return fmt.Sprintf("other programs kept the machine busy when measuring began (load %.3g): find them with `perftrack doctor`", load)
}

// addBusy adds a caveat for each target if the machine was busy when one of its trials began.
func (c *Comparison) addBusy(runs []*record.Run) {
	loads := map[string]float64{}
	var targets []string
	for _, r := range runs {
		load, busy := Busy(r)
		if r.Trial == "" || !busy {
			continue
		}
		if loads[r.Target] == 0 {
			targets = append(targets, r.Target)
		}
		loads[r.Target] = max(loads[r.Target], load)
	}
	for _, t := range targets {
		c.addCaveat(Caveat{CodeBusy, BusyWords(loads[t]), t})
	}
}

// Interrupted reports whether the newest measurement of any target was stopped before its end.
func (c *Comparison) Interrupted() bool {
	return slices.ContainsFunc(c.pairings, func(p *pairs.Pairing) bool {
		last := map[int]*record.Run{}
		for side, runs := range p.Runs {
			for _, r := range runs {
				if last[side] == nil || !r.Start.Before(last[side].Start) {
					last[side] = r
				}
			}
		}
		return slices.ContainsFunc([]int{base, head}, func(side int) bool { return last[side] != nil && last[side].Status == record.Partial })
	})
}
