package record

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// maxPace is the longest duration that a protocol can state.
const maxPace = 24 * time.Hour

// check returns an error for any value perftrack itself would not write, because a protocol may
// come from an untrusted pull request.
func (p *Protocol) check() error {
	if p.ofFacts {
		return nil // facts are checked elsewhere, and their values are bounded when they are read
	}
	checks := []struct {
		what string
		ok   bool
	}{
		{"part", p.Part == nil || p.Part.sound()},
		{"spread", p.Spread == nil || p.Spread.sound()},
		{"family", p.Family == nil || p.Family.Of >= 1},
		{"alpha_share", p.AlphaShare >= 0 && p.AlphaShare < 1},
		{"same_code", countsSound(p.SameCode)},
		{"unreached", countsSound(p.Unreached)},
		{"lacks", countsSound(p.Lacks)},
		{"tests", !slices.ContainsFunc(p.Tests, func(t SharedTests) bool { return t.Of != Base && t.Of != Head })},
		{"starved", p.Starved == nil || p.Starved.sound()},
		{"pace", p.Pace == nil || p.Pace.Round > 0 && paceSound(p.Pace.Setup, p.Pace.Round)},
		{"terms", p.Terms == nil || p.Terms.sound()},
		{"methods", !slices.ContainsFunc(p.Methods, func(w Method) bool { return !w.sound() })},
	}
	for _, c := range checks {
		if !c.ok {
			return fmt.Errorf("%s: %s is out of range", keyProtocol, c.what)
		}
	}
	if n := len(numberedJSON(p)); n > MaxProtocolParts*maxListLen {
		return fmt.Errorf("%s is longer than %d bytes", keyProtocol, MaxProtocolParts*maxListLen)
	}
	return nil
}

func (p Part) sound() bool {
	return p.numbered() && p.Own >= 0 && p.Own <= p.All && p.All <= MaxBenchmarks && (p.Division != "" || p.All == 0)
}

// sound allows no more machines and sessions than rounds.
func (s Spread) sound() bool {
	return max(len(s.Class), len(s.Machine)) <= maxSpreadName &&
		s.Machines >= 0 && s.Machines <= MaxSamples && s.Session >= 0 && s.Session <= MaxSamples
}

func (s Starved) sound() bool {
	return s.Benchmarks >= 1 && s.Benchmarks <= MaxBenchmarks && s.Rounds >= 1 && s.Rounds <= MaxSamples && paceSound(s.Setup, s.Round)
}

func (m Method) sound() bool {
	return (m.How == MethodSlices || m.How == MethodFresh) && min(m.N, m.Slices, m.Remembered, m.Sliced, m.Fresh) >= 0 && m.Length >= 0
}

// sound reports whether verdicts can be based on the terms. It does not check the limits, which
// package limit parses.
func (t *Terms) sound() bool {
	fraction := func(x float64) bool { return x > 0 && x < 1 }
	amount := func(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }
	for _, r := range t.Rules {
		if !(amount(r.Threshold) && amount(r.MeanWithin) && (r.Threshold+r.MeanWithin > 0 || r.Better != 0)) {
			return false
		}
		if r.Better < -1 || r.Better > 1 || (r.Better != 0) != (r.Unit != "") {
			return false
		}
	}
	for _, f := range t.Floors {
		if !(amount(f.Noise) && (f.Noise > 0 || f.Capped)) {
			return false
		}
	}
	return fraction(t.Alpha) && t.Families > 0 && t.Threshold > 0 && amount(t.Threshold) && amount(t.MeanWithin)
}

func countsSound(list []Count) bool {
	return !slices.ContainsFunc(list, func(c Count) bool { return c.Benchmarks < 0 || c.Benchmarks > MaxBenchmarks })
}

func paceSound(setup, round time.Duration) bool {
	return min(setup, round) >= 0 && max(setup, round) <= maxPace
}
