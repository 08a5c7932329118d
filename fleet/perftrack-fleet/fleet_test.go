//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/fleet/database"
	"github.com/perftrack/perftrack/fleet/pgtest"
	"github.com/perftrack/perftrack/fleet/queue"
)

// patience ends a test that hangs. No test passes or fails by its time.
const patience = 2 * time.Minute

// scale makes a lease last 1.5 seconds.
const scale = "0.05"

// A fleet is a database, a repository and the processes of a test.
type fleet struct {
	t          testing.TB
	dir        string
	address    string
	scale      string
	db         *database.DB
	base, head string
}

// onBoth runs a test on both databases.
func onBoth(t *testing.T, test func(t *testing.T, f *fleet)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, newFleet(t, newSQLite(t))) })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); test(t, newFleet(t, pgtest.NewDatabase(t))) })
}

// newSQLite creates a database as perftrack does.
func newSQLite(t testing.TB) string {
	path := filepath.Join(t.TempDir(), "runs.db")
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(WAL)")
	if err == nil {
		_, err = db.Exec("CREATE TABLE run (id INTEGER PRIMARY KEY)")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func newFleet(t testing.TB, address string) *fleet {
	t.Helper()
	f := &fleet{t: t, dir: t.TempDir(), address: address, scale: scale}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"perftrack", "perftrack-fleet"} {
		if err := os.Symlink(self, filepath.Join(f.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	f.base, f.head = newRepository(t, filepath.Join(f.dir, "repository"))
	if f.db, err = database.Open(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.db.Close() })
	return f
}

func newRepository(t testing.TB, dir string) (base, head string) {
	t.Helper()
	commit := func(name string) string {
		if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(name+" of the trial"), 0o600); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "add", ".")
		git(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", name)
		return git(t, dir, "rev-parse", "HEAD")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "--quiet", "--initial-branch=main")
	return commit("base"), commit("head")
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// command returns a command of perftrack-fleet.
func (f *fleet) command(args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(f.dir, "perftrack-fleet"), args...)
	c.Env = append(os.Environ(), "PERFTRACK_DB="+f.address, "PERFTRACK_FLEET_SCALE="+f.scale, "CANARY_TOKEN=secret", "HOME="+f.dir)
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return c
}

// A process is a running command.
type process struct {
	*exec.Cmd
	done   chan struct{}
	err    error
	stderr bytes.Buffer
}

func (f *fleet) start(c *exec.Cmd) *process {
	f.t.Helper()
	p := &process{Cmd: c, done: make(chan struct{})}
	c.Stderr = &p.stderr
	if err := c.Start(); err != nil {
		f.t.Fatal(err)
	}
	go func() {
		p.err = c.Wait()
		close(p.done)
	}()
	f.t.Cleanup(func() {
		_ = c.Process.Kill()
		<-p.done
		if f.t.Failed() && p.stderr.Len() > 0 {
			f.t.Logf("%v:\n%s", c.Args[1:], p.stderr.String())
		}
	})
	return p
}

// worker starts a worker.
func (f *fleet) worker(id string, args ...string) *process {
	f.t.Helper()
	return f.start(f.command(append([]string{
		"worker", "-perftrack", filepath.Join(f.dir, "perftrack"), "-class", "c", "-procedure", "p", "-id", id, "-version", "v1", "-trusted", "-work", filepath.Join(f.dir, "work-"+id),
	}, args...)...))
}

// A session is a running `queue`.
type session struct {
	*process
	t      testing.TB
	stdin  io.WriteCloser
	events chan queue.Event
}

func (f *fleet) queue() *session {
	f.t.Helper()
	c := f.command("queue")
	stdin, err1 := c.StdinPipe()
	stdout, err2 := c.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		f.t.Fatal(err)
	}
	s := &session{t: f.t, stdin: stdin, events: make(chan queue.Event, 10000)}
	go func() {
		defer close(s.events)
		r := bufio.NewReader(stdout)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			var e queue.Event
			if err := json.Unmarshal(line, &e); err == nil {
				s.events <- e
			}
		}
	}()
	s.process = f.start(c)
	return s
}

// send writes a request.
func (s *session) send(format string, args ...any) {
	s.t.Helper()
	if _, err := fmt.Fprintf(s.stdin, format+"\n", args...); err != nil {
		s.t.Fatal(err)
	}
}

// next returns the next event that has a field set, and skips others.
func (s *session) next(has func(e queue.Event) bool) queue.Event {
	s.t.Helper()
	return s.nextWithin(has, patience)
}

func (s *session) nextWithin(has func(e queue.Event) bool, patience time.Duration) queue.Event {
	s.t.Helper()
	end := time.After(patience)
	for {
		select {
		case e, ok := <-s.events:
			if !ok {
				s.t.Fatalf("the queue ended: %s", s.stderr.String())
			}
			if has(e) {
				return e
			}
		case <-end:
			s.t.Fatal("the event does not come")
		}
	}
}

func opened(e queue.Event) bool     { return e.Opened != nil }
func part(e queue.Event) bool       { return e.Part != nil }
func failed(e queue.Event) bool     { return e.Failed != nil }
func superseded(e queue.Event) bool { return e.Superseded != nil }
func problem(e queue.Event) bool    { return e.Error != nil }

// open opens a trial.
func (s *session) open(f *fleet, trial, more string) queue.Opened {
	s.t.Helper()
	s.send(`{"open":{"trial":%q,"repository":"r","url":%q,"dir":"","base":%q,"head":%q,"class":"c","procedure":"p","priority":"pull-request"%s}}`,
		trial, filepath.Join(f.dir, "repository"), f.base, f.head, more)
	return *s.next(opened).Opened
}

// add adds jobs of four rounds.
func (s *session) add(first, last int) {
	s.t.Helper()
	var ranges []string
	for ; first <= last; first += 4 {
		ranges = append(ranges, fmt.Sprintf(`{"target":"t","shard":"1/1","first":%d,"last":%d}`, first, min(first+3, last)))
	}
	s.send(`{"add":[%s]}`, strings.Join(ranges, ","))
}

// rounds returns the rounds of the parts until n rounds were reported, and how often each was.
func (s *session) rounds(n int) map[int]int {
	s.t.Helper()
	got := map[int]int{}
	for len(got) < n {
		p := s.next(part).Part
		for round := p.First; round <= p.Last; round++ {
			got[round]++
		}
	}
	return got
}

// end closes the trial and waits for the end of the process.
func (s *session) end(state string) {
	s.t.Helper()
	s.send(`{"close":{"state":%q}}`, state)
	if err := s.stdin.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.wait(s.t)
}

// wait waits until a process has ended with status 0.
func (p *process) wait(t testing.TB) {
	t.Helper()
	select {
	case <-p.done:
		if p.err != nil {
			t.Fatalf("%v: %v\n%s", p.Args[1:], p.err, p.stderr.String())
		}
	case <-time.After(patience):
		_ = p.Process.Signal(syscall.SIGQUIT) // Go prints what it waits for
		<-p.done
		t.Fatalf("%v does not end", p.Args[1:])
	}
}

// stop stops a process. On SQLite, a process that is stopped in a transaction stops all others, so
// stop finds another moment.
func (f *fleet) stop(p *process) {
	f.t.Helper()
	f.eventually("the process stops outside of a transaction", func() bool {
		if err := p.Process.Signal(syscall.SIGSTOP); err != nil {
			f.t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // until all threads have stopped
		if f.db.Postgres || !f.locked() {
			return true
		}
		if err := p.Process.Signal(syscall.SIGCONT); err != nil {
			f.t.Fatal(err)
		}
		return false
	})
}

// locked reports whether somebody holds the write lock of the file for long.
func (f *fleet) locked() bool {
	f.t.Helper()
	db, err := sql.Open("sqlite", f.address+"?_txlock=immediate&_pragma=busy_timeout(500)")
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err == nil {
		_ = tx.Rollback()
	}
	return err != nil
}

// eventually waits until a condition holds.
func (f *fleet) eventually(what string, holds func() bool) {
	f.t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("it never happens: %s", what)
		}
	}
}

// count returns the result of a query for one number.
func (f *fleet) count(query string, args ...any) (n int) {
	f.t.Helper()
	err := f.db.Retry(context.Background(), func(ctx context.Context) error {
		return f.db.QueryRowContext(ctx, f.db.SQL(query), args...).Scan(&n)
	})
	if err != nil {
		f.t.Fatalf("%s: %v", query, err)
	}
	return n
}
