// Package spare keeps what a kernel has used for the next one, so that kernels allocate nothing
// in the long run.
package spare

import "sync"

// A List is values that nobody uses now: as many as ever were used at the same time. The
// runtime's pool would empty itself at a garbage collection. The zero List is empty.
type List[T any] struct {
	mu   sync.Mutex
	free []*T
}

// Take returns one of the values as it was given, or a new zero value.
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

// Give keeps a value for the next Take.
func (l *List[T]) Give(v *T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, v)
}
