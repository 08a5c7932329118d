package main

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// On a machine that bursts of load disturb, the same work is mostly undecided where every
// sample is a process of its own, and is called unchanged where base and head take turns.
//
// None of this is left to chance, nor to how busy the machine is beside the disturber: the
// threshold is a sixth of the noise of fresh samples, measured under the load. To call anything
// unchanged within 40 rounds takes pairs whose noise is below half of that of the samples. That of
// fresh pairs is about as large: with bursts as those of the disturber, simulated, 2 of 3 checks
// decide in none of 300. That of slices was 0.7 to 2.7 % where the samples' CV was 56 %. So a busier
// machine asks as much less of a verdict as it gives, slices may become ten times as noisy, and
// of three checks of each way one may come out as the other way's. A check calls the same work slower
// with a chance of alpha, and quicker with as much: at the usual 1 % one of six checks would in one of
// ten plays, at 0.1 % one does in a hundred.
func TestLiveDisturbed(t *testing.T) {
	live(t)
	if err := turnstile.Supported(); err != nil {
		t.Skip(err)
	}
	m := newWorkModule(t)
	base := m.binaryOf("live", 0)
	m.disturb()
	samples := freshSamples(t, base, 15, "Spin")[0]
	mean, sd := moments(samples)
	noise := min(100*sd/mean, robustSD(samples)) // one late sample is not to be taken for noise
	t.Logf("CV of 15 fresh samples of 100 ms: %.1f %%, robust SD %.1f %%", 100*sd/mean, robustSD(samples))
	if noise < 10 {
		t.Skip("the disturber does not disturb this machine: PERFTRACK_DISTURB='-per-cpu 4' go test -run " + t.Name())
	}
	threshold := fmt.Sprintf("%.3f", noise/600)
	found := map[string]*tally{}
	for _, way := range []string{"slices", "fresh"} {
		found[way] = &tally{}
		for i := range 3 {
			c := m.pairsCheck(fmt.Sprintf("%s-%d", way, i), "same", way, []string{"Spin"}, "--threshold", threshold, "--benchtime", "50ms", "--alpha", "0.1%")
			t.Logf("%s: %s, %.1f s", way, c, c.took.Seconds())
			found[way].add(c)
		}
		if n := found[way].wrong("unchanged"); n > 0 {
			t.Errorf("%s: %d of 3 checks call the same work another", way, n)
		}
	}
	sliced, fresh := found["slices"].count("unchanged", "", 0), found["fresh"].count("unchanged", "", 0)
	if sliced < 2 || fresh > 1 {
		t.Errorf("of 3 checks in slices %d decide, of 3 with fresh processes %d; want at least 2 and at most 1", sliced, fresh)
	}
}
