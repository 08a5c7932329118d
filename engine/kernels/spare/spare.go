// Package spare keeps buffers for reuse, so that in the long run kernels do not allocate.
package spare

import "sync"

// A List holds values not in use. It keeps as many as were ever in use at the same time, whereas a
// sync.Pool would be emptied by garbage collections. The zero List is empty.
type List[T any] struct {
	mu   sync.Mutex
	free []*T
}

// Take returns one of the values, unchanged since Give, or a new zero value.
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
