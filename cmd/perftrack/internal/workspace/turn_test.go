package workspace

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// A waiting session reports the process it is waiting for, and the longest possible wait.
func TestTurn(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	var said []string
	session := func(dir string) *Session {
		return &Session{Dir: dir, DB: t.TempDir() + "/x.db", Command: "perftrack check --base v1", Now: func() time.Time { return at },
			Rand: rand.New(rand.NewPCG(1, 1)), Notice: func(text string) { said = append(said, text) }}
	}
	ends := func(at time.Time) func(time.Duration) time.Time {
		return func(time.Duration) time.Time { return at }
	}
	first, err := session("/one").TakeTurn(t.Context(), ends(at.Add(10*time.Minute)))
	if err != nil || len(said) != 0 {
		t.Fatalf("the first waits: %v, %q", err, said)
	}
	at = at.Add(6 * time.Minute)
	soon, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if _, err = session("/two").TakeTurn(soon, nil); !errors.Is(err, context.DeadlineExceeded) || len(said) != 1 {
		t.Errorf("%q, %v", said, err)
	}
	for _, want := range []string{"another perftrack: pid ", " in /one, `perftrack check --base v1`, started 03:04:05, at most about 4 min left"} {
		if !strings.Contains(said[0], want) {
			t.Errorf("%q does not say %q", said[0], want)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := session("/three").TakeTurn(gone, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	db, _, err := session("/four").OpenForWriting(t.Context()) // opening the database does not wait for a turn
	if err != nil || db == nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	first()
	said = nil
	two := session("/two")
	second, err := two.TakeTurn(t.Context(), nil)
	if err != nil || len(said) != 0 {
		t.Errorf("nobody measures any more: %v, %q", err, said)
	}
	within, err := two.TakeTurn(t.Context(), nil) // the session already has the turn
	if err != nil || len(said) != 0 {
		t.Errorf("its own turn: %v, %q", err, said)
	}
	second()
	second() // a second call has no effect
	if _, err := session("/five").TakeTurn(soon, nil); err == nil {
		t.Error("a turn ended before each had released it")
	}
	within()
}

// Workers on other CPUs measure at the same time. Nobody else does.
func TestTurnBeside(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	session := func(cpus ...int) *Session {
		return &Session{Dir: "/x", Now: time.Now, Beside: cpus}
	}
	for _, tt := range []struct {
		holds, wants []int
		free         bool
	}{
		{[]int{0, 1}, []int{2}, true},
		{[]int{0, 1}, []int{2, 1}, false},
		{[]int{3}, nil, false},
		{nil, []int{3}, false},
		{nil, nil, false},
	} {
		end, err := session(tt.holds...).TakeTurn(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		long := time.Minute // on a free machine nobody waits
		if !tt.free {
			long = time.Millisecond
		}
		soon, cancel := context.WithTimeout(t.Context(), long)
		second, err := session(tt.wants...).TakeTurn(soon, nil)
		if free := err == nil; free != tt.free {
			t.Errorf("CPUs %v beside %v: %v", tt.wants, tt.holds, err)
		}
		cancel()
		second()
		end()
	}
}

// A session waiting for a long time gets further messages, and another one when the wait is over.
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
	first, err := s.TakeTurn(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var waited time.Duration
	other := &Session{Dir: "/y", Now: s.Now, Notice: s.Notice}
	second, err := other.TakeTurn(t.Context(), func(d time.Duration) time.Time { waited = d; return time.Time{} })
	if err != nil || waited < time.Minute {
		t.Fatalf("%v, waited %v", err, waited)
	}
	second()
	for i, want := range []string{"waiting for another perftrack: pid ", "still waiting after 33s for ", "still waiting after 1m6s for ", "waited 1m17s"} {
		if i >= len(said) || !strings.HasPrefix(said[i], want) {
			t.Fatalf("%q, want %q", said, want)
		}
	}
	if len(said) != 4 {
		t.Errorf("%q", said)
	}
}
