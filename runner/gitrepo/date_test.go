package gitrepo

import (
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

func TestApproxDate(t *testing.T) {
	gittest.Isolate(t)
	t.Setenv("TZ", "UTC")
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) // a Friday
	for _, tt := range []struct{ text, want string }{
		{"yesterday", "2026-01-01 03:04:05"},
		{"2.weeks", "2025-12-19 03:04:05"},
		{"3 days ago", "2025-12-30 03:04:05"},
		{"last friday", "2025-12-26 03:04:05"},
		{"2.weeks.ago", "2025-12-19 03:04:05"},
		{"one month ago", "2025-12-02 03:04:05"},
		{"now", "2026-01-02 03:04:05"},
		{"today", "2026-01-02 03:04:05"},
		{"Dec 24 2025 12:00:00", "2025-12-24 12:00:00"},
		{"wombat", ""}, {"2 wombats", ""}, {"yesterday, I think", ""}, {"never", ""}, {"12", ""}, {"2026", ""}, {"", ""}, {"today wombat", ""},
		{"yesterday\n[core]", ""}, {"$(x)", ""}, {"\"", ""}, {"--since", ""}, {strings.Repeat("1", 99), ""},
	} {
		at, ok, err := ApproxDate(t.Context(), t.TempDir(), tt.text, now) // a folder outside of any repository
		got := ""
		if ok {
			got = at.UTC().Format(time.DateTime)
		}
		if err != nil || got != tt.want {
			t.Errorf("%q: %q, %v, want %q", tt.text, got, err, tt.want)
		}
	}
}
