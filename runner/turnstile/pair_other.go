//go:build !linux

package turnstile

import (
	"context"
	"errors"
	"runtime"
)

// A Pair is both sides of a benchmark.
type Pair struct{}

var errUnsupported = errors.New("slice benchmarks: " + runtime.GOOS + " has no pipes of packets: only Linux has")

// Supported returns nil where benchmarks can be sliced, else why not.
func Supported() error { return errUnsupported }

// Open refuses: see [Supported].
func Open(context.Context, Spec) (*Pair, error) { return nil, errUnsupported }

// Slice refuses: there is no Pair.
func (*Pair) Slice(int) (Slice, error) { return Slice{}, errUnsupported }

// Close does nothing: there is no Pair.
func (*Pair) Close() error { return nil }
