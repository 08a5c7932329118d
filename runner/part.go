package runner

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// A Part is one of several into which the slots of a target are divided, so that as many
// machines measure them. The zero value is all of them.
type Part struct {
	N, Of int // which part, from 1, of how many
	// First is the part that gets the first slot, from 0: several targets of one slot each
	// are not to come to the same machine.
	First int
	// Cost is how long a round of a slot takes; 0 where that is not known. Nil knows none.
	// It must be the same on all machines, as the slots must: see [Division].
	Cost func(Slot) time.Duration
}

// A Division is how the slots of a target were divided.
type Division struct {
	Own, All int // slots of this part, and of all parts
	// Digest is of all slots and whose they are. Parts of one digest have all slots between
	// them; of others nobody knows, since machines that saw other slots, or knew other
	// costs, may have left some to each other.
	Digest string
}

// Empty reports whether the part has no slot. A nil Division is of all.
func (d *Division) Empty() bool { return d != nil && d.Own == 0 }

// keepPart closes the slots that are of other parts. Only those that need samples are divided,
// so that each part has as much to do.
func (m *measurement) keepPart() {
	if m.Part.Of == 0 {
		return
	}
	slots := make([]Slot, len(m.open))
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

// divide returns of which part each slot is. The most expensive goes first, each to the part that
// has least to do (R. L. Graham, 1969: at most a third longer than the best division).
func (p Part) divide(slots []Slot) []int {
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

// costs returns what each slot costs: one of which that is not known as much as the median of
// the others. Whole microseconds add up to the same sum on every machine.
func (p Part) costs(slots []Slot) []time.Duration {
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

// digest identifies slots and their parts, in whichever order the slots are.
func digest(slots []Slot, of []int) string {
	lines := make([]string, len(slots))
	for i, s := range slots {
		lines[i] = fmt.Sprintf("%q %q %d\n", s.Package, s.Name(), of[i])
	}
	slices.Sort(lines)
	h := sha256.New()
	for _, l := range lines {
		_, _ = h.Write([]byte(l)) // to a hash: never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
