package main

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// Under bursts of load, checks of equal code mostly remain undecided with fresh processes, and find
// the code unchanged if base and head take turns.
//
// The test should not fail by chance or because of other load. The threshold is a sixth of the
// noise of fresh samples, measured under the load. A check can call code unchanged within 40 rounds
// only if the noise of its pairs is less than half the noise of the samples. Fresh pairs are about
// as noisy as the samples: in none of 300 simulations of bursts like the disturber's were two of
// three checks decided. The noise of slices was 0.7 to 2.7 % when the CV of the samples was 56 %. A
// busier machine raises both the threshold and the noise, so it makes verdicts neither easier nor
// harder. Slices may become ten times as noisy, and one of three checks with each method may have
// the other method's result. A check calls equal code slower with a chance of alpha, and faster
// with the same chance. With the usual 1 %, at least one of the six checks would do so in one of
// ten runs of the test; with 0.1 %, in one of a hundred.
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
	noise := min(100*sd/mean, robustSD(samples)) // to avoid taking one late sample for noise
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
