package jobs

import (
	"database/sql"
	"log/slog"
	"os"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivershared/baseservice"
	"github.com/riverqueue/river/rivershared/riverpilot"
	"github.com/riverqueue/river/rivertype"

	"github.com/perftrack/perftrack/fleet/database"
)

// A Client is River's client.
type Client = river.Client[*sql.Tx]

// Timeouts of the jobs. River never rescues a job without one. Rounds take at most five minutes
// after their build; a check waits until a whole trial was measured.
const (
	RoundsTimeout = 30 * time.Minute
	CheckTimeout  = 24 * time.Hour
)

// maxChecks is the number of checks that a worker decides at once. A check hardly computes, and may
// wait for workers of a class that has none.
const maxChecks = 16

// Inserter returns a client that only inserts jobs.
func Inserter(d *database.DB) (*Client, error) {
	return river.NewClient(d.Driver(), &river.Config{Logger: logger()})
}

// NewClient returns a client that works on jobs. The fence belongs to it alone. A client without
// maintenance needs fewer rights in the database.
func NewClient(d *database.DB, fence *Fence, workers *river.Workers, queues []string, maintains bool) (*Client, error) {
	poll := 100 * time.Millisecond
	if d.Postgres {
		poll = 250 * time.Millisecond // new jobs are announced; this is for those that were put back
	}
	config := &river.Config{
		ID: fence.client, Workers: workers, Queues: map[string]river.QueueConfig{},
		FetchCooldown: 2 * time.Millisecond, FetchPollInterval: poll,
		FetchOnlyKnownKinds: true, LeaderElectionDisabled: !maintains,
		RescueStuckJobsAfter: max(database.Scaled(2*RoundsTimeout), time.Minute), // River waits longer for jobs with a longer timeout
		RetryPolicy:          soon{}, Logger: logger(),
	}
	for _, queue := range queues {
		config.Queues[queue] = river.QueueConfig{MaxWorkers: 1}
		if queue == DecideQueue {
			config.Queues[queue] = river.QueueConfig{MaxWorkers: maxChecks}
		}
	}
	return river.NewClient[*sql.Tx](fencedDriver{d.Driver(), fence}, config)
}

// soon retries within the interval of River's scheduler. River makes such jobs available at once,
// so the retry does not depend on a leader.
type soon struct{}

func (soon) NextRetry(*rivertype.JobRow) time.Time { return time.Now().Add(time.Second) }

// fencedDriver makes River use the fence as its pilot.
type fencedDriver struct {
	riverdriver.Driver[*sql.Tx]
	fence *Fence
}

func (d fencedDriver) PluginInit(*baseservice.Archetype) {}
func (d fencedDriver) PluginPilot() riverpilot.Pilot     { return d.fence }

func logger() *slog.Logger {
	level := slog.LevelError
	if os.Getenv("PERFTRACK_FLEET_DEBUG") != "" {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
}
