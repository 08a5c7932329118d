// Package pgtest starts PostgreSQL servers for tests: throw-away clusters on free ports of the
// loopback interface. Only tests import it. Begin with [NewDatabase].
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Server is a running cluster.
type Server struct {
	Dir  string // the data directory
	Port int
	cmd  *exec.Cmd
	done chan struct{} // closed when the server has ended
}

var shared struct {
	sync.Mutex
	server *Server
	err    error
	names  int
}

// Stop stops the server that the tests of a package share.
func Stop() {
	if s := shared.server; s != nil {
		s.remove()
	}
}

// NewDatabase creates a database on the server that the tests of a package share, and returns its
// URL. Without PostgreSQL, the test is skipped, or fails with PERFTRACK_POSTGRES=require.
func NewDatabase(t testing.TB) string {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil && shared.err == nil {
		shared.server, shared.err = startNew("-c", "fsync=off", "-c", "max_connections=300")
	}
	skipOrFail(t, shared.err)
	shared.names++
	name := fmt.Sprintf("test%d", shared.names)
	shared.server.Exec(t, "postgres", "CREATE DATABASE "+name)
	return shared.server.URL(name)
}

func skipOrFail(t testing.TB, err error) {
	t.Helper()
	switch {
	case errors.Is(err, errMissing) && os.Getenv("PERFTRACK_POSTGRES") != "require":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
}

// Start starts a separate server for a test, with additional arguments.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	s, err := startNew(args...)
	skipOrFail(t, err)
	t.Cleanup(s.remove)
	return s
}

// Standby starts a replica with the given name.
func (s *Server) Standby(t testing.TB, name string, args ...string) *Server {
	t.Helper()
	dir, err := newFolder()
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, "pg_basebackup", "--pgdata", dir, "--write-recovery-conf", "--wal-method", "stream", "--checkpoint", "fast",
		"--dbname", fmt.Sprintf("host=127.0.0.1 port=%d user=postgres application_name=%s", s.Port, name))
	replica, err := serve(dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(replica.remove)
	return replica
}

// URL returns the URL of one of the server's databases.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", s.Port, database)
}

// Exec executes statements with psql, and returns the output.
func (s *Server) Exec(t testing.TB, database, statements string) string {
	t.Helper()
	return run(t, s.Dir, "psql", "--no-psqlrc", "-tA", "-v", "ON_ERROR_STOP=1", "-d", s.URL(database), "-c", statements)
}

// Promote makes a replica a primary.
func (s *Server) Promote(t testing.TB) {
	t.Helper()
	run(t, s.Dir, "pg_ctl", "promote", "--pgdata", s.Dir)
}

// Kill ends the server at once, as a crash would.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.done
}

func (s *Server) remove() {
	s.Kill()
	for range 20 { // some of the server's processes may still be exiting
		if os.RemoveAll(filepath.Dir(s.Dir)) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

var errMissing = errors.New("PostgreSQL is not installed here: apt-get install postgresql")

// program returns the path of a PostgreSQL program from the newest installed version.
func program(name string) (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		slices.SortFunc(found, func(a, b string) int { // 9 is older than 14
			return max(-1, min(1, len(a)-len(b)))*2 + strings.Compare(a, b)
		})
		return found[len(found)-1], nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", errMissing
	}
	return path, nil
}

func startNew(args ...string) (*Server, error) {
	if _, err := program("initdb"); err != nil {
		return nil, err
	}
	data, err := newFolder()
	if err != nil {
		return nil, err
	}
	c, err := command(data, "initdb", "--pgdata", data, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync")
	if err != nil {
		return nil, err
	}
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return serve(data, args...)
}

// newFolder creates a folder that belongs to the server's user. Other users cannot enter the
// folders that package testing creates.
func newFolder() (string, error) {
	base, err := os.MkdirTemp("", "perftrack-fleet-postgres-")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(base, 0o711); err != nil { //nolint:gosec // the server's user must be able to pass through
		return "", err
	}
	data := filepath.Join(base, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		return "", err
	}
	return data, own(data)
}

// serve starts a server on a free port, and tries another port if that one is taken in the
// meantime.
func serve(dir string, args ...string) (s *Server, err error) {
	for range 5 {
		listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		port := listener.Addr().(*net.TCPAddr).Port
		_ = listener.Close()
		if s, err = serveAt(dir, port, args...); err == nil {
			return s, nil
		} else if !strings.Contains(err.Error(), "could not bind") {
			return nil, err
		}
	}
	return nil, err
}

func serveAt(dir string, port int, args ...string) (*Server, error) {
	s := &Server{Dir: dir, Port: port, done: make(chan struct{})}
	c, err := command(dir, "postgres", append([]string{
		"-D", dir, "-p", fmt.Sprint(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "shared_buffers=64MB",
	}, args...)...)
	if err != nil {
		return nil, err
	}
	log, err := os.CreateTemp("", "perftrack-fleet-postgres-*.log")
	if err != nil {
		return nil, err
	}
	defer func() { _ = errors.Join(log.Close(), os.Remove(log.Name())) }()
	c.Stdout, c.Stderr, s.cmd = log, log, c
	if err := c.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = c.Wait()
		close(s.done)
	}()
	if err := s.wait(); err != nil {
		s.Kill()
		text, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("start PostgreSQL: %w: %s", err, text)
	}
	return s, nil
}

// wait waits until the server answers.
func (s *Server) wait() error {
	path, err := program("pg_isready")
	if err != nil {
		return err
	}
	for range 600 {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		err := exec.CommandContext(ctx, path, "-q", "-h", "127.0.0.1", "-p", fmt.Sprint(s.Port)).Run()
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-s.done:
			return errors.New("it ended")
		case <-time.After(50 * time.Millisecond):
		}
	}
	return errors.New("it does not answer")
}

// run runs one of PostgreSQL's programs as the server's user.
func run(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	c, err := command(dir, name, args...)
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func command(dir, name string, args ...string) (*exec.Cmd, error) {
	path, err := program(name)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(context.Background(), path, args...)
	c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	return c, become(c)
}
