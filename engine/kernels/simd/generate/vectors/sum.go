package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A sum64 holds 16 sums in float64, one for each lane of a block.
type sum64 struct {
	lanes
	parts []reg.VecVirtual
}

func (v lanes) newSum() *sum64 {
	s := &sum64{lanes: v}
	for i := 0; i < blockLanes; i += v.count() / 2 {
		s.parts = append(s.parts, v.zero())
	}
	return s
}

// add adds the float32 vector x, the part'th vector of its block.
func (s *sum64) add(x reg.VecVirtual, part int) {
	for i := range 2 {
		sum := s.parts[2*part+i]
		VADDPD(s.half(x, i), sum, sum)
	}
}

// total returns the sum of all lanes. It repeatedly adds the upper half to the lower one.
func (s *sum64) total() reg.VecVirtual {
	parts := s.parts
	for len(parts) > 1 {
		half := len(parts) / 2
		for i := range half {
			VADDPD(parts[half+i], parts[i], parts[i])
		}
		parts = parts[:half]
	}
	t := parts[0]
	if s.wide {
		upper := YMM()
		VEXTRACTF64X4(Imm(1), t, upper)
		VADDPD(upper, t.AsY(), t.AsY())
	}
	x := XMM()
	VEXTRACTF128(Imm(1), t.AsY(), x)
	VADDPD(x, t.AsX(), t.AsX())
	VPERMILPD(Imm(1), t.AsX(), x)
	total := XMM()
	VADDSD(x, t.AsX(), total)
	return total
}

// groups computes one term for each of the sums at every place in the blocks. It adds the terms of
// blocks 2i and 2i+1, then adds these pairs pairwise, and finally adds the result to the sums.
func (v lanes) groups(blocks []block, sums []*sum64, step func(p place, add func(...reg.VecVirtual))) {
	for part := range blocks[0] {
		var waiting [][]reg.VecVirtual // sums over 1, 2, 4, ... blocks
		for i, b := range blocks {
			step(b[part], func(terms ...reg.VecVirtual) {
				for n := i + 1; n%2 == 0; n /= 2 {
					before := waiting[len(waiting)-1]
					waiting = waiting[:len(waiting)-1]
					for j := range terms {
						VADDPS(terms[j], before[j], before[j])
					}
					terms = before
				}
				waiting = append(waiting, terms)
			})
		}
		for j, s := range sums {
			s.add(waiting[0][j], part)
		}
	}
}
