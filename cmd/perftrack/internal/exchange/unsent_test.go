package exchange

import (
	"errors"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store/storetest"
)

// A run with content not matching its id is not sent.
func TestTextOf(t *testing.T) {
	run := storetest.Plain("", 1, 3)
	id := run.ID()
	if text, err := textOf(run, id); err != nil || record.IDOf(text) != id {
		t.Errorf("a sound run is %q, %v", text, err)
	}
	run.Benchmarks[0].Samples[0].Values[0]++
	if text, err := textOf(run, id); !errors.Is(err, errDamagedRun) {
		t.Errorf("a changed run is %q, %v", text, err)
	}
}
