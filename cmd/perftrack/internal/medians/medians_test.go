package medians

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
)

// A stored describes a stored run with one sample of benchmark X.
type stored struct {
	commit, machine, trial string
	status                 record.Status
	value                  float64
}

func put(t *testing.T, a *workspace.Session, runs ...stored) {
	t.Helper()
	db, _, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range runs {
		branch := ""
		if r.commit[0] == 'd' { // the commit is not in any clone
			branch = "topic"
		}
		run := &record.Run{
			Target: "echo", Commit: record.Commit{SHA: r.commit, Branch: branch}, Start: time.Unix(int64(i), 0), Status: r.status, Trial: r.trial,
			Env:        record.Settings{{Key: "goos", Value: "linux"}, {Key: "machine", Value: r.machine}},
			Benchmarks: []record.Benchmark{{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "X"}, Rounds: []record.Round{{N: 1}}, Samples: []record.Samples{{Unit: "ns/op", Values: []float64{r.value}}, {Unit: "B/op", Values: []float64{8}}}}},
		}
		if r.trial != "" {
			run.Side = record.Head
		}
		if r.status == "" {
			run.Status = record.Complete
		}
		if _, _, err := db.Put(t.Context(), run); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// shown returns the history of a unit on each machine, as its values separated by spaces.
func shown(h *github.Histories, unit string) (all []string) {
	for _, s := range h.List {
		if s.Unit != unit {
			continue
		}
		line := ""
		for _, p := range s.Points {
			line += fmt.Sprintf(" %.4g", p.Value*1e9)
		}
		all = append(all, strings.TrimSpace(line))
	}
	return all
}

// The medians are in the order of the commits and separate for each environment. They come only
// from complete runs on the line of the tip.
func TestOf(t *testing.T) {
	a, commit := workspacetest.New(t)
	var shas []string
	for i := range 5 {
		shas = append(shas, commit(fmt.Sprintf("2026-01-0%dT00:00:00Z", i+1)))
	}
	put(t, a,
		stored{shas[3], "m", "", "", 104}, stored{shas[0], "m", "", "", 101}, stored{shas[1], "n", "", "", 202}, stored{shas[1], "m", "", record.Partial, 999},
		stored{shas[2], "m", "t1", "", 103}, stored{shas[4], "m", "", "", 105}, stored{strings.Repeat("f", 40), "m", "", "", 999},
		stored{strings.Repeat("e", 40), "m", "", "", 998}, stored{strings.Repeat("f", 40), "m", "", "", 997},
		stored{strings.Repeat("d", 40), "m", "", "", 500})
	none := func(string, record.BenchmarkID) bool { return false }
	for _, tt := range []struct {
		name string
		opt  Options
		want string
	}{
		{"of HEAD", Options{}, "[998 999 997 101 103 104 105 202]"}, // commits missing in this clone count as older
		{"up to a commit", Options{Tip: shas[3]}, "[101 103 104 202]"},
		{"without a trial", Options{Tip: shas[3], Trial: "t1"}, "[101 104 202]"},
		{"nothing wanted", Options{Wanted: none}, "[]"},
	} {
		h, err := Of(t.Context(), a, tt.opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(shown(h, "sec/op")); got != tt.want || h.ToBase != (tt.opt.Tip != "") {
			t.Errorf("%s: %s up to the base %v, want %s", tt.name, got, h.ToBase, tt.want)
		}
	}
	var b bytes.Buffer
	if err := Write(t.Context(), a, &b); err != nil {
		t.Fatal(err)
	}
	h, err := Parse(b.Bytes(), shas[3])
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(shown(h, "sec/op")); got != "[998 999 997 101 103 104 202]" || !h.ToBase {
		t.Errorf("written and read up to a commit: %s, %v", got, h.ToBase)
	}
	if h, err = Parse(b.Bytes(), strings.Repeat("d", 40)); err != nil || h.ToBase || fmt.Sprint(shown(h, "sec/op")) != "[998 999 997 101 103 104 105 202]" {
		t.Errorf("a base that was not measured: %v, %v, %v", shown(h, "sec/op"), h.ToBase, err)
	}
}

// Only the newest commits and the newest runs in a series are used.
func TestNewest(t *testing.T) {
	a, commit := workspacetest.New(t)
	var runs []stored
	for i := range MaxCommits + 5 {
		sha := commit(time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC).Format(time.RFC3339))
		machine := "often"
		if i%10 == 0 {
			machine = "seldom"
		}
		runs = append(runs, stored{sha, machine, "", "", float64(100 + i)})
	}
	put(t, a, runs...)
	h, commits, err := read(t.Context(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(commits) != MaxCommits || commits[len(commits)-1] != runs[len(runs)-1].commit || commits[0] != runs[5].commit {
		t.Errorf("%d commits", len(commits))
	}
	got := shown(h, "sec/op")
	if len(got) != 2 || got[0] != "110 120 130 140 150 160" || !strings.HasSuffix(got[1], " 161 162 163 164") || strings.Count(got[1], " ") != MaxRuns-1 {
		t.Errorf("%q", got)
	}
}

// of returns a history of n benchmarks in two units each, and its commits.
func of(n int) (*github.Histories, []string) {
	h, commits := &github.Histories{}, []string{strings.Repeat("a", 40), strings.Repeat("b", 40)}
	for i := range n {
		for _, unit := range []string{"B/op", "sec/op"} {
			h.List = append(h.List, github.History{
				Target: "lib", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "p", Name: fmt.Sprint("X", i)}, Unit: unit, Environment: "0123456789ab",
				Points: []github.Point{{Commit: commits[0], Value: 1.5}, {Commit: commits[1], Value: math.MaxFloat64}},
			})
		}
	}
	return h, commits
}

// A document is read back as it was written. If it would be too large, only the series of times are
// kept.
func TestEncode(t *testing.T) {
	h, commits := of(100)
	all, err := encode(h, commits, MaxSize)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(all, commits[1])
	if err != nil || len(got.List) != 200 || got.LeftOut != 0 || !got.ToBase {
		t.Fatalf("%d series, %v", len(got.List), err)
	}
	want := h.List[1] // the first series of times
	want.Points = []github.Point{{Commit: commits[0][:12], Value: 1.5}, {Commit: commits[1][:12], Value: math.MaxFloat64}}
	if !reflect.DeepEqual(got.List[0], want) {
		t.Errorf("%+v, want %+v", got.List[0], want)
	}
	most := len(all) * 2 / 3
	some, err := encode(h, commits, most)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = Parse(some, commits[1]); err != nil {
		t.Fatal(err)
	}
	times := 0
	for _, s := range got.List {
		if s.Unit == "sec/op" {
			times++
		}
	}
	if len(some) > most || times != 100 || len(got.List)+got.LeftOut != 200 || got.LeftOut == 0 {
		t.Errorf("%d bytes of %d: %d series, %d times, %d left out", len(some), most, len(got.List), times, got.LeftOut)
	}
	if none, err := encode(&github.Histories{}, nil, MaxSize); err != nil || !json.Valid(none) {
		t.Errorf("of nothing: %s, %v", none, err)
	}
}

// A document from an untrusted source is checked.
func TestUntrustedMedians(t *testing.T) {
	const good = `{"medians_version":1,"commits":["aaaaaaaaaaaa","bbbbbbbbbbbb"],"series_left_out":0,"series":[` +
		`{"target":"lib","kind":"bench","name":"X","unit":"sec/op","environment_id":"0123456789ab","at":[0,1],"medians":[1,2]}]}`
	long := strings.Repeat("n", record.MaxSettingLen+1)
	many := strings.TrimSuffix(strings.Repeat(`"aaaaaaaaaaaa",`, MaxCommits+1), ",")
	for _, tt := range []struct{ name, old, new, err string }{
		{"good", "", "", ""},
		{"nothing", good, "", "read JSON"},
		{"no JSON", good, "PK\x03\x04", "read JSON"},
		{"null", good, "null", "version 0"},
		{"a list", good, "[]", "read JSON"},
		{"deep", good, strings.Repeat("[", 1<<20), "read JSON"},
		{"more behind it", good, good + good, "read JSON"},
		{"version", "version\":1", "version\":2", "the medians have version 2"},
		{"too large", "[1,2]", "[1,2" + strings.Repeat(" ", MaxSize) + "]", "larger than 8 MiB"},
		{"a commit", "bbbbbbbbbbbb", "](http://x)//", "the commits must be"},
		{"a long commit", "bbbbbbbbbbbb", "bbbbbbbbbbbbb", "the commits must be"},
		{"commits", `"aaaaaaaaaaaa","bbbbbbbbbbbb"`, many, "the commits must be at most 60"},
		{"left out", "left_out\":0", "left_out\":-1", "the number of omitted series is negative"},
		{"left out beyond", "left_out\":0", "left_out\":1e99", "read JSON"},
		{"environment", "0123456789ab", "<b>", "series 1: the environment has no id"},
		{"a long name", "\"X\"", `"` + long + `"`, "a name has more than 1024 bytes"},
		{"a long unit", "sec/op", long, "a name has more than 1024 bytes"},
		{"a place before", "[0,1]", "[-1,1]", "not in commit order"},
		{"a place behind", "[0,1]", "[0,2]", "not in commit order"},
		{"back", "[0,1]", "[1,0]", "not in commit order"},
		{"fewer places", "[0,1]", "[0]", "1 commits and 2 medians"},
		{"many", `[0,1],"medians":[1,2]`, `[0` + strings.Repeat(",0", MaxRuns) + `],"medians":[0` + strings.Repeat(",0", MaxRuns) + `]`, "31 commits and 31 medians"},
		{"negative", "[1,2]", "[1,-2]", "a median is negative or not finite"},
		{"not a number", "[1,2]", "[1,NaN]", "read JSON"},
		{"infinite", "[1,2]", "[1,1e999]", "read JSON"},
		{"words", "[1,2]", "[1,\"x\"]", "read JSON"},
	} {
		text := good
		if tt.old != "" {
			text = strings.Replace(good, tt.old, tt.new, 1)
		}
		h, err := Parse([]byte(text), strings.Repeat("a", 40))
		switch {
		case tt.err == "" && (err != nil || !h.ToBase || len(h.List) != 1 || len(h.List[0].Points) != 1):
			t.Errorf("%s: %+v, %v", tt.name, h, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.err)
		}
	}
}

func FuzzParse(f *testing.F) {
	h, commits := of(2)
	text, err := encode(h, commits, MaxSize)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := Parse(text, strings.Repeat("a", 40))
		if err != nil {
			return
		}
		for _, s := range h.List {
			for _, p := range s.Points {
				if !isShort(p.Commit) || !(p.Value >= 0) || math.IsInf(p.Value, 1) {
					t.Errorf("%+v", p)
				}
			}
		}
	})
}
