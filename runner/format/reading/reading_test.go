package reading

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
)

func TestUnitOf(t *testing.T) {
	for _, tt := range []struct {
		text, unit string
		factor     float64
	}{
		{"ns", "ns/op", 1}, {"ns/op", "ns/op", 1}, {"ns/iter", "ns/op", 1}, {"us", "ns/op", 1e3}, {"µs", "ns/op", 1e3}, {"μs/iter", "ns/op", 1e3},
		{"ms/op", "ns/op", 1e6}, {"s", "ns/op", 1e9}, {"seconds", "ns/op", 1e9}, {"ops/hr", "ops/s", 1.0 / 3600}, {"day/op", "ns/op", 86400e9},
		{"min", "ns/op", 60e9}, {"ps", "ns/op", 1e-3},
		{"ops/s", "ops/s", 1}, {"ops/sec", "ops/s", 1}, {"iter/sec", "ops/s", 1}, {"ops/ms", "ops/s", 1e3}, {"hz", "ops/s", 1}, {"op/ns", "ops/s", 1e9},
		{"B/op", "B/op", 1}, {"KiB/op", "B/op", 1024}, {"allocs/op", "allocs/op", 1}, {"bytes", "B", 1}, {"MB", "B", 1e6},
		{"B/s", "MB/s", 1e-6}, {"MB/s", "MB/s", 1}, {"GiB/s", "MB/s", 1073.741824}, {"MB/sec", "MB/s", 1},
		{"items/s", "items/s", 1}, {"elem/ms", "elem/s", 1e3}, {"frames per burst", "frames_per_burst", 1}, {"Percent", "Percent", 1}, {"%", "%", 1},
		{" ms ", "ns/op", 1e6}, {"/s", "/s", 1}, {"", "", 1},
	} {
		u := UnitOf(tt.text)
		if v := u.Value(1); u.Go != tt.unit || !near(v.V, tt.factor) {
			t.Errorf("%q: 1 is %v %s, want %v %s", tt.text, v.V, v.Unit, tt.factor, tt.unit)
		}
		if kept := u.From == ""; kept != (u.Go == strings.TrimSpace(tt.text)) {
			t.Errorf("%q: from %q to %q", tt.text, u.From, u.Go)
		}
	}
}

func near(a, b float64) bool { return a/b > 1-1e-12 && a/b < 1+1e-12 }

func TestSeries(t *testing.T) {
	var s Series
	for i := range MaxSeries {
		s.Add(float64(i))
	}
	if s.Batch != 1 || len(s.Values) != MaxSeries || s.Values[5] != 5 {
		t.Fatalf("%d values in batches of %d", len(s.Values), s.Batch)
	}
	for i := MaxSeries; i < 3*MaxSeries; i++ {
		s.Add(float64(i))
	}
	// Of 3·8192 samples, batches of 4 are 6144 values.
	if s.Batch != 4 || len(s.Values) != 3*MaxSeries/4 || s.N != 3*MaxSeries {
		t.Fatalf("%d values in batches of %d, of %d samples", len(s.Values), s.Batch, s.N)
	}
	for i, v := range s.Values {
		if want := float64(4*i) + 1.5; v != want {
			t.Fatalf("value %d is %v, want %v", i, v, want)
		}
	}
	if s.Reset(); s.N != 0 || len(s.Values) != 0 {
		t.Error("not empty after Reset")
	}
}

func TestOutline(t *testing.T) {
	const text = "npm notice\n" + `{"context": {"n": 1}, "results": [{"times": [0.5, "x"]}, {"a.b": null}]}` + "\n" + `{"more": true}`
	h := NewHead([]byte(text))
	for path, want := range map[string]bool{
		"context": true, "context:object": true, "context:array": false, "context.n:number": true, "context.n:string": false,
		"results[]": true, "results[].times[]:number": true, "results[].times[]:string": true, "results[].times:array": true,
		"*.n": true, "*[].times": true, "*.*": true, "*.*.*": false, "more": true, "results.times": false, "[]": false, "nothing": false,
	} {
		if got := h.Has(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if !h.JSON() || NewHead([]byte("plain text\n")).JSON() {
		t.Error("JSON is not told from text")
	}
	// A head that ends anywhere shows the paths before its end.
	for n := range len(text) {
		if NewHead([]byte(text[:n])).outline().err != nil && strings.Contains(text[:n], "{") {
			t.Fatalf("%q: %v", text[:n], NewHead([]byte(text[:n])).outline().err)
		}
	}
	deep := strings.Repeat(`{"a":[`, 5000)
	if got := len(NewHead([]byte(deep)).outline().places); got > maxDepth+1 {
		t.Errorf("%d places in a deep document", got)
	}
}

func TestUnknown(t *testing.T) {
	all := []Format{
		{Name: "times", Shape: []string{"results[].times[]:number", "results[].command"}},
		{Name: "bench", Shape: []string{"context", "benchmarks[].real_time"}},
		{Name: "lines", Line: func([]byte) bool { return false }, Marks: []string{"bench:", "ns/iter"}},
		{Name: "never", Marks: []string{"x"}, Forced: true},
	}
	for _, tt := range []struct{ text, want string }{
		{"{\n\"results\": [\n{\"command\": \"a\"}]}", `no known format: the nearest is times, but line 3 does not fit: there is no results[].times[]:number`},
		{"{\"context\": {},\n\"benchmarks\": [\n{\"cpu_time\": 1}]}", `no known format: the nearest is bench, but line 3 does not fit: there is no benchmarks[].real_time`},
		{"{\"context\": {},\n\"benchmarks\": [\n{\"cpu_time\": x}]}", `no known format: the nearest is bench, but line 3 does not fit: invalid JSON: invalid character 'x' at start of value`},
		{"log\ntest a ... bench: many ns/iter\n", `no known format: the nearest is lines, but line 2 does not fit: "test a ... bench: many ns/iter"`},
		{"{\n\"results\": [\n{\"command\": \"a\",\n", `no known format: the nearest is times, but line 3 does not fit: the input ends in the middle of the JSON document`},
		{"{\"x\": 1,", "no known format (line 1: the input ends in the middle of the JSON document): see perftrack formats"},
		{"{\"x\": 1}", "no known format: it is JSON without the keys of any"},
		{"{\n!", "no known format (line 2: invalid JSON: invalid character '!' at start of value): see perftrack formats"},
		{"\x00\x01 {\n x", "no known format: see perftrack formats"},
		{"", "the file is empty"},
	} {
		if got := Unknown(all, NewHead([]byte(tt.text))).Error(); got != tt.want {
			t.Errorf("%q:\n%s\nwant\n%s", tt.text, got, tt.want)
		}
	}
}

func TestMatches(t *testing.T) {
	result := Format{Line: func(line []byte) bool { return string(line) == "r 1" }}
	if !result.Matches(NewHead([]byte("log\r\nr 1\r\n"))) || result.Matches(NewHead([]byte("r 12\n"))) {
		t.Error("lines")
	}
	// The last line of a longer input may be cut.
	cut := append(slices.Repeat([]byte("x"), HeadSize-4), []byte("\nr 1")...)
	if result.Matches(NewHead(append(cut, '2'))) {
		t.Error("a cut line counts")
	}
	if errors.Is(&AmbiguousError{}, &UnknownError{}) {
		t.Error("the errors are the same")
	}
}

func TestTidied(t *testing.T) {
	for _, tt := range []struct {
		v    Value
		want string
	}{
		{Value{V: 5, Unit: "ns/op"}, "{5e-09 sec/op 5 ns/op}"},
		{Value{V: 0, Unit: "ns/op"}, "{0 ns/op 0 }"},
		{Value{V: 5, Unit: "items/s"}, "{5 items/s 0 }"},
	} {
		if got := fmt.Sprint(tidied(tt.v)); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.v, got, tt.want)
		}
	}
}

func TestSeriesMost(t *testing.T) {
	s := Series{Most: 4}
	for v := range 9 {
		s.Add(float64(v))
	}
	if want := []float64{0.5, 2.5, 4.5, 6.5}; !slices.Equal(s.Values, want) || s.Batch != 2 || s.N != 9 {
		t.Errorf("got %v of %d, %d in all; want %v of 2, 9 in all", s.Values, s.Batch, s.N, want)
	}
	if s.Reset(); s.Most != 4 || len(s.Values) > 0 {
		t.Errorf("after Reset: %+v", s)
	}
}

func TestHeadOnly(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{`{"a": {"b": {"value": 1}}, "c": {"d": {"value": 2, "low": null}}}`, true},
		{`{"a": {"b": {"value": 1}}, "c": 3}`, false},
		{`{"a": {"b": {"value": 1, "more": 2}}}`, false},
		{`{"a": {"b": {"value": "1"}}}`, false},
		{`[]`, true},
		{`text`, false},
	} {
		if got := NewHead([]byte(tt.text)).Only("*:object", "*.*:object", "*.*.value:number", "*.*.low"); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.text, got, tt.want)
		}
	}
}

// TestLateFacts checks that all results of a file have the same configuration, even if there are too
// many to wait for the facts.
func TestLateFacts(t *testing.T) {
	results, found := 0, false
	s := NewSheet("f", func(rec benchfmt.Record) error {
		if r, ok := rec.(*Located); ok {
			results++
			_, has := r.ConfigIndex("runtime")
			found = found || has
		}
		return nil
	})
	for range maxHeld + 1 {
		if err := s.Result(Row{Name: "a", Values: []Value{{V: 1, Unit: "ns/op"}}}); err != nil {
			t.Fatal(err)
		}
	}
	s.Fact("runtime", "node")
	if err := s.Result(Row{Name: "a", Values: []Value{{V: 1, Unit: "ns/op"}}}); err != nil {
		t.Fatal(err)
	}
	if results != maxHeld+2 || found {
		t.Errorf("%d results, with the late fact: %v", results, found)
	}
}

func TestDeclareOnce(t *testing.T) {
	var got []string
	s := NewSheet("f", func(rec benchfmt.Record) error {
		if u, ok := rec.(*benchfmt.UnitMetadata); ok {
			got = append(got, u.OrigUnit+" "+u.Value)
		}
		return nil
	})
	for _, better := range []string{"lower", "higher"} {
		if err := s.Declare("ops/s", better); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Result(Row{Name: "a", Values: []Value{{V: 1, Unit: "ops/s"}}}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"ops/s lower"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want int
	}{{0, 0}, {-3, 0}, {0.5, 0}, {1, 1}, {7.9, 7}, {1e30, math.MaxInt32}, {math.NaN(), 0}, {math.Inf(1), math.MaxInt32}} {
		if got := Count(tt.v); got != tt.want {
			t.Errorf("%v: got %d, want %d", tt.v, got, tt.want)
		}
	}
}
