package check

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// Where the terms cannot be stored no ranks are capped: who judges the trial later would not
// know of it.
func TestRanksAreNotCappedUnnoted(t *testing.T) {
	rules := config.Default()
	for i := range 1000 {
		rules.Rules = append(rules.Rules, config.Rule{Bench: fmt.Sprintf("Benchmark_%d_*", i), Threshold: 0.1})
	}
	id := record.BenchmarkID{Kind: record.Bench, Name: "X"}
	known := map[comparison.SeriesKey]comparison.Noise{{BenchmarkID: id, Unit: "ns/op"}: {Floor: 0.02, Capped: true}}
	c := &check{
		session: &workspace.Session{}, terms: comparison.NewTerms(rules, 1),
		noise: &comparison.Noises{Known: map[string]map[comparison.SeriesKey]comparison.Noise{"m": known}},
	}
	c.noteTerms("m", nil)
	if c.noise.Capped("m", id, "ns/op") || c.noise.Floor("m", id, "ns/op") != 0.02 {
		t.Errorf("%+v", c.noise.Known)
	}
}
