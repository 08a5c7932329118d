//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/fleet/pgtest"
)

// live skips a test that takes long or measures times.
func live(t *testing.T) {
	t.Helper()
	if os.Getenv("PERFTRACK_LIVE") == "" {
		t.Skip("set PERFTRACK_LIVE=short")
	}
}

// A torment is what the workers of a torture test go through.
type torment struct {
	scale   string
	jobs    int
	pause   time.Duration // of a round
	kill    time.Duration // between kills
	stopped time.Duration // longer than a lease
}

func torments() torment {
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		return torment{"1", 1000, 100 * time.Millisecond, 10 * time.Second, 35 * time.Second}
	}
	return torment{"0.05", 100, 50 * time.Millisecond, time.Second, 2 * time.Second}
}

// Every round is stored exactly once while workers are killed, stopped and continued, and while the
// primary dies and its standby is promoted.
func TestTorture(t *testing.T) {
	live(t)
	t.Run("sqlite", func(t *testing.T) { torture(t, newFleet(t, newSQLite(t)), nil) })
	t.Run("postgres", func(t *testing.T) {
		primary := pgtest.Start(t, "-c", "synchronous_standby_names=standby", "-c", "synchronous_commit=local")
		standby := primary.Standby(t, "standby")
		primary.Exec(t, "postgres", "ALTER DATABASE postgres SET synchronous_commit = 'remote_apply'")
		hosts := fmt.Sprintf("postgres://postgres@127.0.0.1:%d,127.0.0.1:%d/postgres?sslmode=disable&target_session_attrs=read-write", primary.Port, standby.Port)
		torture(t, newFleet(t, hosts), func() {
			primary.Kill()
			standby.Promote(t)
		})
	})
}

func torture(t *testing.T, f *fleet, failover func()) {
	c := torments()
	f.scale = c.scale
	s := f.queue()
	s.open(f, "T1", fmt.Sprintf(`,"flags":["--pause=%v"]`, c.pause))
	s.add(1, 4*c.jobs)
	stop, done := make(chan struct{}), make(chan int)
	go func() { done <- torment3(f, c, stop) }()
	got := map[int]int{}
	for len(got) < 4*c.jobs {
		if len(got) >= 2*c.jobs && failover != nil {
			failover()
			failover = nil
		}
		p := s.nextWithin(part, 10*time.Minute).Part
		for round := p.First; round <= p.Last; round++ {
			got[round]++
		}
	}
	close(stop)
	kills := <-done
	s.end("decided")
	for round := 1; round <= 4*c.jobs; round++ {
		if got[round] != 1 {
			t.Errorf("round %d was reported %d times", round, got[round])
		}
	}
	rows, err := f.db.Query(`SELECT body FROM fleet_parts`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	lines := 0
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(body, "\n")
	}
	stored, completed := f.count(`SELECT count(*) FROM fleet_rounds`), f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'completed'`)
	if lines != 4*c.jobs || stored != 4*c.jobs || completed != c.jobs {
		t.Errorf("%d samples, %d rounds and %d jobs; want %d, %d and %d", lines, stored, completed, 4*c.jobs, 4*c.jobs, c.jobs)
	}
	t.Logf("%d jobs, %d workers killed, %d jobs measured again", c.jobs, kills, f.count(`SELECT count(*) FROM fleet_queue WHERE attempt > 1`))
}

// torment3 keeps three workers alive. It kills one of them from time to time, and stops another one
// for longer than its lease. It returns the number of kills.
func torment3(f *fleet, c torment, stop <-chan struct{}) (kills int) {
	var workers [3]*process
	started := 0
	start := func(i int) {
		started++
		workers[i] = f.worker(fmt.Sprintf("w%d", started))
	}
	for i := range workers {
		start(i)
	}
	var stopped sync.WaitGroup
	defer stopped.Wait()
	for {
		select {
		case <-stop:
			return kills
		case <-time.After(c.kill):
		}
		i := rand.IntN(3)
		_ = workers[i].Process.Kill()
		<-workers[i].done
		start(i)
		kills++
		if kills%3 != 1 {
			continue
		}
		other := workers[(i+1)%3]
		f.stop(other)
		stopped.Go(func() {
			time.Sleep(c.stopped)
			_ = other.Process.Signal(syscall.SIGCONT)
		})
	}
}

// The time of a trial on one, two and four workers is printed, and judges nothing.
func TestSpeedup(t *testing.T) {
	live(t)
	for _, kind := range []string{"sqlite", "postgres"} {
		took := map[int]time.Duration{}
		for _, n := range []int{1, 2, 4} {
			took[n] = trialOn(t, kind, "1", n, nil)
		}
		two, four := took[2].Seconds()/took[1].Seconds(), took[4].Seconds()/took[1].Seconds()
		t.Logf("%s: 40 rounds of 250 ms on 1, 2, 4 workers: %v: %.2f, %.2f", kind, took, two, four)
	}
}

// A trial ends although one of four machines is removed in the middle of it. The full form has
// leases of 30 s, and tells how much time was lost.
func TestRemoved(t *testing.T) {
	live(t)
	scale := "0.2"
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		scale = "1"
	}
	whole := trialOn(t, "postgres", scale, 4, nil)
	took := trialOn(t, "postgres", scale, 4, func(w *process) { _ = w.Process.Kill() })
	t.Logf("40 rounds on four workers: %v; with one removed: %v; lost: %v", whole, took, took-whole)
}

// trialOn returns the time of a trial of 40 rounds on n workers. It calls middle with a worker that
// runs a job when half of the rounds are stored.
func trialOn(t *testing.T, kind, scale string, n int, middle func(w *process)) time.Duration {
	t.Helper()
	var took time.Duration
	t.Run(fmt.Sprint(kind, n), func(t *testing.T) {
		address := ""
		if kind == "sqlite" {
			address = newSQLite(t)
		} else {
			address = pgtest.NewDatabase(t)
		}
		f := newFleet(t, address)
		f.scale = scale
		s := f.queue()
		s.open(f, "T1", `,"flags":["--pause=250ms"]`)
		workers := map[string]*process{}
		for i := range n {
			id := fmt.Sprintf("w%d", i)
			workers[id] = f.worker(id)
		}
		f.eventually("the workers live", func() bool { return f.count(`SELECT count(*) FROM fleet_workers`) == n })
		time.Sleep(time.Second) // until River is ready
		begin := time.Now()
		for i := range 20 {
			s.add(1+2*i, 2+2*i)
		}
		got := 0
		for got < 40 {
			p := s.nextWithin(part, 5*time.Minute).Part
			got += p.Last - p.First + 1
			if got >= 20 && middle != nil {
				f.eventually("it runs a job", func() bool {
					return f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'running' AND worker = 'w0'`) == 1
				})
				middle(workers["w0"])
				middle = nil
			}
		}
		took = time.Since(begin).Round(time.Millisecond)
		s.end("decided")
	})
	return took
}
