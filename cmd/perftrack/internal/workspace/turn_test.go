package workspace

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// Who waits is told for whom, and no longer than the budget.
func TestTurn(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	var said []string
	session := func(dir string) *Session {
		return &Session{Dir: dir, DB: t.TempDir() + "/x.db", Command: "perftrack check --base v1", Now: func() time.Time { return at },
			Rand: rand.New(rand.NewPCG(1, 1)), Notice: func(text string) { said = append(said, text) }}
	}
	first, err := session("/one").lockMeasuring(t.Context(), 10*time.Minute)
	if err != nil || len(said) != 0 {
		t.Fatalf("the first waits: %v, %q", err, said)
	}
	at = at.Add(6 * time.Minute)
	_, err = session("/two").lockMeasuring(t.Context(), time.Nanosecond)
	for _, text := range append(said, err.Error()) {
		for _, want := range []string{"another perftrack: pid ", " in /one, `perftrack check --base v1`, begun 03:04:05, about 4 min left at most"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q does not say %q", text, want)
			}
		}
	}
	if len(said) != 1 || !strings.Contains(err.Error(), "the budget of 1ns ended while waiting") {
		t.Errorf("%q, %v", said, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := session("/three").lockMeasuring(gone, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	db, _, closeAll, err := session("/four").OpenForCounting(t.Context()) // at once, whoever measures
	if err != nil || db == nil {
		t.Fatal(err)
	}
	if err := closeAll(); err != nil {
		t.Error(err)
	}
	first()
	said = nil
	second, err := session("/two").lockMeasuring(t.Context(), time.Minute)
	if err != nil || len(said) != 0 {
		t.Errorf("nobody measures any more: %v, %q", err, said)
	}
	second()
}

// Who waits long is told so again, and when the wait is over.
func TestLongWait(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	var first func()
	var said []string
	s := &Session{Dir: "/x", Now: func() time.Time { at = at.Add(11 * time.Second); return at }, Notice: func(text string) {
		if said = append(said, text); len(said) == 3 {
			first()
		}
	}}
	first, err := s.lockMeasuring(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.lockMeasuring(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	second()
	for i, want := range []string{"waiting for another perftrack: pid ", "still waiting, for 33s now: ", "still waiting, for 1m6s now: ", "the wait is over, after 1m17s"} {
		if i >= len(said) || !strings.HasPrefix(said[i], want) {
			t.Fatalf("%q, want %q", said, want)
		}
	}
	if len(said) != 4 {
		t.Errorf("%q", said)
	}
}
