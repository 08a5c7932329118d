// Package decode turns records in the Go benchmark format into runs. It reads the output of
// benchmarks as well as the canonical text that a [record.Writer] writes. Begin with builder.go.
// pack.go keeps the samples of a large input in little memory.
package decode

import (
	"bytes"
	"errors"
	"fmt"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// ParseRun parses the canonical text of one run from an untrusted source. It enforces all limits on
// a run and rejects any text that [record.Run.Text] would not have written, so that the id of an accepted
// run is the hash of the text.
func ParseRun(text []byte) (*record.Run, error) {
	var b Builder
	reader := benchfmt.NewReader(bytes.NewReader(text), "run")
	for reader.Scan() {
		if err := b.Add(reader.Result()); err != nil {
			return nil, err
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	runs, err := b.Runs()
	switch {
	case err != nil:
		return nil, err
	case len(runs) != 1:
		return nil, fmt.Errorf("it holds %d runs, not one", len(runs))
	case runs[0].Target == "":
		return nil, errors.New("the run has no target")
	}
	again, err := runs[0].Text()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, text) {
		return nil, errors.New("not in a run's canonical form")
	}
	return runs[0], nil
}
