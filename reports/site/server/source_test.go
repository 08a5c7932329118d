package server_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/reports/site/server"
)

// A shelf is a source of prepared documents. Any other document is unknown.
type shelf struct {
	changes          bool // whether the version changes each time Now is called
	documents.Source      // nil, because the tests use only the methods below

	mu      sync.Mutex
	version int
	origin  string
	part    bool // the documents do not include all runs
	time    time.Time
	err     error // returned by Now instead of a state
	runs    documents.Runs
	made    atomic.Int32
	open    atomic.Int32  // number of states not closed
	wait    chan struct{} // Index waits until this channel is closed
}

func newShelf() *shelf {
	s := &shelf{wait: make(chan struct{})}
	close(s.wait)
	return s
}

// put stores a run.
func (s *shelf) put(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.runs.List = append([]documents.RunRow{{ID: id}}, s.runs.List...)
}

// stamp returns the stamp of the documents of the current version.
func (s *shelf) stamp() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return reports.HashID("v", strconv.Itoa(s.version))
}

// block makes Index wait until unblock is called.
func (s *shelf) block() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wait = make(chan struct{})
}

func (s *shelf) unblock() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.wait)
}

func (s *shelf) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *shelf) Now(context.Context) (*server.State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case errors.Is(s.err, errFault):
		panic("a fault")
	case s.err != nil:
		return nil, s.err
	}
	if s.changes {
		s.version++
	}
	s.open.Add(1)
	part := s.part
	return &server.State{
		Source: s, Version: strconv.Itoa(s.version), Origin: s.origin, Time: s.time, Close: func() { s.open.Add(-1) },
		Progress: func() (string, int, int) { return "counting", 3, 7 }, Whole: func() bool { return !part },
	}, nil
}

// change makes the version change each time Now is called.
func (s *shelf) change() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes = true
}

// errFault makes Now panic.
var errFault = errors.New("a fault")

func (s *shelf) Index(ctx context.Context) (*documents.Index, error) {
	s.made.Add(1)
	s.mu.Lock()
	wait := s.wait
	s.mu.Unlock()
	select {
	case <-wait:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return &documents.Index{Meta: documents.Meta{Schema: 1, Title: hostile, Live: true}}, nil
}

func (s *shelf) Runs(context.Context) (*documents.Runs, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &documents.Runs{List: append([]documents.RunRow(nil), s.runs.List...)}, nil
}

func (s *shelf) Benchmark(_ context.Context, id string) (*documents.Benchmark, error) {
	switch id {
	case "panics":
		panic("a fault")
	case "fails":
		return nil, errors.New("read history of " + hostile)
	case "0123abcd":
		return &documents.Benchmark{ID: id}, nil
	}
	return nil, documents.ErrUnknown
}

func (s *shelf) Comparison(_ context.Context, key string) (*documents.Comparison, error) {
	if key == "main..feature/x" {
		return &documents.Comparison{Key: key}, nil
	}
	return nil, documents.ErrUnknown
}

func (s *shelf) Regressions(context.Context) (*documents.Regressions, error) {
	return &documents.Regressions{}, nil
}

func (s *shelf) Commits(context.Context) (*documents.Commits, error) {
	return &documents.Commits{}, nil
}

func (s *shelf) Flame(_ context.Context, file string) ([]byte, error) {
	if file == "abcd.html" {
		return []byte("<h1>flames</h1>"), nil
	}
	return nil, documents.ErrUnknown
}

const hostile = `</script><script>canary=1</script><img src=x onerror=canary=1>` + "\u2028" + `"'&`
