package artifact

import (
	"bytes"
	"fmt"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/imports"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// A trialReader builds the runs of a trial from untrusted text. It stops reading when a limit is
// exceeded.
type trialReader struct {
	builder decode.Builder
	values  int
	config  int64          // bytes of configuration, counted once for each result it applies to
	samples map[string]int // number of results by benchmark
	bad     int            // number of unreadable lines
	limit   error          // the exceeded limit, if any
	key     []byte         // scratch space
}

// identifying lists the configuration keys that distinguish benchmarks with the same name.
var identifying = record.ProgramKeys(record.SampleKey)

// maxBadLines is the number of unreadable lines before reading stops. A single unreadable line
// makes the trial useless, but seeing several helps to find the cause.
const maxBadLines = 9

// ParseRuns parses runs from text, within the limits of a trial.
func ParseRuns(text []byte, label string) ([]*record.Run, error) {
	if len(text) > bounds.MaxInput {
		return nil, fault.Data(fmt.Errorf("read %s: input is larger than the limit of %d MiB", label, bounds.MaxInput>>20))
	}
	f, err := format.ByName("gobench")
	if err != nil {
		return nil, err
	}
	r := &trialReader{samples: map[string]int{}}
	if err := imports.ReadRecords(f, bytes.NewReader(text), label, r.add, r.stop, nil); err != nil {
		return nil, err
	}
	return imports.FinishRuns(&r.builder, label, record.Run{})
}

func (r *trialReader) add(rec benchfmt.Record) error {
	if result, ok := rec.(*benchfmt.Result); ok {
		if r.limit = r.count(result); r.limit != nil {
			return nil
		}
	}
	err := r.builder.Add(rec)
	if err != nil {
		r.bad++
	}
	if n := r.builder.Headers(); n > MaxRuns && r.limit == nil {
		r.limit = fmt.Errorf("the trial exceeds the limit of %d runs", MaxRuns)
	}
	return err
}

func (r *trialReader) stop() error {
	if r.limit == nil && r.bad >= maxBadLines {
		return imports.ErrRestUnread
	}
	return r.limit
}

// count returns an error if result exceeds a limit.
func (r *trialReader) count(result *benchfmt.Result) error {
	r.key = append(r.key[:0], result.Name...)
	for _, c := range result.Config {
		r.config += int64(len(c.Key) + len(c.Value))
		if slices.Contains(identifying, c.Key) {
			r.key = append(append(append(r.key, 0), c.Key...), c.Value...)
		}
	}
	n := r.samples[string(r.key)] + 1
	r.samples[string(r.key)] = n
	r.values += len(result.Values)
	switch {
	case r.values > bounds.MaxValues:
		return fmt.Errorf("the input exceeds the limit of %d values", bounds.MaxValues)
	case len(r.samples) > bounds.MaxBenchmarks:
		return fmt.Errorf("the trial exceeds the limit of %d benchmarks", bounds.MaxBenchmarks)
	case n > 2*record.MaxSamples:
		return fmt.Errorf("more than %d samples of %s on both sides together, the limit for a trial", 2*record.MaxSamples, result.Name)
	case r.config > MaxConfig:
		return fmt.Errorf("the configuration above the results adds up to more than %d MiB, the limit for a trial", MaxConfig>>20)
	}
	return nil
}
