package sqlite

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/perftrack/perftrack/runner/flock"
)

// maxLog is by how much a -wal file grows until it is emptied: readers that overlap
// all the time keep SQLite itself from ever doing it.
const maxLog = 8 << 20

// logPatience is how long emptying the log waits for readers to leave it.
const logPatience = 2 * time.Second

// turn is the Turn of [store.Backend].
func (b opened) turn(ctx context.Context) (done func(), err error) {
	if b.unqueued {
		return func() {}, nil
	}
	unlock, err := lock(ctx, b.path, flock.Exclusive)
	if err != nil {
		return nil, err
	}
	before := b.logSize()
	return func() {
		if b.logSize()/maxLog > before/maxLog {
			b.emptyLog()
		}
		unlock()
	}, nil
}

func (b opened) logSize() int64 {
	info, err := os.Stat(b.path + "-wal")
	if err != nil {
		return 0 // there is none with another journal
	}
	return info.Size()
}

// emptyLog empties the log, for which those that are reading it must have gone. Who
// comes to read meanwhile does not need it, and who comes to write waits in the queue.
func (b opened) emptyLog() {
	ctx := context.Background()
	conn, err := b.writer.Conn(ctx)
	if err != nil {
		return // whatever is wrong, the next transaction will say
	}
	defer conn.Close()
	for _, pragma := range []string{
		fmt.Sprintf("busy_timeout = %d", logPatience.Milliseconds()),
		"wal_checkpoint(TRUNCATE)",
		fmt.Sprintf("busy_timeout = %d", lockWait.Milliseconds()),
	} {
		_, _ = conn.ExecContext(ctx, "PRAGMA "+pragma)
	}
}
