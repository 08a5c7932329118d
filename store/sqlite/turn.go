package sqlite

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/perftrack/perftrack/runner/flock"
)

// maxLog is the number of bytes a -wal file may grow by before perftrack empties it. SQLite itself
// never empties it as long as there is always a reader.
const maxLog = 8 << 20

// logPatience is the maximum time to wait for readers in order to empty the log.
const logPatience = 2 * time.Second

// turn implements [store.Backend.Turn].
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
		return 0 // there is no log if the journal is not WAL
	}
	return info.Size()
}

// emptyLog waits, up to logPatience, until no reader uses the log, and then empties it. Meanwhile,
// new readers do not need the log, and new writers wait in the queue.
func (b opened) emptyLog() {
	ctx := context.Background()
	conn, err := b.writer.Conn(ctx)
	if err != nil {
		return // the next transaction will report the error
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
