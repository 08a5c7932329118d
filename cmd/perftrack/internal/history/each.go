package history

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// EachOf calls do for 0 to n-1, with GOMAXPROCS calls at a time, and returns the first error. It
// turns a panic into an error, so that a fault in one history does not end a server.
func EachOf(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var working sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		working.Go(func() {
			for i := range next {
				if err := safely(ctx, i, do); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	working.Wait()
	return context.Cause(ctx)
}

// safely calls do and turns a panic into an error.
func safely(ctx context.Context, i int, do func(ctx context.Context, i int) error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("internal error: %v\n%s", cause, debug.Stack())
		}
	}()
	return do(ctx, i)
}
