package format

import (
	"bytes"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// A configuration holds a copy of the configuration above a result, because benchfmt's reader
// overwrites its values. If nothing has changed since the previous result, the copy is the same
// slice, so later stages need not compare long values.
type configuration struct {
	changed bool // whether any line since the previous result was more than a new value of a sample key
	config  []benchfmt.Config
	samples []int // positions of the sample keys in config
}

// of returns the configuration above a result. It returns the same slice as for the previous result
// if only values of sample keys have changed since.
func (c *configuration) of(now []benchfmt.Config) []benchfmt.Config {
	if c.changed && !equal(c.config, now) || len(c.config) != len(now) {
		c.copy(now)
	}
	for _, i := range c.samples {
		c.config[i].Value = now[i].Value
	}
	c.changed = false
	return c.config
}

// copy sets c.config to a copy of now, sharing equal values with the previous copy.
func (c *configuration) copy(now []benchfmt.Config) {
	before := c.config
	c.config, c.samples = make([]benchfmt.Config, len(now)), c.samples[:0]
	for i, n := range now {
		c.config[i] = n
		if record.RoleOf(n.Key) == record.SampleKey {
			c.samples = append(c.samples, i)
			continue
		}
		c.config[i].Value = nil
		for _, b := range before {
			if b.Key == n.Key && bytes.Equal(b.Value, n.Value) {
				c.config[i].Value = b.Value
			}
		}
		if c.config[i].Value == nil {
			c.config[i].Value = bytes.Clone(n.Value)
		}
	}
}

// equal reports whether the keys and values are the same, in the same order.
func equal(a, b []benchfmt.Config) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key != b[i].Key || a[i].File != b[i].File || !bytes.Equal(a[i].Value, b[i].Value) {
			return false
		}
	}
	return true
}
