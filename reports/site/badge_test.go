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

	"github.com/perftrack/perftrack/reports/site/documents"
)

// settledRows returns rows of benchmarks with enough runs to know their state, followed by rows of
// benchmarks with too few.
func settledRows(enough, tooFew int) (rows []documents.BenchmarkRow) {
	for i := range enough + tooFew {
		state := "steady"
		if i >= enough {
			state = "too-few"
		}
		rows = append(rows, documents.BenchmarkRow{Lines: []documents.Row{{State: state}, {State: "steady"}}})
	}
	return rows
}

// A badge is green only if nearly all benchmarks are known to be steady. Missing measurements must
// not make it green.
func TestBadge(t *testing.T) {
	const now = 1_800_000_000
	open := []documents.Regression{{State: "open"}, {State: "recovered"}, {State: "open", Benchmark: 3}, {State: "accepted"}}
	bytes := []documents.Regression{{State: "open", Unit: "B/op"}, {State: "open", Unit: "allocs/op"}}
	checked := []documents.BenchmarkRow{{Lines: []documents.Row{{State: "checked"}, {State: "checked"}}}, {Lines: []documents.Row{{State: "checked", Branch: "side"}}}}
	for _, tt := range []struct {
		name   string
		now    documents.Now
		rows   []documents.BenchmarkRow
		list   []documents.Regression
		words  string
		colour string
	}{
		{"regressed", documents.Now{LastRun: now}, settledRows(1, 8), open, "2 regressions", badgeWorse},
		{"one", documents.Now{LastRun: now}, settledRows(9, 0), open[:2], "1 regression", badgeWorse},
		{"long ago, and still", documents.Now{LastRun: 1}, settledRows(9, 0), open, "2 regressions", badgeWorse},
		{"steady", documents.Now{LastRun: now}, settledRows(9, 0), open[1:2], "steady", badgeSteady},
		{"nothing", documents.Now{}, settledRows(0, 0), nil, "unknown", badgeUnknown},
		{"nothing measured", documents.Now{}, settledRows(3, 0), nil, "unknown", badgeUnknown},
		{"too few", documents.Now{LastRun: now}, settledRows(0, 9), nil, "unknown", badgeUnknown},
		{"most too few", documents.Now{LastRun: now}, settledRows(1, 8), nil, "1 of 9 steady", badgeUnknown},
		{"a new one", documents.Now{LastRun: now}, settledRows(38, 2), nil, "38 of 40 steady", badgeSteady},
		{"long ago", documents.Now{LastRun: now - 31*86400}, settledRows(9, 0), nil, "not measured since 2026-12-15", badgeUnknown},
		{"bytes alone are known", documents.Now{LastRun: now}, []documents.BenchmarkRow{{Lines: []documents.Row{{State: "too-few"}, {State: "steady"}, {State: "steady"}}}}, nil, "unknown", badgeUnknown},
		{"scopes are no benchmarks", documents.Now{LastRun: now}, append(settledRows(3, 0), documents.BenchmarkRow{Scope: true, Lines: []documents.Row{{State: "too-few"}}}), nil, "steady", badgeSteady},
		{"nothing but scopes", documents.Now{LastRun: now}, []documents.BenchmarkRow{{Scope: true, Lines: []documents.Row{{State: "steady"}}}}, nil, "steady", badgeSteady},
		{"other branches are not the site's", documents.Now{LastRun: now}, append(settledRows(3, 0), documents.BenchmarkRow{Lines: []documents.Row{{State: "too-few", Branch: "side"}}}), nil, "steady", badgeSteady},
		{"two units of one benchmark", documents.Now{LastRun: now}, settledRows(9, 0), bytes, "1 regression", badgeWorse},
		{"a check proved it, where runs are too few", documents.Now{LastRun: now}, checked, nil, "1 regression", badgeWorse},
		{"a check and a step", documents.Now{LastRun: now}, checked, open, "2 regressions", badgeWorse},
		{"lost", documents.Now{LastRun: now, Lost: []int{1, 2}}, settledRows(9, 0), nil, "steady, 2 benchmarks lost", badgeUndecided},
	} {
		words, colour := standing(&documents.Index{Meta: documents.Meta{Generated: now}, Now: tt.now, Benchmarks: tt.rows}, &documents.Regressions{List: tt.list})
		if words != tt.words || colour != tt.colour {
			t.Errorf("%s: %q %s, want %q %s", tt.name, words, colour, tt.words, tt.colour)
		}
	}
}

func TestBadgeImage(t *testing.T) {
	got := Badge(&documents.Index{Meta: documents.Meta{Generated: 1_800_000_000}, Now: documents.Now{LastRun: 1_800_000_000}}, &documents.Regressions{List: []documents.Regression{{State: "open"}, {State: "open", Benchmark: 1}}, Lines: 9})
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
