package flock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	one, two := open(t, path), open(t, path)
	if err := Wait(t.Context(), one, func() { t.Error("waits for nobody") }); err != nil {
		t.Fatal(err)
	}
	if locked, err := Try(two); locked || err != nil {
		t.Errorf("locked twice: %v, %v", locked, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := Wait(ctx, two, cancel); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	waited := 0
	err := Wait(t.Context(), two, func() {
		waited++
		_ = one.Close()
	})
	if err != nil || waited != 1 {
		t.Errorf("%v, waited %d times", err, waited)
	}
	if locked, err := Try(one); locked || err == nil {
		t.Errorf("a closed file: %v, %v", locked, err)
	}
}
