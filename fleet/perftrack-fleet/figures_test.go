//go:build linux

package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/riverqueue/river/riverdriver"

	"github.com/perftrack/perftrack/fleet/jobs"
	"github.com/perftrack/perftrack/fleet/pgtest"
)

func benchmarkBoth(b *testing.B, bench func(b *testing.B, f *fleet)) {
	b.Run("sqlite", func(b *testing.B) { bench(b, newFleet(b, newSQLite(b))) })
	b.Run("postgres", func(b *testing.B) { bench(b, newFleet(b, pgtest.Start(b).URL("postgres"))) }) // it waits for the disk
}

// BenchmarkJob is the time that a job takes whose child does nothing, from the end of the job before
// it to the event of its part.
func BenchmarkJob(b *testing.B) {
	benchmarkBoth(b, func(b *testing.B, f *fleet) {
		f.scale = "1"
		s := f.queue()
		s.open(f, "T1", "")
		f.worker("w1")
		s.add(1, 4)
		s.rounds(4) // the clone and the child exist now
		b.ResetTimer()
		s.add(5, 4+4*b.N)
		s.rounds(4 * b.N)
	})
}

// BenchmarkClaim is the time to claim one of 100,000 waiting jobs.
func BenchmarkClaim(b *testing.B) {
	const waiting = 100000
	benchmarkBoth(b, func(b *testing.B, f *fleet) {
		s := f.queue()
		s.open(f, "T1", "")
		s.add(1, 4)
		f.eventually("a job waits", func() bool { return f.count(`SELECT count(*) FROM river_job`) == 1 })
		s.end("interrupted")
		series := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) `
		if _, err := f.db.Exec(f.db.SQL(series+`INSERT INTO river_job (args, kind, max_attempts, priority, queue, state)
			SELECT args, kind, max_attempts, 1 + i % 4, queue, 'available' FROM n, river_job`), waiting); err != nil {
			b.Fatal(err)
		}
		if _, err := f.db.Exec("ANALYZE"); err != nil {
			b.Fatal(err)
		}
		for _, limit := range []int{0, 1 << 30} {
			b.Run(fmt.Sprint("limit=", limit), func(b *testing.B) {
				exec, fence := f.db.Driver().GetExecutor(), jobs.NewFence(f.db, "b", limit)
				for b.Loop() {
					got, err := fence.JobGetAvailable(context.Background(), exec, nil, &riverdriver.JobGetAvailableParams{
						ClientID: "b", MaxAttemptedBy: 10, MaxToLock: 1, Queue: jobs.Queue("c", "p"), Kind: []string{"check", "rounds"},
					})
					if err != nil || len(got.Jobs) != 1 {
						b.Fatal(got, err)
					}
				}
			})
		}
	})
}
