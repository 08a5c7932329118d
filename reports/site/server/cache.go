package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	cacheBytes = 64 << 20 // maximum size of compressed files; the cache is emptied when it is full
	makers     = 4        // number of files made at the same time
	makeTime   = 5 * time.Minute
)

// A file is a compressed file with the values for its headers.
type file struct {
	Kind string // content type
	Gzip []byte
	Tag  string // hash of the content
}

// compress returns a file with the given text.
func compress(kind string, text []byte) (*file, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return &file{Kind: kind, Gzip: b.Bytes(), Tag: hex.EncodeToString(sum[:16])}, nil
}

// text returns the uncompressed text of the file.
func (f *file) text() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(f.Gzip))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// A cache holds the files of one version of the site. If several requests need the same file, the
// cache makes it only once.
type cache struct {
	most    int
	turn    chan struct{}
	mu      sync.Mutex
	version string
	size    int
	made    map[string]*making
}

// A making is a file that is being made or has been made.
type making struct {
	done chan struct{} // closed when file or err has been set
	file *file
	err  error
}

func newCache(most int) *cache {
	return &cache{most: most, turn: make(chan struct{}, makers), made: map[string]*making{}}
}

// get returns a file from the cache, or makes it first. Errors are not cached. If a request ends
// early, the file is still made.
func (c *cache) get(ctx context.Context, version, name string, produce func(context.Context) (*file, error)) (*file, error) {
	c.mu.Lock()
	if version != c.version {
		c.version, c.size, c.made = version, 0, map[string]*making{}
	}
	m, ok := c.made[name]
	if !ok {
		m = &making{done: make(chan struct{})}
		c.made[name] = m
		go c.produce(context.WithoutCancel(ctx), m, name, produce)
	}
	c.mu.Unlock()
	select {
	case <-m.done:
		return m.file, m.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *cache) produce(ctx context.Context, m *making, name string, produce func(context.Context) (*file, error)) {
	ctx, cancel := context.WithTimeout(ctx, makeTime)
	defer cancel()
	defer close(m.done)
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	m.file, m.err = guarded(ctx, "make "+name, produce)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made[name] != m { // another version has replaced this one
		return
	}
	if m.err != nil {
		delete(c.made, name)
		return
	}
	if c.size += len(m.file.Gzip); c.size > c.most {
		c.size, c.made = len(m.file.Gzip), map[string]*making{name: m}
	}
}

// guarded calls produce and turns a panic into an error, so that a fault in one document does not
// end the server.
func guarded[T any](ctx context.Context, what string, produce func(context.Context) (*T, error)) (made *T, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: internal error: %v", what, cause)
		}
	}()
	if made, err = produce(ctx); made == nil && err == nil {
		err = errors.New(what + ": no result")
	}
	return made, err
}
