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
)

// A trialReader builds the runs of a stranger's trial and ends at the first limit that
// is passed: what comes behind it is neither read nor kept.
type trialReader struct {
	builder record.Builder
	values  int
	config  int64          // bytes of configuration, counted for each result that it stands above
	samples map[string]int // results by benchmark
	bad     int            // lines that could not be read
	limit   error          // that was passed
	key     []byte         // scratch
}

// identifying are the keys that tell benchmarks of the same name apart.
var identifying = record.ProgramKeys(record.SampleKey)

// maxBadLines is how many lines that cannot be read are looked for in a trial: one is
// enough for it to be of no use, and some tell what is wrong with it.
const maxBadLines = 9

// ParseRuns reads the runs that text has.
func ParseRuns(text []byte, label string) ([]*record.Run, error) {
	if len(text) > bounds.MaxInput {
		return nil, fault.Data(fmt.Errorf("read %s: larger than %d MiB, the limit of an input", label, bounds.MaxInput>>20))
	}
	f, err := format.ByName("gobench")
	if err != nil {
		return nil, err
	}
	r := &trialReader{samples: map[string]int{}}
	if err := imports.ReadRecords(f, bytes.NewReader(text), label, r.add, r.stop); err != nil {
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
		r.limit = fmt.Errorf("more than %d runs, the limit of a trial", MaxRuns)
	}
	return err
}

func (r *trialReader) stop() error {
	if r.limit == nil && r.bad >= maxBadLines {
		return imports.ErrRestUnread
	}
	return r.limit
}

// count reports the limit that result passes, if any.
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
		return fmt.Errorf("more than %d values, the limit of an input", bounds.MaxValues)
	case len(r.samples) > bounds.MaxBenchmarks:
		return fmt.Errorf("more than %d benchmarks, the limit of a trial", bounds.MaxBenchmarks)
	case n > 2*record.MaxSamples:
		return fmt.Errorf("more than %d samples of %s on both sides together, the limit of a trial", 2*record.MaxSamples, result.Name)
	case r.config > MaxConfig:
		return fmt.Errorf("the configuration above each result adds up to more than %d MiB, the limit of a trial", MaxConfig>>20)
	}
	return nil
}
