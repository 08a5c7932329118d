package reading

import "io"

// Bounded limits what a decoder of another package keeps of its input: the decoder gets an error if it
// reads more than 1 MiB after the last mark.
type Bounded struct {
	r     io.Reader
	given int64
	mark  int64
}

// NewBounded returns a bounded reader of r.
func NewBounded(r io.Reader) *Bounded { return &Bounded{r: r} }

// readAhead leaves room for the buffer of a decoder.
const readAhead = 64 << 10

// Mark says that the decoder has returned the input up to offset, which counts in bytes.
func (b *Bounded) Mark(offset int64) { b.mark = offset }

func (b *Bounded) Read(p []byte) (int, error) {
	if b.given-b.mark > maxToken+readAhead {
		return 0, errToken
	}
	n, err := b.r.Read(p)
	b.given += int64(n)
	return n, err
}
