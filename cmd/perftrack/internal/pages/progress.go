package pages

import "sync"

// A progress records how much of the work on the index has been done.
type progress struct {
	mu       sync.Mutex
	doing    string
	done, of int
}

func (p *progress) begin(doing string, of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing, p.done, p.of = doing, 0, of
}

func (p *progress) add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
}

func (p *progress) now() (doing string, done, of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doing, p.done, p.of
}
