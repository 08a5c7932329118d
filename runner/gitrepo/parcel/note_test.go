package parcel

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// Reading a note returns the version written last, and a writer with an older version cannot
// replace it.
func TestNote(t *testing.T) {
	ctx := t.Context()
	a, b, remote := noteClones(t)
	none, err := a.ReadNote(ctx, remote, "webhook")
	if err != nil || none.Text != nil {
		t.Fatalf("%q, %v", none.Text, err)
	}
	first, err := a.WriteNote(ctx, remote, "webhook", none, []byte("one\x00\n"))
	if err != nil {
		t.Fatal(err)
	}
	seen, err := b.ReadNote(ctx, remote, "webhook")
	if err != nil || string(seen.Text) != "one\x00\n" || seen.at != first.at {
		t.Fatalf("%q, %v", seen.Text, err)
	}
	if _, err := b.WriteNote(ctx, remote, "webhook", seen, []byte("two")); err != nil {
		t.Fatal(err)
	}
	for name, before := range map[string]Note{"the first": first, "none": none} {
		if _, err := a.WriteNote(ctx, remote, "webhook", before, []byte("lost "+name)); !errors.Is(err, ErrNoteChanged) {
			t.Errorf("on top of %s: %v", name, err)
		}
	}
	if last, err := a.ReadNote(ctx, remote, "webhook"); err != nil || string(last.Text) != "two" {
		t.Errorf("%q, %v", last.Text, err)
	}
	if other, err := a.ReadNote(ctx, remote, "other"); err != nil || other.Text != nil {
		t.Errorf("another note: %q, %v", other.Text, err)
	}
}

func TestNoteNames(t *testing.T) {
	a, _, remote := noteClones(t)
	for _, name := range []string{"", "../x", "-x", "A", "a b", "a*", strings.Repeat("a", 65)} {
		if _, err := a.ReadNote(t.Context(), remote, name); err == nil || !strings.Contains(err.Error(), "invalid note name") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// noteClones returns two clones of a bare repository without commits, and the path of the
// repository.
func noteClones(t *testing.T) (a, b *Clone, remote string) {
	t.Helper()
	temp := gittest.Isolate(t)
	remote = filepath.Join(temp, "bare.git")
	gittest.Run(t, temp, "init", "-q", "--bare", remote)
	clone := func(name string) *Clone {
		gittest.Run(t, temp, "init", "-q", name)
		return cloneAt(t, filepath.Join(temp, name))
	}
	return clone("a"), clone("b"), remote
}
