package fleet

import (
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

func TestStaff(t *testing.T) {
	const (
		waits = "waiting for a worker of class c7g: start one with `perftrack worker --class c7g`, or see `perftrack list workers`"
		works = "1 worker of class c7g is measuring"
		many  = "2 workers of class c7g are measuring"
	)
	for _, tt := range []struct {
		name    string
		counts  []int // every 10 minutes
		notices []string
		gives   bool // up at the end
	}{
		{"workers from the start", []int{2, 3, 2}, nil, false},
		{"nobody", []int{0}, []string{waits}, true},
		{"somebody comes", []int{0, 1}, []string{waits, works}, false},
		{"all leave", []int{1, 0, 0}, []string{waits}, true},
		{"for a while only", []int{1, 0, 2, 0}, []string{waits, many, waits}, true},
		{"not known yet", nil, nil, true},
	} {
		var notices []string
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		a := &workspace.Session{Now: func() time.Time { return at }, Notice: func(s string) { notices = append(notices, s) }}
		s := NewStaff(a, "c7g")
		for _, n := range tt.counts {
			at = at.Add(10 * time.Minute)
			s.Counted(n)
			if err := s.GivenUp(); err != nil && n > 0 {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
		at = at.Add(patience)
		if err := s.GivenUp(); (err != nil) != tt.gives {
			t.Errorf("%s: the end is %v, want an error: %v", tt.name, err, tt.gives)
		}
		if !slices.Equal(notices, tt.notices) {
			t.Errorf("%s: notices %q, want %q", tt.name, notices, tt.notices)
		}
	}
}
