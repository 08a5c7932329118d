// Package merge brings the samples of several benchmarks into the order of measurement.
package merge

import "slices"

// A place is the position of a benchmark's next sample in the order of measurement.
type place struct{ round, order, benchmark int }

func (p place) before(q place) bool {
	switch {
	case p.round != q.round:
		return p.round < q.round
	case p.order != q.order:
		return p.order < q.order
	}
	return p.benchmark < q.benchmark
}

func comparePlaces(p, q place) int {
	switch {
	case p.before(q):
		return -1
	case q.before(p):
		return +1
	}
	return 0
}

// InOrder calls take once for each sample of n benchmarks, in the order of measurement, with the
// index of the sample's benchmark. head must return the position of a benchmark's next sample, or
// false if there is none, and take must consume that sample.
//
// Benchmarks are usually measured in the same order in every round. The places of a round are then
// sorted already when it begins, and the heap of later places needs no swaps.
func InOrder(n int, head func(benchmark int) (round, order int, ok bool), take func(benchmark int)) {
	now, later := make([]place, 0, n), make(placeHeap, 0, n)
	for i := range n {
		if round, order, ok := head(i); ok {
			later.push(place{round, order, i})
		}
	}
	for at := 0; at < len(now) || len(later) > 0; {
		if at == len(now) {
			now, later, at = later, now[:0], 0
			slices.SortFunc(now, comparePlaces)
		}
		first := now[at]
		if len(later) > 0 && later[0].before(first) {
			first = later.pop()
		} else {
			at++
		}
		take(first.benchmark)
		if round, order, ok := head(first.benchmark); ok {
			later.push(place{round, order, first.benchmark})
		}
	}
}

// A placeHeap is a heap with the first place on top.
type placeHeap []place

func (h *placeHeap) push(p place) {
	*h = append(*h, p)
	list := *h
	for i := len(list) - 1; i > 0; {
		parent := (i - 1) / 2
		if !p.before(list[parent]) {
			break
		}
		list[i], list[parent] = list[parent], p
		i = parent
	}
}

func (h *placeHeap) pop() place {
	list := *h
	first, last := list[0], len(list)-1
	list[0] = list[last]
	list = list[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if list[child].before(list[least]) {
				least = child
			}
		}
		if least == i {
			break
		}
		list[i], list[least] = list[least], list[i]
		i = least
	}
	*h = list
	return first
}
