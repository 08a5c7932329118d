package explain

import (
	"context"
	"time"
)

// A limit cancels a context when a budget is used up. Time spent waiting for other measurements
// does not count. A nil limit never cancels its context.
type limit struct {
	timer  *time.Timer // nil if there is no budget
	ends   time.Time
	cancel func()
}

// newLimit returns a context to be canceled when the budget is used up, and its limit. A budget of
// 0 means no limit.
func newLimit(ctx context.Context, budget time.Duration) (context.Context, *limit) {
	within, cancel := context.WithCancel(ctx)
	l := &limit{cancel: cancel}
	if budget > 0 {
		l.timer, l.ends = time.AfterFunc(budget, cancel), time.Now().Add(budget)
	}
	return within, l
}

// pause stops the clock at the beginning of a wait.
func (l *limit) pause() {
	if l != nil && l.timer != nil {
		l.timer.Stop()
	}
}

// resume restarts the clock after a wait, and returns the time when the budget will be used up.
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
