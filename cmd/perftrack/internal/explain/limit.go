package explain

import (
	"context"
	"time"
)

// A limit ends a context when a budget is spent, to which the wait for other measurements does not count;
// nil is no limit.
type limit struct {
	timer  *time.Timer // nil without a budget
	ends   time.Time
	cancel func()
}

// newLimit returns a context that ends with the budget; 0 is no limit.
func newLimit(ctx context.Context, budget time.Duration) (context.Context, *limit) {
	within, cancel := context.WithCancel(ctx)
	l := &limit{cancel: cancel}
	if budget > 0 {
		l.timer, l.ends = time.AfterFunc(budget, cancel), time.Now().Add(budget)
	}
	return within, l
}

// pause stops the time: a wait begins.
func (l *limit) pause() {
	if l != nil && l.timer != nil {
		l.timer.Stop()
	}
}

// resume lets the time go on after a wait, and returns when it ends.
func (l *limit) resume(waited time.Duration) (ends time.Time) {
	if l == nil {
		return ends
	}
	if l.timer != nil {
		l.ends = l.ends.Add(waited)
		l.timer.Reset(time.Until(l.ends))
	}
	return l.ends
}

func (l *limit) end() {
	l.pause()
	l.cancel()
}
