// Package benchtest builds test binaries for tests that measure them.
package benchtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/perftrack/perftrack/runner/livetest"
)

// A Binary is a test binary built from one file of benchmarks. It is built once for all tests of a
// package.
type Binary struct {
	Source string // path of the file; it may import only the standard library

	once      sync.Once
	dir, path string
	err       error
}

// Path builds the binary on the first call and returns its path. It skips t unless live tests are
// requested.
func (b *Binary) Path(t testing.TB) string {
	t.Helper()
	livetest.Skip(t)
	b.once.Do(func() { b.err = b.build(t.Context()) })
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.path
}

func (b *Binary) build(ctx context.Context) error {
	text, err := os.ReadFile(b.Source)
	if err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "benchtest-"); err != nil {
		return err
	}
	for name, text := range map[string][]byte{"bench_test.go": text, "go.mod": []byte("module bench\n\ngo 1.24\n")} {
		if err := os.WriteFile(filepath.Join(b.dir, name), text, 0o600); err != nil {
			return err
		}
	}
	b.path = filepath.Join(b.dir, "bench.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", b.path)
	build.Dir, build.Env = b.dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", b.Source, err, out)
	}
	return nil
}

// Remove removes the binary if it was built.
func (b *Binary) Remove() {
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}
