package slicing

import "testing"

// Slices represent a long sample if both allocate about the same amount per operation.
func TestAlike(t *testing.T) {
	for _, tt := range []struct {
		slice, long costs
		want        bool
	}{
		{costs{bytes: 655}, costs{}, false},
		{costs{bytes: 9}, costs{}, true},
		{costs{bytes: 1010, allocs: 2}, costs{bytes: 1000, allocs: 2}, true},
		{costs{bytes: 1100, allocs: 2}, costs{bytes: 1000, allocs: 2}, true},
		{costs{bytes: 1120, allocs: 2}, costs{bytes: 1000, allocs: 2}, false},
		{costs{bytes: 880, allocs: 2}, costs{bytes: 1000, allocs: 2}, false},
		{costs{allocs: 1}, costs{}, false},
		{costs{allocs: 1001}, costs{allocs: 1000}, true},
	} {
		for side := range 2 {
			c := chooser{}
			c.long[side] = tt.long
			var p probe
			p.sides[side] = []probed{{costs: tt.slice}, {costs: tt.slice}, {costs: costs{bytes: 1e6, allocs: 1e6}}}
			if got := c.alike(p); got != tt.want {
				t.Errorf("side %d: %+v of slices, %+v of a long sample: %v", side, tt.slice, tt.long, got)
			}
		}
	}
}

// Slices also match a long sample if most counts, but not all, have to refill a pool, because a
// round leaves out this cost. They match as well if the allocations vary from operation to
// operation.
func TestAlikeInTurns(t *testing.T) {
	for _, tt := range []struct {
		name  string
		bytes []float64
		long  float64
		want  bool
	}{
		{"most counts fill a pool", []float64{655, 655, 0, 655, 655, 655}, 0, true},
		{"all counts fill a pool", []float64{655, 655, 655, 655, 655, 655}, 0, false},
		{"now more and now less", []float64{800, 1005, 1200, 700, 1010, 1300}, 1000, true},
		{"a map that grows later", []float64{10, 10, 12, 10, 10, 10}, 80, false},
	} {
		c := chooser{}
		c.long = [2]costs{{bytes: tt.long}, {bytes: tt.long}}
		var p probe
		for side := range p.sides {
			for _, b := range tt.bytes {
				p.sides[side] = append(p.sides[side], probed{costs: costs{bytes: b}})
			}
		}
		if got := c.alike(p); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
