package verdicts

import (
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// On the same samples, four machines give the same verdicts as one machine in nearly all cases, and
// false ones no more often than alpha allows. A lost machine is always reported.
func TestSimulateShards(t *testing.T) {
	for i, s := range Divisions() {
		n := 41
		if evaluation.Handful() {
			n = 2
		}
		d := RunDivided(s.Scenario, shards, n, 17+uint64(i)<<32)
		t.Logf("%s: %+v", s.Name, d)
		if d.Green > 0 {
			t.Errorf("%s: %d of %d pull requests look whole without a part", s.Name, d.Green, n)
		}
		if d.Parts.PullRequests != n || d.Benchmarks != 29*n {
			t.Errorf("%s: %d pull requests, %d benchmarks", s.Name, d.Parts.PullRequests, d.Benchmarks)
		}
		if evaluation.Handful() {
			continue
		}
		if bad := d.Less + d.More + d.Otherwise; bad*20 > d.Benchmarks {
			t.Errorf("%s: %d of %d benchmarks have another verdict", s.Name, bad, d.Benchmarks)
		}
		if figures.AtLeast(d.Parts.Alarms, n) > mostAlarms || figures.AtLeast(d.Parts.Wrong.Of(compare.Improved), n) > mostAlarms {
			t.Errorf("%s: %+v", s.Name, d.Parts)
		}
	}
}
