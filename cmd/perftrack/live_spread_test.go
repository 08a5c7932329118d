package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/slicing"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// TestLiveSpread compares how precise slices and fresh pairs of processes are in the same time.
// Both measure each benchmark of the engine's suite against itself, in turns.
//
//	PERFTRACK_LIVE=full go test -run LiveSpread -v -timeout 1h ./cmd/perftrack
//
// A round with either method takes 100 ms on each side. For each method the test prints the SD of a
// round's log ratio. It also computes the SD of the estimate from 20 rounds, resampled from the
// measured ones, times the square root of the time of a round. It prints the ratio of these
// products, the ratio of the SDs of two estimates that take the same time. PERFTRACK_LIVE_CHECKS
// sets a number of rounds other than 24, and PERFTRACK_LIVE_BENCH selects benchmarks by a part of
// the name.
func TestLiveSpread(t *testing.T) {
	if !full() {
		t.Skip("it takes a quarter of an hour: PERFTRACK_LIVE=full go test -run LiveSpread -v -timeout 1h ./cmd/perftrack")
	}
	rounds := checksOr(t, 24)
	binary := filepath.Join(t.TempDir(), "engine.test")
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-o", binary, "../../engine/workloads").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list, err := exec.Command(binary, "-test.list=Benchmark").Output()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("| benchmark | ns/op | fresh: SD of a round, s | slices: SD of a round, s | SD of the estimate for the same time, slices to fresh | measured |\n|---|--:|--:|--:|--:|---|")
	var all []spread
	for _, m := range regexp.MustCompile(`(?m)^Benchmark(\S+)`).FindAllStringSubmatch(string(list), -1) {
		if strings.Contains(m[1], os.Getenv("PERFTRACK_LIVE_BENCH")) {
			s := measureSpread(t, binary, m[1], rounds)
			fmt.Println(s)
			all = append(all, s)
		}
	}
	noisy := func(s spread) bool { return s.fresh.sd() >= 0.08 }
	fmt.Printf("\nfresh SD at least 8 %%, an operation under 1 ms: %s\n", geomean(all, func(s spread) bool { return noisy(s) && s.ns < 1e6 }))
	fmt.Printf("fresh SD at least 8 %%, all: %s\n", geomean(all, noisy))
	fmt.Printf("elsewhere: %s\n", geomean(all, func(s spread) bool { return !noisy(s) }))
}

// A spread holds the rounds of one benchmark measured against itself with both methods.
type spread struct {
	bench         string
	ns            float64
	way           slicing.Method
	fresh, slices roundsOf
}

// roundsOf holds the log ratio of each round, and the total time of the rounds.
type roundsOf struct {
	logs []float64
	took time.Duration
}

func (r roundsOf) sd() float64      { _, sd := moments(r.logs); return sd }
func (r roundsOf) seconds() float64 { return r.took.Seconds() / float64(len(r.logs)) }

// cost returns the SD of the estimate from 20 rounds, times the square root of the time of a round.
func (r roundsOf) cost() float64 {
	rng := rand.New(rand.NewPCG(1, 1))
	const draws, n = 400, 20
	var estimates []float64
	drawn := make([]float64, n)
	for range draws {
		for i := range drawn {
			drawn[i] = r.logs[rng.IntN(len(r.logs))]
		}
		estimates = append(estimates, walsh(drawn))
	}
	_, sd := moments(estimates)
	return sd * math.Sqrt(r.seconds())
}

// walsh returns the estimate of the signed-rank test: the median of the means of all pairs.
func walsh(v []float64) float64 {
	var means []float64
	for i := range v {
		for j := i; j < len(v); j++ {
			means = append(means, (v[i]+v[j])/2)
		}
	}
	return stat.Median(means)
}

// ratio returns the cost of slices relative to fresh pairs. It is 1 if the benchmark cannot be
// sliced.
func (s spread) ratio() float64 {
	if !s.way.Sliced() {
		return 1
	}
	return s.slices.cost() / s.fresh.cost()
}

func (s spread) String() string {
	line := fmt.Sprintf("| %s | %.4g | %.1f %%, %.2f ", s.bench, s.ns, 100*s.fresh.sd(), s.fresh.seconds())
	if !s.way.Sliced() {
		return line + "| | 1 | fresh: " + s.way.Why + " |"
	}
	return line + fmt.Sprintf("| %.1f %%, %.2f | %.2f | %s |", 100*s.slices.sd(), s.slices.seconds(), s.ratio(), wayText(s.way))
}

func wayText(w slicing.Method) string {
	text := fmt.Sprintf("%d slices of %.2g ms", w.Slices, 1e3*w.Length.Seconds())
	if w.Stopped {
		text += ", stopped"
	}
	return text
}

func measureSpread(t *testing.T, binary, bench string, rounds int) (s spread) {
	t.Helper()
	side := turnstile.Program{Binary: binary}
	spec := turnstile.Spec{Sides: [2]turnstile.Program{side, side}, Name: bench, Timeout: time.Minute}
	long := longResults(t, spec)
	s.bench, s.ns = bench, 1e9*nsOf(t, long[0])
	var err error
	if s.way, err = slicing.Choose(t.Context(), spec, long, 100*time.Millisecond, slicing.Affords{}, 0); err != nil {
		t.Fatal(err)
	}
	coins := rand.New(rand.NewPCG(1, 1))
	for round := 1; round <= rounds; round++ {
		first := coins.IntN(2)
		s.fresh.add(func() ([2]float64, error) { return oneRound(t, slicing.Method{}, spec, round, first) })
		if !s.way.Sliced() {
			continue
		}
		s.slices.add(func() ([2]float64, error) { return oneRound(t, s.way, spec, round, first) })
	}
	if s.way.Sliced() && len(s.slices.logs) < rounds/2 {
		t.Errorf("%s: %d of %d rounds in slices are missing", bench, rounds-len(s.slices.logs), rounds)
	}
	return s
}

// add measures one round. A failing round adds only its time.
func (r *roundsOf) add(measure func() ([2]float64, error)) {
	start := time.Now()
	values, err := measure()
	r.took += time.Since(start)
	if err == nil {
		r.logs = append(r.logs, math.Log(values[1]/values[0]))
	}
}

// geomean describes the geometric mean of the ratios of some benchmarks, and the largest ratio.
func geomean(all []spread, of func(spread) bool) string {
	sum, n, worst := 0.0, 0, spread{}
	largest := 0.0
	for _, s := range all {
		if !of(s) {
			continue
		}
		ratio := s.ratio()
		sum, n = sum+math.Log(ratio), n+1
		if ratio > largest {
			largest, worst = ratio, s
		}
	}
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("%d benchmarks, geometric mean %.2f, largest %.2f (%s)", n, math.Exp(sum/float64(n)), largest, worst.bench)
}
