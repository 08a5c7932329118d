package decode

import (
	"crypto/sha256"
	"maps"

	"github.com/perftrack/perftrack/runner/record"
)

// A Batch is some of the runs in an input whose results are scattered, such as a history that is
// ordered by benchmark. Reading the input once for each batch needs less memory than assembling all
// runs at once.
type Batch struct {
	base  record.Run
	units map[string]record.Unit
	only  map[headerID]bool
}

// Batches divides the runs of a scattered input, after Finish, into batches that take about size
// bytes of memory each. The runs are in the order of their first results.
func (s *Stream) Batches(size int) []Batch {
	var all []Batch
	taken := 0
	for _, id := range s.order {
		if len(all) == 0 || taken+s.ended[id] > size {
			all = append(all, Batch{s.builder.Default, s.builder.units, map[headerID]bool{}})
			taken = 0
		}
		taken += s.ended[id]
		all[len(all)-1].only[id] = true
	}
	return all
}

// Builder returns a Builder that ignores the results of the other batches.
func (b Batch) Builder() *Builder {
	return &Builder{Default: b.base, units: maps.Clone(b.units), only: b.only}
}

// ignores reports whether results with a header belong to another batch.
func (b *Builder) ignores(key string) bool {
	return b.only != nil && !b.only[sha256.Sum256([]byte(key))]
}
