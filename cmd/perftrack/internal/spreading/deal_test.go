package spreading

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/compare/stat"
	_ "github.com/perftrack/perftrack/runner/drawtest"
)

func TestDealEvenly(t *testing.T) {
	plan := stat.CheckPlan()
	for _, tt := range []struct {
		workers, aim int
		want         []Stretch
	}{
		{1, 16, []Stretch{{1, 4}, {5, 8}}},
		{2, 16, []Stretch{{1, 4}, {5, 8}, {9, 12}}},
		{4, 9, []Stretch{{1, 3}, {4, 5}, {6, 6}, {7, 7}, {8, 8}}},
		{8, 16, []Stretch{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 9}, {10, 10}, {11, 11}, {12, 12}, {13, 13}}},
		{0, 16, []Stretch{{1, 4}, {5, 8}}},
	} {
		d := NewDeal(0, plan.Last(), plan.NextLook)
		if got := d.Deal(tt.workers, tt.aim); !slices.Equal(got, tt.want) {
			t.Errorf("%d workers, look %d: %v, want %v", tt.workers, tt.aim, got, tt.want)
		}
		if more := d.Deal(tt.workers, tt.aim); len(more) > 0 {
			t.Errorf("%d workers got more jobs without an answer: %v", tt.workers, more)
		}
	}
}

// Whatever the workers do, each round is measured or lost exactly once, a look never sees a gap, and
// the deal ends.
func TestDealAllRounds(t *testing.T) {
	plan := stat.CheckPlan()
	rapid.Check(t, func(t *rapid.T) {
		after := rapid.IntRange(0, 20).Draw(t, "after")
		d := NewDeal(after, plan.Last(), plan.NextLook)
		seen := map[int]bool{}
		for n := 1; n <= after; n++ {
			seen[n] = true
		}
		if n := rapid.IntRange(0, 3).Draw(t, "stored before"); n > 0 {
			first := after + rapid.IntRange(1, 6).Draw(t, "first stored")
			s := Stretch{first, first + n - 1}
			d.Arrived(s)
			for ; first <= s.Last; first++ {
				seen[first] = true
			}
		}
		var running []Stretch
		for step := 0; !d.Over(); step++ {
			if step > 1000 {
				t.Fatalf("no end: known %d, running %v", d.Known(), running)
			}
			running = append(running, d.Deal(rapid.IntRange(0, 9).Draw(t, "workers"), rapid.IntRange(0, 17).Draw(t, "aim"))...)
			if len(running) == 0 || len(running) != d.Pending() {
				t.Fatalf("%d jobs run, %d are counted", len(running), d.Pending())
			}
			i := rapid.IntRange(0, len(running)-1).Draw(t, "job")
			job := running[i]
			running = slices.Delete(running, i, i+1)
			if job.Last-job.First >= MaxRounds || job.Last > plan.Last() || job.First > job.Last {
				t.Fatalf("job %v", job)
			}
			last := rapid.IntRange(job.First, job.Last).Draw(t, "last")
			d.Arrived(Stretch{job.First, last})
			for n := job.First; n <= last; n++ {
				if seen[n] {
					t.Fatalf("round %d twice", n)
				}
				seen[n] = true
			}
			for n := 1; n <= d.Known(); n++ {
				if !seen[n] {
					t.Fatalf("round %d is unknown, but all up to %d should be known", n, d.Known())
				}
			}
		}
	})
}

// Rounds that were stored in other jobs than the present ones end these jobs.
func TestDealStoredOtherwise(t *testing.T) {
	d := NewDeal(0, 20, func(round int) int { return round + 4 })
	d.Most = 2
	for _, tt := range []struct {
		part    Stretch
		known   int
		pending int
		deals   []Stretch
	}{
		{Stretch{}, 0, 0, []Stretch{{1, 2}, {3, 4}}},
		{Stretch{2, 3}, 0, 2, nil},               // rounds 1 and 4 are missing
		{Stretch{1, 1}, 3, 1, []Stretch{{5, 6}}}, // round 2 is known, so nothing of job 1 to 2 is left
		{Stretch{4, 9}, 9, 0, []Stretch{{10, 11}, {12, 13}}},
		{Stretch{12, 13}, 9, 1, []Stretch{{14, 15}}},
		{Stretch{10, 10}, 10, 1, []Stretch{{11, 11}}}, // the job ended early
	} {
		if tt.part.First > 0 {
			d.Arrived(tt.part)
		}
		if d.Known() != tt.known || d.Pending() != tt.pending {
			t.Errorf("after %v: all known up to %d, want %d; %d jobs, want %d", tt.part, d.Known(), tt.known, d.Pending(), tt.pending)
		}
		if got := d.Deal(1, 0); !slices.Equal(got, tt.deals) {
			t.Errorf("after %v: dealt %v, want %v", tt.part, got, tt.deals)
		}
	}
}
