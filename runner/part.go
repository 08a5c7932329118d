package runner

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner/program"
)

// A Part is a share of a target's slots. The shares can be measured on different machines. The zero
// value means all slots.
type Part struct {
	N, Of int // number of this part, counted from 1, and number of parts
	// First is the index of the part that gets the first slot. Varying it keeps targets with one
	// slot each from all being measured on the same machine.
	First int
	// Cost returns the time that a round of a slot takes, or 0 if unknown. If Cost is nil, no times
	// are known. Costs must be the same on all machines, and so must the slots. See [Division].
	Cost func(program.Slot) time.Duration
}

// A Division describes how a target's slots were divided into parts.
type Division struct {
	Own, All int // number of slots in this part, and in all parts
	// Digest identifies the slots and the part each is in. Parts with the same digest together
	// cover all slots. Parts with different digests might not, because machines with different
	// slots or costs may both have left out a slot.
	Digest string
}

// Empty reports whether the part has no slots. A nil Division means all slots.
func (d *Division) Empty() bool { return d != nil && d.Own == 0 }

// keepPart removes the slots that belong to other parts. It is called after the slots that need no
// samples have been removed, so that every part gets the same amount of work.
func (m *measurement) keepPart() {
	if m.Part.Of == 0 {
		return
	}
	slots := make([]program.Slot, len(m.open))
	for i, e := range m.open {
		slots[i] = e.Slot
	}
	of := m.Part.divide(slots)
	m.out.Division = &Division{All: len(slots), Digest: digest(slots, of)}
	i := -1
	m.open = slices.DeleteFunc(m.open, func(*entry) bool {
		i++
		return of[i] != m.Part.N
	})
	m.out.Division.Own = len(m.open)
}

// divide returns the part each slot is in. It assigns the most expensive slots first, each to the
// part with the least work so far (R. L. Graham, 1969: at most a third longer than the best
// division).
func (p Part) divide(slots []program.Slot) []int {
	costs := p.costs(slots)
	order := make([]int, len(slots))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(costs[b], costs[a]), cmp.Compare(slots[a].Package, slots[b].Package), cmp.Compare(slots[a].Name(), slots[b].Name()))
	})
	of := make([]int, len(slots))
	load, count := make([]time.Duration, p.Of), make([]int, p.Of)
	for _, i := range order {
		least := p.First % p.Of
		for k := range p.Of {
			k = (p.First + k) % p.Of
			if cmp.Or(cmp.Compare(load[k], load[least]), cmp.Compare(count[k], count[least])) < 0 {
				least = k
			}
		}
		of[i] = least + 1
		load[least] += costs[i]
		count[least]++
	}
	return of
}

// costs returns the cost of each slot, using the median of the known costs for slots whose cost is
// unknown. Costs are whole microseconds, so they add up to the same sum on every machine.
func (p Part) costs(slots []program.Slot) []time.Duration {
	costs := make([]time.Duration, len(slots))
	var known []time.Duration
	for i, s := range slots {
		if p.Cost == nil {
			break
		}
		if c := min(p.Cost(s), 24*time.Hour).Round(time.Microsecond); c > 0 {
			costs[i] = c
			known = append(known, c)
		}
	}
	usual := time.Second
	if len(known) > 0 {
		slices.Sort(known)
		usual = known[len(known)/2]
	}
	for i, c := range costs {
		costs[i] = cmp.Or(c, usual)
	}
	return costs
}

// digest returns a hash of the slots and their parts, independent of the order of the slots.
func digest(slots []program.Slot, of []int) string {
	lines := make([]string, len(slots))
	for i, s := range slots {
		lines[i] = fmt.Sprintf("%q %q %d\n", s.Package, s.Name(), of[i])
	}
	slices.Sort(lines)
	h := sha256.New()
	for _, l := range lines {
		_, _ = h.Write([]byte(l)) // writing to a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
