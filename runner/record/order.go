package record

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

// inOrder calls take once for each sample of n benchmarks, in the order of measurement, with the
// index of the sample's benchmark. head must return the position of a benchmark's next sample, or
// false if there is none, and take must consume that sample.
func inOrder(n int, head func(benchmark int) (round, order int, ok bool), take func(benchmark int)) {
	heap := make([]place, 0, n)
	for i := range n {
		if round, order, ok := head(i); ok {
			heap = append(heap, place{round, order, i})
		}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sink(heap, i)
	}
	for len(heap) > 0 {
		first := &heap[0]
		take(first.benchmark)
		round, order, ok := head(first.benchmark)
		if ok {
			first.round, first.order = round, order
		} else {
			*first = heap[len(heap)-1]
			heap = heap[:len(heap)-1]
		}
		sink(heap, 0)
	}
}

// sink moves the i-th element of a heap down to its proper position.
func sink(heap []place, i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
			if heap[child].before(heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}
