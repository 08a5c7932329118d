package decode

import (
	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// places holds the positions of the sample keys in the configuration of a result. A missing key has
// the position -1.
type places struct {
	pkg, suite, profile, round, order, seed, slices, spread, mean, slow int
}

// of returns the position of a sample key, or nil for any other key.
func (p *places) of(key string) *int {
	switch key {
	case record.KeyPackage:
		return &p.pkg
	case record.KeySuite:
		return &p.suite
	case record.KeyProfile:
		return &p.profile
	case record.KeyRound:
		return &p.round
	case record.KeyOrder:
		return &p.order
	case record.KeyLayoutSeed:
		return &p.seed
	case record.KeySlices:
		return &p.slices
	case record.KeySpread:
		return &p.spread
	case record.KeyMean:
		return &p.mean
	case record.KeySlow:
		return &p.slow
	}
	return nil
}

func placesIn(config []benchfmt.Config) places {
	p := places{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}
	for i, c := range config {
		if at := p.of(c.Key); at != nil {
			*at = i
		}
	}
	return p
}

// isSampleKey reports whether a key describes a single sample. It is called for every key of many
// samples.
func isSampleKey(key string) bool {
	var p places
	return p.of(key) != nil
}

// valueAt returns the configuration value at a position, or nil if the position is -1.
func valueAt(rec *benchfmt.Result, at int) []byte {
	if at < 0 {
		return nil
	}
	return rec.Config[at].Value
}
