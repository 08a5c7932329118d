package noise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Machines produce noise of about the promised variance, with the promised share for the drift.
func TestMachines(t *testing.T) {
	for _, f := range Families {
		for _, drift := range []float64{0, 0.7} {
			m := f.New(drift, 120)
			var sum, squares, within float64
			const n = 4000
			for i := range n {
				m.Boot(rand.New(rand.NewPCG(5, uint64(i))))
				a := clipped(m)
				b := clipped(m)
				sum += a
				squares += a * a
				within += (a - b) * (a - b) / 2
			}
			mean := sum / n
			variance := squares/n - mean*mean
			t.Logf("%s, drift %v: variance %.2f, of a pair %.2f", f.Name, drift, variance, within/n)
			if variance < 0.6 || variance > 1.5 {
				t.Errorf("%s, drift %v: variance %.2f", f.Name, drift, variance)
			}
			if share := within / n / variance; math.Abs(share-(1-drift)) > 0.15 {
				t.Errorf("%s, drift %v: pairs have %.2f of the variance", f.Name, drift, share)
			}
		}
	}
}

// clipped returns a sample from a new process, with spikes and far tails clipped.
func clipped(m Machine) float64 {
	m.Start()
	return min(4, max(-4, m.Sample()))
}
