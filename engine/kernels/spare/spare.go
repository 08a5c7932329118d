// Package spare keeps buffers for reuse, so that kernels do not allocate in steady state.
package spare

import "sync"

// A List holds unused values. Unlike a sync.Pool, it is never emptied by garbage collections. The
// zero List is empty.
type List[T any] struct {
	mu   sync.Mutex
	free []*T
}

// Take removes a value from the list and returns it, unchanged since Give. If the list is empty,
// Take returns a new zero value.
func (l *List[T]) Take() *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.free); n > 0 {
		v := l.free[n-1]
		l.free = l.free[:n-1]
		return v
	}
	return new(T)
}

// Give makes a value available to a later Take.
func (l *List[T]) Give(v *T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, v)
}
