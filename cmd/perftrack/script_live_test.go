package main

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// A firstAttempt runs scripts one after the other. It logs and collects the failing ones, without
// failing the test.
type firstAttempt struct {
	*testing.T
	failed []string
}

func (*firstAttempt) Verbose() bool { return testing.Verbose() }

// Run runs a script as a subtest.
func (f *firstAttempt) Run(name string, play func(testscript.T)) {
	f.T.Run(name, func(t *testing.T) {
		s := &attempt{T: t}
		ended := make(chan struct{})
		go func() { // FailNow ends this goroutine
			defer close(ended)
			play(s)
		}()
		if <-ended; s.failed {
			t.Log("it failed, and has another attempt")
			f.failed = append(f.failed, filepath.Join("testdata", "live", name+".txtar"))
		}
	})
}

// An attempt is a script that may fail.
type attempt struct {
	*testing.T
	failed bool
}

func (*attempt) Parallel() {}

func (*attempt) Verbose() bool { return testing.Verbose() }

func (*attempt) Run(string, func(testscript.T)) { panic("a script has no scripts") }

func (s *attempt) Fatal(args ...any) {
	s.Log(args...)
	s.FailNow()
}

func (s *attempt) FailNow() {
	s.failed = true
	runtime.Goexit()
}
