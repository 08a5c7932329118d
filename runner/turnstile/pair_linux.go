package turnstile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
)

// A Pair consists of the two parked processes that run one benchmark. It is not safe for concurrent
// use.
type Pair struct {
	sides [2]*side
	err   error // first error; no slices run after it
	close func() error
}

// Open starts both sides, one after the other, and lets each run its first count, which is dropped.
// ctx applies to the whole life of the Pair: when it is done, both processes are killed together
// with all their descendants. Open returns a [SliceError] if the benchmark cannot be sliced. If
// Open fails, it leaves no process running.
func Open(ctx context.Context, spec Spec) (*Pair, error) {
	if err := Supported(); err != nil {
		return nil, err
	}
	if err := spec.check(); err != nil {
		return nil, err
	}
	p := new(Pair)
	p.close = sync.OnceValue(p.end)
	for _, i := range [2]int{spec.First, 1 - spec.First} {
		s, err := startSide(ctx, spec, i)
		if err == nil {
			p.sides[i] = s
			err = s.open()
		}
		if err != nil {
			p.err = err
			return nil, join(err, p.Close())
		}
	}
	return p, nil
}

// Slice lets side 0 or 1 run one count while the other side is stopped. After an error, no more
// slices can run.
func (p *Pair) Slice(side int) (Slice, error) {
	s := p.sides[side]
	if p.err == nil && s.taken == s.Slices {
		p.err = fmt.Errorf("slice benchmark %s: all %d slices on side %d are used up", s.Name, s.Slices, side)
	}
	if p.err != nil {
		return Slice{}, p.err
	}
	var out Slice
	out, p.err = s.slice()
	return out, p.err
}

// Close ends both sides. If all slices of both sides were taken, the processes run to their end,
// including any cleanup in TestMain, and a failure there results in a [SliceError]. Otherwise they
// are killed. Close leaves no process running. Further calls return the same error.
func (p *Pair) Close() error { return p.close() }

func (p *Pair) end() error {
	var err error
	complete := p.err == nil
	for _, s := range p.sides {
		complete = complete && s.taken == s.Slices
	}
	if complete {
		// Both sides finish, even if one fails. Either error will do.
		first := p.sides[0].First
		err = cmp.Or(p.sides[first].finish(), p.sides[1-first].finish())
	}
	if p.err == nil {
		p.err = os.ErrClosed
	}
	for _, s := range p.sides {
		if s != nil {
			err = join(err, s.close())
		}
	}
	return err
}

// join is like errors.Join, but does not wrap an error if it is the only one.
func join(err, also error) error {
	switch {
	case err == nil:
		return also
	case also == nil:
		return err
	}
	return errors.Join(err, also)
}

// Supported returns nil if benchmarks can be sliced on this machine, or else an error with the
// reason.
var Supported = sync.OnceValue(supported)

func supported() (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("slice benchmarks: %w", err)
		}
	}()
	p, writer, err := newPipe()
	if err != nil {
		return err
	}
	defer p.close()
	defer writer.Close()
	if err := p.try(writer); err != nil {
		return err
	}
	self, err := openProcess(os.Getpid())
	if err != nil {
		return err
	}
	defer self.close()
	_, err = self.time()
	return err
}
