package runner

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/program"
)

func slotsNamed(n int) (slots []program.Slot) {
	for i := range n {
		slots = append(slots, program.Slot{Package: fmt.Sprintf("example.com/p%d", i%3), Bench: fmt.Sprintf("B%03d", i)})
	}
	return slots
}

// Every slot belongs to exactly one part, regardless of the machine and the order of the slots, and
// all parts have about the same amount of work.
func TestDivide(t *testing.T) {
	uneven := func(s program.Slot) time.Duration {
		var n int
		_, _ = fmt.Sscanf(s.Bench, "B%d", &n)
		if n%7 == 0 {
			return 0 // unknown
		}
		return time.Duration(1+n%11*n%13) * 10 * time.Millisecond
	}
	for _, tt := range []struct {
		slots, of int
		cost      func(program.Slot) time.Duration
		most      float64 // the largest load of a part, relative to the mean
	}{
		{200, 4, nil, 1}, {200, 4, uneven, 1.01}, {201, 4, nil, 1.02}, {10, 3, nil, 1.2}, {3, 4, nil, 4}, {1, 64, uneven, 64}, {0, 4, nil, 0}, {7, 1, uneven, 1},
	} {
		slots := slotsNamed(tt.slots)
		of := Part{Of: tt.of, Cost: tt.cost}.divide(slots)
		mirrored := slices.Clone(slots)
		slices.Reverse(mirrored)
		for n := 1; n <= tt.of; n++ { // the division does not depend on the machine's own part
			again := Part{N: n, Of: tt.of, Cost: tt.cost}.divide(mirrored)
			slices.Reverse(again)
			if !slices.Equal(of, again) {
				t.Errorf("%d slots in %d parts: another order is divided otherwise", tt.slots, tt.of)
			}
		}
		if digest(slots, of) != digest(mirrored, reversed(of)) {
			t.Errorf("%d slots in %d parts: the order changes the digest", tt.slots, tt.of)
		}
		loads, sum := make([]time.Duration, tt.of), time.Duration(0)
		for i, c := range (Part{Cost: tt.cost}).costs(slots) {
			if of[i] < 1 || of[i] > tt.of {
				t.Fatalf("part %d of %d", of[i], tt.of)
			}
			loads[of[i]-1] += c
			sum += c
		}
		if mean := float64(sum) / float64(tt.of); float64(slices.Max(loads)) > tt.most*mean {
			t.Errorf("%d slots in %d parts: loads %v, in the mean %v", tt.slots, tt.of, loads, time.Duration(mean))
		}
	}
}

func reversed(of []int) []int {
	of = slices.Clone(of)
	slices.Reverse(of)
	return of
}

// Machines that see different slots or know different costs have different digests, so their parts
// are not combined.
func TestDigest(t *testing.T) {
	slots := slotsNamed(9)
	all := map[string]string{}
	add := func(what string, slots []program.Slot, p Part) {
		d := digest(slots, p.divide(slots))
		if other, ok := all[d]; ok {
			t.Errorf("%s and %s have one digest", what, other)
		}
		all[d] = what
	}
	add("nine", slots, Part{Of: 4})
	add("eight", slots[:8], Part{Of: 4})
	add("three parts", slots, Part{Of: 3})
	add("another first", slots, Part{Of: 4, First: 1})
	add("other costs", slots, Part{Of: 4, Cost: func(s program.Slot) time.Duration {
		if s.Bench == "B004" {
			return time.Hour
		}
		return time.Second
	}})
	renamed := slices.Clone(slots)
	renamed[3].Package += "x"
	of := make([]int, len(slots))
	if digest(slots, of) == digest(renamed, of) {
		t.Error("slots of another package, divided alike, have one digest")
	}
}

// An unknown cost is replaced by the median of the known costs. Among parts with the same amount of
// work, the one with the fewest slots gets the next slot.
func TestUnknownCosts(t *testing.T) {
	costs := []time.Duration{10, 9, 0, 1, 1, 1}
	var slots []program.Slot
	for i := range costs {
		slots = append(slots, program.Slot{Bench: fmt.Sprintf("B%d", i)})
	}
	p := Part{Of: 2, Cost: func(s program.Slot) time.Duration { return costs[s.Bench[1]-'0'] * 2 * time.Second }}
	if got := p.costs(slots)[2]; got != 2*time.Second {
		t.Errorf("an unknown cost is %v, want 2s", got)
	}
	costs[2] = 3 // 10+1+1 in one part, 9+3 in the other
	if got, want := p.divide(slots), []int{1, 2, 2, 1, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("divided as %v, want %v", got, want)
	}
}

// Targets with one slot each are assigned to different parts.
func TestFirstPart(t *testing.T) {
	for k := range 5 {
		if of := (Part{Of: 4, First: k}).divide(slotsNamed(1)); of[0] != k%4+1 {
			t.Errorf("the slot of target %d is of part %d", k, of[0])
		}
	}
}
