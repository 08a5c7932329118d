package workspace

import (
	"context"
	"time"
)

// sleep waits a moment between two tries for a lock.
func sleep(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(200 * time.Millisecond):
		return nil
	}
}
