//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// measuring returns a repository with two commits and a slow benchmark, which creates the file mark
// when it runs.
func measuring(t *testing.T) (s *scratch, mark string) {
	t.Helper()
	mark = filepath.Join(t.TempDir(), "mark")
	body := fmt.Sprintf("\tfor b.Loop() {\n\t\tos.WriteFile(%q, nil, 0o644)\n\t\ttime.Sleep(5 * time.Second)\n\t}\n", mark)
	s = newScratch(t, body)
	s.commit("one")
	s.write("scratch_test.go", strings.Replace(s.run("cat", "scratch_test.go"), "5 * time", "6 * time", 1)+"\n")
	s.commit("two")
	return s, mark
}

// waitFor waits until a file exists.
func waitFor(t *testing.T, file string) {
	t.Helper()
	for t.Context().Err() == nil {
		if _, err := os.Stat(file); err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("there is no ", file)
}

// After a cancelled check, perftrack has ended, the database is intact, and the stored samples do
// not count as a complete check.
func TestGivenUp(t *testing.T) {
	for name, giveUp := range map[string]func(*client, context.CancelFunc) error{
		"cancelled":    func(_ *client, cancel context.CancelFunc) error { cancel(); return nil },
		"disconnected": func(c *client, _ context.CancelFunc) error { return c.stdin.Close() },
		"terminated":   func(c *client, _ context.CancelFunc) error { return c.server.Process.Signal(syscall.SIGTERM) },
		"killed":       func(c *client, _ context.CancelFunc) error { return c.server.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "killed" && runtime.GOOS != "linux" {
				t.Skip("only Linux tells a process that its parent was killed")
			}
			t.Parallel()
			s, mark := measuring(t)
			c := s.connect()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				a, err := c.call(ctx, "check", args{"base": "HEAD~1", "head": "HEAD"})
				if err == nil && strings.Contains(a.text, "interrupted") {
					err = errors.New(a.text)
				}
				ended <- err
			}()
			waitFor(t, mark)
			if err := giveUp(c, cancel); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err == nil {
				t.Error("the call ended as if nothing had happened")
			}
			_ = c.stdin.Close()
			_ = c.ended()
			if name != "killed" { // the server waits for perftrack
				s.lock(syscall.LOCK_NB)
			}
			s.lock(0)
			s.run(perftrack, "db", "verify")
			if runs := s.run(perftrack, "list", "runs"); strings.Contains(runs, "complete") {
				t.Errorf("a part of a check is stored as a whole one:\n%s", runs)
			}
			for trees := "\n"; strings.Contains(trees, "\n"); trees = s.run("git", "worktree", "list") {
				if name != "killed" && trees != "\n" { // perftrack may have left them to its supervisor
					t.Fatalf("work trees are left:\n%s", trees)
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}

// lock takes the measuring lock for a moment, to check that nothing else holds it.
func (s *scratch) lock(how int) {
	s.t.Helper()
	f, err := os.OpenFile(filepath.Join(s.cache(), "perftrack", "measuring.lock"), os.O_RDWR, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|how); err != nil {
		s.t.Errorf("perftrack goes on measuring: %v", err)
	}
}

// cache returns the user's cache directory.
func (s *scratch) cache() string {
	s.t.Helper()
	for _, v := range s.env {
		if dir, ok := strings.CutPrefix(v, "XDG_CACHE_HOME="); ok && strings.HasPrefix(dir, s.home) {
			return dir
		}
	}
	s.t.Fatal("there is no cache directory")
	return ""
}

// A check waiting for another perftrack names it and continues after it ends.
func TestAnotherMeasures(t *testing.T) {
	t.Parallel()
	s := newScratch(t, "\tfor b.Loop() {\n\t}\n")
	s.commit("one")
	s.commit("two")
	if err := os.MkdirAll(filepath.Join(s.cache(), "perftrack"), 0o755); err != nil {
		t.Fatal(err)
	}
	lock, err := os.Create(filepath.Join(s.cache(), "perftrack", "measuring.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if _, err := lock.WriteString(`{"pid": 4711, "dir": "/elsewhere", "command": "perftrack run"}`); err != nil {
		t.Fatal(err)
	}
	c := s.connect()
	const owner = "another perftrack: pid 4711 in /elsewhere, `perftrack run`"
	told := make(chan struct{})
	go func() {
		defer close(told)
		c.hears("waiting for " + owner)
		lock.Close()
	}()
	if _, err := c.call(t.Context(), "check", args{"base": "HEAD~1", "budget": "1s"}); err != nil {
		t.Error(err)
	}
	<-told
}
