package decode_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// A protocol too long for one line in the benchmark format is read back unchanged.
func TestLongProtocol(t *testing.T) {
	run := &record.Run{Target: "m", Status: record.Complete, Trial: "t", Side: record.Head}
	for i := range 2000 {
		run.Protocol.Methods = append(run.Protocol.Methods, record.Method{Package: "m", Name: fmt.Sprintf("B%04d", i), How: record.MethodFresh, Why: "it printed \"ünter<&>  \x01\u2028 \U0001F600   \""})
	}
	text, err := run.Text()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\nprotocol-3: ") || strings.Contains(string(text), "\nprotocol-9: ") {
		t.Errorf("%d bytes are in too few parts, or too many", len(text))
	}
	back, err := decode.ParseRun(text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back.Protocol, run.Protocol) {
		t.Error("another protocol is read")
	}
}

// The protocol of a run written by an older version is read from its facts. Values out of bounds
// are dropped or adjusted, but the run's text, and therefore its id, stays the same.
func TestProtocolOfFacts(t *testing.T) {
	part := func(p record.Part) record.Protocol { return record.Protocol{Part: &p} }
	selection := func(s record.Selection) record.Protocol { return record.Protocol{Selection: &s} }
	starved := func(s record.Starved) record.Protocol { return record.Protocol{Starved: &s} }
	none := record.Protocol{}
	for _, tt := range []struct {
		facts string
		want  record.Protocol
	}{
		{"kernel: 6.1", none},
		{"decision: typical-and-mean\nprocedure: check", record.Protocol{Procedure: "check", Decision: "typical-and-mean"}},
		{"selection: all", selection(record.Selection{})},
		{"selection: ./a ./b/...", selection(record.Selection{Packages: []string{"./a", "./b/..."}})},
		{`selection: --bench "Count|Rank"`, selection(record.Selection{Bench: "Count|Rank"})},
		{`selection: ./a --suite "x y" --bench "A\"\\b/"`, selection(record.Selection{Packages: []string{"./a"}, Suite: "x y", Bench: `A"\b/`})},
		{`selection: --bench "\x"`, selection(record.Selection{Packages: []string{`--bench "\x"`}})},
		{"shard: 64/64: 3 of 200, 0123abcd", part(record.Part{N: 64, Of: 64, Own: 3, All: 200, Division: "0123abcd"})},
		{"shard: 2/4", part(record.Part{N: 2, Of: 4})},
		{"shard: 2/4: 5 of 3, x", part(record.Part{N: 2, Of: 4})},
		{"shard: 2/4: -1 of 3, x", part(record.Part{N: 2, Of: 4})},
		{"shard: 2/4: 1 of 99999999, x", part(record.Part{N: 2, Of: 4})},
		{"shard: x", none}, {"shard: 0/4", none}, {"shard: 5/4", none}, {"shard: 1/65", none}, {"shard: -1/-1", none}, {"shard: 1/4/2", none}, {"shard: 1/", none},
		{"family: 3: A, B", record.Protocol{Family: &record.Family{Of: 3, Targets: []string{"A", "B"}}}},
		{"family: 0: A", none}, {"family: A", none},
		{"alpha-share: 0.025", record.Protocol{AlphaShare: 0.025}},
		{"alpha-share: 2", none}, {"alpha-share: -1", none}, {"alpha-share: NaN", none}, {"alpha-share: x", none},
		{"same-code: example.com/a=b=3 example.com/c=12", record.Protocol{SameCode: []record.Count{{Package: "example.com/a=b", Benchmarks: 3}, {Package: "example.com/c", Benchmarks: 12}}}},
		{"unreached: p=-4 q=99999999 r", record.Protocol{Unreached: []record.Count{{Package: "p", Benchmarks: 0}, {Package: "q", Benchmarks: record.MaxBenchmarks}, {Package: "r", Benchmarks: 0}}}},
		{"lacks: p=1", record.Protocol{Lacks: []record.Count{{Package: "p", Benchmarks: 1}}}},
		{"rewritten: p=Sort *=*", record.Protocol{Rewritten: []record.BenchmarkFunc{{Package: "p", Name: "Sort"}, {Package: "*", Name: "*"}}}},
		{`test-files: [{"package":"p","of":"head","edited":["A"],"new":["B"]}]`, record.Protocol{Tests: []record.SharedTests{{Package: "p", Of: record.Head, Edited: []string{"A"}, New: []string{"B"}}}}},
		{"test-files: [", none},
		{"starved: 57 benchmarks, 15 rounds of 2s after 10.5s", starved(record.Starved{Benchmarks: 57, Rounds: 15, Setup: 10500 * time.Millisecond, Round: 2 * time.Second})},
		{"starved: -3 benchmarks, 0 rounds of 90h after y", starved(record.Starved{Benchmarks: 1, Rounds: 1})},
		{"starved: -3 benchmarks", none}, {"starved: 99999999999999999999 benchmarks, 1 rounds of 1s after 1s", none},
		{"check-round: 2s\ncheck-setup: 1m0s", record.Protocol{Pace: &record.Pace{Setup: time.Minute, Round: 2 * time.Second}}},
		{"check-round: -2s\ncheck-setup: 1m0s", none}, {"check-round: 25h\ncheck-setup: 1m0s", none}, {"check-round: 2s", none},
		{`judged-by: {"alpha":0.01,"families":1,"threshold":0.05}`, record.Protocol{Terms: &record.Terms{Alpha: 0.01, Families: 1, Threshold: 0.05}}},
		{`judged-by: {"alpha":2,"families":1,"threshold":0.05}`, none}, {"judged-by: {", none},
		{`ways: [{"name":"A","how":"fresh","wh` + "\n" + `ways-2: y":"it failed"}]`, record.Protocol{Methods: []record.Method{{Name: "A", How: record.MethodFresh, Why: "it failed"}}}},
	} {
		text := "perftrack-run: 1\ntarget: m\nstatus: complete\n" + tt.facts + "\nround: 1\norder: 0\nBenchmarkA 1 5 ns/op\n"
		run, err := decode.ParseRun([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", tt.facts, err)
			continue
		}
		if got, want := record.CompactJSON(run.Protocol), record.CompactJSON(tt.want); got != want {
			t.Errorf("%q is %s, want %s", tt.facts, got, want)
		}
	}
}

// A spread trial is read back unchanged. A run without the field has the same text, and so the same
// id, as before there was one.
func TestSpreadProtocol(t *testing.T) {
	run := &record.Run{Target: "m", Status: record.Complete, Trial: "t", Side: record.Head}
	run.Protocol.Procedure = "check"
	for _, tt := range []struct {
		spread *record.Spread
		want   string
	}{
		{nil, `{"procedure":"check"}`},
		{&record.Spread{}, `{"procedure":"check","spread":{}}`},
		{&record.Spread{Class: "ci", Machine: "w1", Machines: 4, Session: 2}, `{"procedure":"check","spread":{"class":"ci","machine":"w1","machines":4,"session":2}}`},
	} {
		run.Protocol.Spread = tt.spread
		text, err := run.Text()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "\nprotocol: "+tt.want+"\n") {
			t.Errorf("%+v is not written as %s:\n%s", tt.spread, tt.want, text)
		}
		back, err := decode.ParseRun(text)
		if err != nil || !reflect.DeepEqual(back.Protocol.Spread, tt.spread) {
			t.Errorf("%+v is read back as %+v, %v", tt.spread, back.Protocol.Spread, err)
		}
	}
}

// A protocol perftrack itself would not write is rejected.
func TestUnsoundProtocol(t *testing.T) {
	for text, want := range map[string]string{
		`{"part":{"n":5,"of":4}}`:                                                        "protocol: part is out of range",
		`{"part":{"n":1,"of":65}}`:                                                       "protocol: part is out of range",
		`{"part":{"n":1,"of":4,"own":5,"all":3,"division":"x"}}`:                         "protocol: part is out of range",
		`{"spread":{"machines":-1}}`:                                                     "protocol: spread is out of range",
		`{"spread":{"machines":10001}}`:                                                  "protocol: spread is out of range",
		`{"spread":{"session":-1}}`:                                                      "protocol: spread is out of range",
		`{"spread":{"session":10001}}`:                                                   "protocol: spread is out of range",
		`{"spread":{"class":"` + strings.Repeat("x", 129) + `"}}`:                        "protocol: spread is out of range",
		`{"spread":{"machine":"` + strings.Repeat("x", 129) + `"}}`:                      "protocol: spread is out of range",
		`{"spread":{"host":"x"}}`:                                                        "upgrade perftrack if a newer one wrote it",
		`{"family":{"of":0}}`:                                                            "protocol: family is out of range",
		`{"alpha_share":1}`:                                                              "protocol: alpha_share is out of range",
		`{"alpha_share":-0.1}`:                                                           "protocol: alpha_share is out of range",
		`{"same_code":[{"package":"p","benchmarks":-1}]}`:                                "protocol: same_code is out of range",
		`{"unreached":[{"package":"p","benchmarks":10001}]}`:                             "protocol: unreached is out of range",
		`{"tests":[{"package":"p","of":"both"}]}`:                                        "protocol: tests is out of range",
		`{"starved":{"benchmarks":0,"rounds":1}}`:                                        "protocol: starved is out of range",
		`{"pace":{"round":90000000000000}}`:                                              "protocol: pace is out of range",
		`{"pace":{"round":0}}`:                                                           "protocol: pace is out of range",
		`{"terms":{"alpha":0,"families":1,"threshold":0.05}}`:                            "protocol: terms is out of range",
		`{"terms":{"alpha":0.01,"families":0,"threshold":0.05}}`:                         "protocol: terms is out of range",
		`{"terms":{"alpha":0.01,"families":1,"threshold":-1}}`:                           "protocol: terms is out of range",
		`{"terms":{"alpha":0.01,"families":1,"threshold":0.05,"rules":[{"bench":"x"}]}}`: "protocol: terms is out of range",
		`{"terms":{"alpha":0.01,"families":1,"threshold":0.05,"floors":[{"name":"x","unit":"s","noise":-1,"capped":true}]}}`: "protocol: terms is out of range",
		`{"terms":{"alpha":0.01,"families":1,"threshold":0.05,"floors":[{"name":"x","unit":"s","noise":0}]}}`:                "protocol: terms is out of range",
		`{"methods":[{"how":"guessed"}]}`:      "protocol: methods is out of range",
		`{"methods":[{"how":"fresh","n":-1}]}`: "protocol: methods is out of range",
		`{"mood":"good"}`:                      "upgrade perftrack if a newer one wrote it",
		`{"procedure":7}`:                      "cannot unmarshal",
		`{`:                                    "unexpected EOF",
		`{} {}`:                                "more than one value",
	} {
		run := "perftrack-run: 5\ntarget: m\nstatus: complete\nprotocol: " + text + "\nround: 1\norder: 0\nBenchmarkA 1 5 ns/op\n"
		if _, err := decode.ParseRun([]byte(run)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestSelection(t *testing.T) {
	for _, tt := range []struct {
		s    record.Selection
		want string
	}{
		{record.Selection{}, ""},
		{record.Selection{Packages: []string{"./a", "./b/..."}}, "./a ./b/..."},
		{record.Selection{Packages: []string{"./a"}, Suite: "x y", Bench: `A"\b/`}, `./a --suite "x y" --bench "A\"\\b/"`},
	} {
		if got := tt.s.String(); got != tt.want || tt.s.All() != (got == "") {
			t.Errorf("%+v is %q, want %q", tt.s, got, tt.want)
		}
	}
	a, b, all := record.Selection{Packages: []string{"./a"}}, record.Selection{Packages: []string{"./b"}}, record.Selection{}
	some, whole, unknown := record.Protocol{Selection: &a}, record.Protocol{Selection: &all}, record.Protocol{}
	if !some.Covers(a) || !some.Selects(a) || some.SelectsAll() || some.Covers(b) || some.Covers(all) || unknown.Covers(all) {
		t.Error("./a covers itself and nothing else")
	}
	if !whole.Covers(a) || !whole.SelectsAll() || whole.Selects(a) || whole.SelectsSome() || unknown.SelectsSome() || !some.SelectsSome() {
		t.Error("all covers ./a, and is not ./a")
	}
}
