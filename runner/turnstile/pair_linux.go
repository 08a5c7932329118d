package turnstile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
)

// A Pair is both sides of a benchmark, each a process that is parked. It must not be used by
// several goroutines at once.
type Pair struct {
	sides [2]*side
	err   error // the first, after which nothing runs any more
	close func() error
}

// Open starts both sides, one after the other, and lets each run the first count, which is
// dropped. When ctx is done, both are killed with all that they started, whatever they are
// doing; ctx is that of the Pair's whole life. The error is a [SliceError] if the benchmark
// cannot be sliced. Nothing is left running then.
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

// Slice lets side 0 or 1 run one count, while the other is stopped. After an error there are no more.
func (p *Pair) Slice(side int) (Slice, error) {
	s := p.sides[side]
	if p.err == nil && s.taken == s.Slices {
		p.err = fmt.Errorf("slice benchmark %s: all %d slices of side %d are taken", s.Name, s.Slices, side)
	}
	if p.err != nil {
		return Slice{}, p.err
	}
	var out Slice
	out, p.err = s.slice()
	return out, p.err
}

// Close ends both sides. If all slices of both were taken, they end by themselves, with what
// their TestMain does at its end, and a failure there is a [SliceError]; else they are killed.
// No process is left behind. Further calls return the same.
func (p *Pair) Close() error { return p.close() }

func (p *Pair) end() error {
	var err error
	complete := p.err == nil
	for _, s := range p.sides {
		complete = complete && s.taken == s.Slices
	}
	if complete {
		// Both tidy up, also where one failed; the first error is as good as the second.
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

// join is errors.Join, but leaves a single error as it is.
func join(err, also error) error {
	switch {
	case err == nil:
		return also
	case also == nil:
		return err
	}
	return errors.Join(err, also)
}

// Supported returns nil where benchmarks can be sliced, else why not.
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
