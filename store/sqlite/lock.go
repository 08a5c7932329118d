package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/store"
)

// lockEnding is appended to a database's path to get the path of its lock file.
const lockEnding = ".lock"

// lock acquires the lock that a process needs to create, migrate or write to the database at a path;
// writers queue for it. It locks a file next to the database. That file is never removed, because
// two processes could otherwise hold locks on two files with the same name. If a process dies, its
// lock is released. If the lock is not granted in time, the error is [store.ErrBusy].
func lock(ctx context.Context, database string, kind flock.Kind) (unlock func(), err error) {
	path := database + lockEnding
	flag := os.O_RDONLY
	if kind == flock.Exclusive {
		flag = os.O_RDWR | os.O_CREATE
	}
	f, err := os.OpenFile(path, flag, 0o644)
	if errors.Is(err, fs.ErrPermission) { // another user created the file; opening it for reading is enough
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	flock.Share(f, database) // let any user who can write to the database lock it
	if err := flock.Queue(ctx, f, kind, lockWait); errors.Is(err, flock.ErrLate) {
		return nil, fmt.Errorf("%w: waited %v for the lock %s", store.ErrBusy, lockWait, path)
	} else if err != nil {
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

// maxLog is the number of bytes by which a -wal file may grow before perftrack empties it. SQLite
// itself never empties it as long as there is always a reader.
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
	b.set(fmt.Sprintf("busy_timeout = %d", logPatience.Milliseconds()), "wal_checkpoint(TRUNCATE)", fmt.Sprintf("busy_timeout = %d", lockWait.Milliseconds()))
}

// set executes pragmas on the connection of the writer. The next transaction reports errors.
func (b opened) set(pragmas ...string) {
	ctx := context.Background()
	conn, err := b.writer.Conn(ctx)
	if err != nil {
		return
	}
	defer conn.Close()
	for _, pragma := range pragmas {
		_, _ = conn.ExecContext(ctx, "PRAGMA "+pragma)
	}
}
