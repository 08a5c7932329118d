//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/perftrack/perftrack/fleet/queue"
)

// A new head of a pull request supersedes the old one, and cancels what waits.
func TestSuperseded(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		old := f.queue()
		old.open(f, "T1", `,"pull_request":"7"`)
		old.add(1, 8)
		f.eventually("jobs wait", func() bool { return f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'waiting'`) == 2 })
		same := f.queue()
		if o := same.open(f, "T1b", `,"pull_request":"7"`); len(o.Superseded) != 0 || o.Trial != "T1" {
			t.Errorf("the same head continues %s and superseded %v", o.Trial, o.Superseded)
		}
		next := f.queue()
		f.base, f.head = f.head, f.base
		if o := next.open(f, "T2", `,"pull_request":"7"`); fmt.Sprint(o.Superseded) != "[T1]" {
			t.Errorf("superseded %v", o.Superseded)
		}
		if e := old.next(superseded); e.Superseded.By != "T2" {
			t.Errorf("%+v", e.Superseded)
		}
		old.add(9, 12)
		old.end("superseded")
		if n := f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'cancelled'`); n != 2 {
			t.Errorf("%d cancelled", n)
		}
		if n := f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'waiting'`); n != 0 {
			t.Errorf("%d waiting", n)
		}
	})
}

// Failures that are final are reported once; those of kind io after three attempts.
func TestFailed(t *testing.T) {
	for kind, attempts := range map[string]int{"build": 1, "io": 3} {
		t.Run(kind, func(t *testing.T) {
			onBoth(t, func(t *testing.T, f *fleet) {
				s := f.queue()
				s.open(f, "T1", fmt.Sprintf(`,"flags":["--kind=%s"]`, kind))
				s.add(1, 4)
				f.worker("w1", "-once").wait(t)
				e := s.next(failed).Failed
				if e.Kind != kind || e.Message != "it does not" || e.Text != "failed" || e.First != 1 || e.Last != 4 || e.Target != "t" {
					t.Errorf("%+v", e)
				}
				if n := f.count(`SELECT attempt FROM fleet_queue WHERE state = 'failed'`); n != attempts {
					t.Errorf("%d attempts", n)
				}
				s.end("failed")
			})
		})
	}
}

// A child that dies is started again, and the rest of a job whose time ran out is queued.
func TestUnfinished(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		s.open(f, "T1", fmt.Sprintf(`,"flags":["--dies=%s","--up-to=3"]`, filepath.Join(f.dir, "died")))
		s.add(1, 4)
		f.worker("w1")
		if p := s.next(part).Part; p.Attempt != 2 || p.First != 1 || p.Last != 3 {
			t.Errorf("%+v", p)
		}
		if p := s.next(part).Part; p.First != 4 || p.Last != 4 {
			t.Errorf("%+v", p)
		}
		s.end("decided")
	})
}

// Urgent jobs come first, and a repository has at most as many jobs in flight as the flag says.
func TestOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		for i, priority := range []string{"backfill", "nightly", "release", "pull-request"} {
			s := f.queue()
			s.send(`{"open":{"trial":"T%d","repository":"r%d","url":%q,"base":%q,"head":%q,"class":"c","procedure":"p","priority":%q,"flags":["--pause=200ms"]}}`,
				i, i%3, filepath.Join(f.dir, "repository"), f.base, f.head, priority)
			s.next(opened)
			s.add(1, 1)
			f.eventually("the job waits", func() bool { return f.count(`SELECT count(*) FROM fleet_queue`) == i+1 })
		}
		f.worker("w1", "-once", "-in-flight", "1").wait(t)
		var order []string
		rows, err := f.db.Query(`SELECT trial FROM fleet_queue WHERE state = 'completed' ORDER BY started_us`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var trial string
			if err := rows.Scan(&trial); err != nil {
				t.Fatal(err)
			}
			order = append(order, trial)
		}
		if got := strings.Join(order, " "); got != "T2 T3 T1 T0" {
			t.Errorf("the order is %s", got)
		}
	})
}

// No more jobs of a repository than allowed overlap, whatever the number of workers.
func TestInFlight(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		s.open(f, "T1", `,"flags":["--pause=20ms"]`)
		s.add(1, 40)
		var workers []*process
		for _, id := range []string{"w1", "w2", "w3", "w4"} {
			workers = append(workers, f.worker(id, "-once", "-in-flight", "2"))
		}
		for len(s.events) < 10 {
			if n := f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'running'`); n > 2 {
				t.Fatalf("%d jobs in flight", n)
			}
		}
		s.rounds(40)
		for _, w := range workers {
			w.wait(t)
		}
	})
}

// A worker of another procedure leaves the jobs alone.
func TestProcedure(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		s.open(f, "T1", "")
		s.add(1, 4)
		f.eventually("the job waits", func() bool { return f.count(`SELECT coalesce(sum(waiting), 0) FROM fleet_classes`) == 1 })
		f.worker("w0", "-once", "-procedure", "older").wait(t)
		if n := f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'waiting'`); n != 1 {
			t.Error("a worker of another procedure took the job")
		}
		f.worker("w1")
		if e := s.next(func(e queue.Event) bool { return e.Workers != nil }); e.Workers.Live != 1 || e.Workers.Class != "c" {
			t.Errorf("%+v", e.Workers)
		}
		f.eventually("the rounds are stored", func() bool { return f.count(`SELECT count(*) FROM fleet_rounds`) == 4 })
		s.end("decided")
	})
}

// Waiting jobs are cancelled, and what a process writes after that is refused.
func TestCancel(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		s.send(`{"cancel":true}`)
		if e := s.next(problem); e.Error.Message != "the first request must open a trial" {
			t.Errorf("%+v", e.Error)
		}
		<-s.done
		if s.ProcessState.ExitCode() != 1 {
			t.Errorf("status %d", s.ProcessState.ExitCode())
		}
		s = f.queue()
		s.open(f, "T1", "")
		s.add(1, 40)
		s.send(`{"cancel":true}`)
		f.eventually("the jobs are cancelled", func() bool { return f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'cancelled'`) == 10 })
		s.add(1, 4) // once more
		f.worker("w1", "-once").wait(t)
		s.rounds(4)
		s.end("interrupted")
	})
}

// A child's processes end with it.
func TestGroup(t *testing.T) {
	f := newFleet(t, newSQLite(t))
	s := f.queue()
	s.open(f, "T1", `,"flags":["--spawn"]`)
	s.add(1, 1)
	w := f.worker("w1")
	text := s.next(part).Part.Text
	var id int
	if _, err := fmt.Sscanf(text[strings.Index(text, "spawned"):], "spawned %d", &id); err != nil || id == 0 {
		t.Fatalf("%v: %s", err, text)
	}
	if err := syscall.Kill(id, 0); err != nil {
		t.Errorf("the process is not alive: %v", err)
	}
	if err := w.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.wait(t)
	f.eventually("the process ends", func() bool { return syscall.Kill(id, 0) != nil })
	if n := f.count(`SELECT count(*) FROM fleet_workers`); n != 0 {
		t.Errorf("%d workers are left", n)
	}
}

// Untrusted code runs in a sandbox, or not at all.
func TestUntrusted(t *testing.T) {
	f := newFleet(t, newSQLite(t))
	s := f.queue()
	s.open(f, "T1", "")
	s.add(1, 1)
	f.eventually("a job waits", func() bool { return f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'waiting'`) == 1 })
	w := f.worker("w1", "-trusted=false", "-perftrack", "/bin/false")
	<-w.done
	if w.ProcessState.ExitCode() != 1 || !strings.Contains(w.stderr.String(), "use -trusted") {
		t.Errorf("%s", w.stderr.String())
	}
	f.worker("w1", "-trusted=false", "-once").wait(t)
	if p := s.next(part).Part; !strings.Contains(p.Text, "isolated\n") {
		t.Errorf("%+v", p)
	}
	s.end("decided")
}

// A submitted check runs once, on a worker that decides.
func TestSubmit(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		submit := func(more ...string) string {
			t.Helper()
			c := f.command(append([]string{"submit", "-repository", "r", "-url", filepath.Join(f.dir, "repository"), "-base", f.base, "-head", f.head, "-class", "c"}, more...)...)
			out, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			return strings.TrimSpace(string(out))
		}
		id := submit("--", "--benchtime=20ms")
		if again := submit("--", "--benchtime=20ms"); again != id {
			t.Errorf("job %s, then %s", id, again)
		}
		old := submit("-pull-request", "8", "-optional", "-priority", "nightly")
		f.base, f.head = f.head, f.base
		submit("-pull-request", "8")
		if n := f.count(`SELECT job FROM fleet_queue WHERE state = 'cancelled'`); fmt.Sprint(n) != old {
			t.Errorf("job %d is cancelled, want %s", n, old)
		}
		f.worker("w1", "-once", "-decide").wait(t)
		if n := f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'completed' AND kind = 'check'`); n != 2 {
			t.Errorf("%d checks", n)
		}
		text, err := os.ReadFile(filepath.Join(f.dir, "--head="+f.base)) // the heads were exchanged
		want := "check --benchtime=20ms --workers=c --repo=" + filepath.Join(f.dir, "repository") + " --base=" + f.head + " --head=" + f.base + "\n" + f.address
		want = strings.Replace(want, "?sslmode", "?repository=r&sslmode", 1) // only in the address of PostgreSQL
		if got := string(text); err != nil || got != want+"\n" {
			t.Errorf("%q, %v", got, err)
		}
	})
}
