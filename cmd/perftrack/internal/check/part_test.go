package check

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// trialOf returns a trial of a part as the store lists it. The part "" means all benchmarks.
func trialOf(id, part string) store.Trial {
	r := record.RunInfo{}
	if p, ok := record.ParsePart(part); ok {
		r.Protocol.Part = &p
	}
	return store.Trial{ID: id, Runs: []record.RunInfo{r}}
}

// The parts of one measurement count as one measurement in any order, and all trials together get
// at most alpha.
func TestMeasurementsBefore(t *testing.T) {
	for _, tt := range []struct {
		parts []string // in the order of measuring
		want  []int
	}{
		{[]string{"", "", ""}, []int{0, 1, 2}},
		{[]string{"1/4", "2/4", "3/4", "4/4"}, []int{0, 0, 0, 0}},
		{[]string{"1/2", "", "2/2", "2/2", "1/2", ""}, []int{0, 1, 0, 2, 2, 3}},
		{[]string{"1/2", "1/2", "1/2", "2/2", "2/2"}, []int{0, 1, 2, 0, 1}},
		{[]string{"1/2", "1/3", "2/3", "2/2", "1/1"}, []int{0, 1, 1, 0, 2}},
	} {
		var trials []store.Trial
		sum := 0.0
		for i, text := range tt.parts {
			part, _ := record.ParsePart(text)
			got := measurementsBefore(trials, part)
			if got != tt.want[i] {
				t.Errorf("%q: trial %d is measurement %d, want %d", tt.parts, i, got, tt.want[i])
			}
			c := &check{session: session(), trial: trial{others: got}, opt: Options{Part: part}}
			c.beginTrial()
			if got > 0 { // the first trial spends less than alpha; later trials share the rest
				sum += c.trial.share
			}
			trials = append(trials, trialOf(string(rune('a'+i)), text))
		}
		if left := 2 * pairs.FurtherShare(1); sum > left {
			t.Errorf("%q: further measurements have %v of alpha, of %v", tt.parts, sum, left)
		}
	}
}

// A part gets its share of the trial's share of alpha.
func TestShareOfAPart(t *testing.T) {
	for _, tt := range []struct {
		part   string
		others int
		want   float64
	}{{"", 0, 1}, {"1/1", 0, 1}, {"2/4", 0, 0.25}, {"2/4", 1, pairs.FurtherShare(1) / 4}, {"", 2, pairs.FurtherShare(2)}} {
		part, _ := record.ParsePart(tt.part)
		c := &check{session: session(), trial: trial{others: tt.others}, opt: Options{Part: part}}
		if c.beginTrial(); math.Abs(c.trial.share-tt.want) > 1e-15 {
			t.Errorf("%+v: share %v", tt, c.trial.share)
		}
	}
}

// A function costs as much as all of its benchmarks together, regardless of the name of its slot.
func TestCostsOf(t *testing.T) {
	bench := func(pkg, name, unit string, values ...float64) record.Benchmark {
		return record.Benchmark{
			BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: pkg, Name: name}, Samples: []record.Samples{{Unit: unit, Values: values}},
		}
	}
	run := &record.Run{Target: "lib", Benchmarks: []record.Benchmark{
		bench("p", "Slow", "ns/op", 3e9, 1e9, 2e9), bench("p", "Split/a", "ns/op", 10), bench("p", "Split/b", "sec/op", 0.5),
		bench("q", "Odd", "B/op", 5), bench("q", "Nonsense", "ns/op", math.Inf(1)),
	}}
	costs := costsOf(run, "100ms")
	for slot, want := range map[program.Slot]time.Duration{
		{Package: "p", Bench: "Slow"}: 2100 * time.Millisecond, {Package: "p", Bench: "Split"}: 700*time.Millisecond + 10,
		{Package: "q", Bench: "Odd"}: 100 * time.Millisecond, {Package: "q", Bench: "Nonsense"}: 100 * time.Millisecond,
		{Bench: "Slow"}: 2100 * time.Millisecond, {Package: "lib"}: 3*time.Second + 10, {Package: "p", Bench: "New"}: 0,
	} {
		if costs[slot.String()] != want {
			t.Errorf("%v costs %v, want %v", slot, costs[slot.String()], want)
		}
	}
	if got := costsOf(run, "50x")[(program.Slot{Package: "p", Bench: "Split"}).String()]; got != 500*time.Millisecond+10 {
		t.Errorf("50x: %v", got)
	}
}

func session() *workspace.Session {
	return &workspace.Session{Now: time.Now, Rand: rand.New(rand.NewPCG(1, 2))}
}
