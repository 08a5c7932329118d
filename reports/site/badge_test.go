package site

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A badge is green only where that is known, whatever nobody measured.
func TestBadge(t *testing.T) {
	const now = 1_800_000_000
	open := []Regression{{State: "open"}, {State: "recovered"}, {State: "open"}, {State: "accepted"}}
	for _, tt := range []struct {
		name   string
		now    Now
		r      Regressions
		words  string
		colour string
	}{
		{"regressed", Now{LastRun: now}, Regressions{List: open, Lines: 9, TooFew: 8}, "2 regressions", badgeWorse},
		{"one", Now{LastRun: now}, Regressions{List: open[:2], Lines: 9}, "1 regression", badgeWorse},
		{"long ago, and still", Now{LastRun: 1}, Regressions{List: open, Lines: 9}, "2 regressions", badgeWorse},
		{"steady", Now{LastRun: now}, Regressions{List: open[1:2], Lines: 9}, "steady", badgeSteady},
		{"nothing", Now{}, Regressions{}, "unknown", badgeUnknown},
		{"nothing measured", Now{}, Regressions{Lines: 3}, "unknown", badgeUnknown},
		{"too few", Now{LastRun: now}, Regressions{Lines: 9, TooFew: 9}, "unknown", badgeUnknown},
		{"most too few", Now{LastRun: now}, Regressions{Lines: 9, TooFew: 8}, "1 of 9 steady", badgeUnknown},
		{"a new one", Now{LastRun: now}, Regressions{Lines: 40, TooFew: 2}, "38 of 40 steady", badgeSteady},
		{"long ago", Now{LastRun: now - 31*86400}, Regressions{Lines: 9}, "not measured since 2026-12-15", badgeUnknown},
		{"lost", Now{LastRun: now, Lost: []int{1, 2}}, Regressions{Lines: 9}, "steady, 2 benchmarks lost", badgeUndecided},
	} {
		words, colour := standing(&Index{Meta: Meta{Generated: now}, Now: tt.now}, &tt.r)
		if words != tt.words || colour != tt.colour {
			t.Errorf("%s: %q %s, want %q %s", tt.name, words, colour, tt.words, tt.colour)
		}
	}
}

func TestBadgeImage(t *testing.T) {
	got := Badge(&Index{Meta: Meta{Generated: 1_800_000_000}, Now: Now{LastRun: 1_800_000_000}}, &Regressions{List: []Regression{{State: "open"}, {State: "open"}}, Lines: 9})
	for d := xml.NewDecoder(strings.NewReader(string(got))); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	golden := filepath.Join("testdata", "badge.svg")
	if update := flag.Lookup("update"); update != nil && update.Value.String() == "true" {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(got) != string(want) {
		t.Errorf("%v: got\n%s\nwant\n%s", err, got, want)
	}
}
