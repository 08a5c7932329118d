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
	cacheBytes = 64 << 20 // of compressed files, then all of them are made anew
	makers     = 4        // files that are made at the same time
	makeTime   = 5 * time.Minute
)

// A file is what is sent.
type file struct {
	Kind string // Content-Type
	Gzip []byte
	Tag  string // of what is in it
}

// compress makes a file of text.
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

// text returns what was compressed.
func (f *file) text() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(f.Gzip))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// A cache has the files of one version of the site. Of several who ask for the same one, one
// makes it and the others wait.
type cache struct {
	most    int
	turn    chan struct{}
	mu      sync.Mutex
	version string
	size    int
	made    map[string]*making
}

// A making is a file that is made, or was.
type making struct {
	done chan struct{} // closed when file or err is there
	file *file
	err  error
}

func newCache(most int) *cache {
	return &cache{most: most, turn: make(chan struct{}, makers), made: map[string]*making{}}
}

// get returns the file of that name, which it has made if it is not there. What fails is made
// anew for the next one who asks. One who goes away takes nothing from those who wait.
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
	if c.made[name] != m { // of a version that is gone
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

// guarded keeps a fault in what makes one thing from ending the server for all.
func guarded[T any](ctx context.Context, what string, produce func(context.Context) (*T, error)) (made *T, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: this is a fault of perftrack: %v", what, cause)
		}
	}()
	if made, err = produce(ctx); made == nil && err == nil {
		err = errors.New(what + ": nothing came of it")
	}
	return made, err
}
