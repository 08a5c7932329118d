package notify

import (
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	e := Event{Kind: New, Key: Key{Target: "engine", Benchmark: "GELU/n=1", Unit: "sec/op"}, Stored: "ns/op", From: 1e-7, To: 1.12e-7,
		After: strings.Repeat("a", 40), UpTo: strings.Repeat("b", 40), Commits: 3}
	with := func(change func(*Event)) Event {
		c := e
		change(&c)
		return c
	}
	for _, tt := range []struct {
		e    Event
		want string
	}{
		{e, "engine GELU/n=1 sec/op is 12.0 % worse than before: 100.0n to 112.0n, since the 3 commits after aaaaaaaaaaaa up to bbbbbbbbbbbb; " +
			"to find the culprit: perftrack bisect-helper auto aaaaaaaaaaaa..bbbbbbbbbbbb --bench GELU/n=1"},
		{with(func(e *Event) { e.Kind, e.Commits = Worse, 1 }), "engine GELU/n=1 sec/op is 12.0 % worse than last reported: 100.0n to 112.0n, since commit bbbbbbbbbbbb; " +
			"to see why: perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench GELU/n=1"},
		{with(func(e *Event) { e.Kind, e.From, e.To = Recovered, e.To, e.From }), "engine GELU/n=1 sec/op recovered: 112.0n to 100.0n"},
		{with(func(e *Event) { e.Kind = Accepted }), "engine GELU/n=1 sec/op stays at 112.0n, because the change in bbbbbbbbbbbb was accepted"},
		{with(func(e *Event) {
			e.Unit, e.Stored, e.From, e.To, e.Commits, e.Benchmark = "allocs/op", "allocs/op", 0, 2, 0, "it's; rm"
		}),
			"engine it's; rm allocs/op is worse than before: 0.000 to 2.000, since the commits after aaaaaaaaaaaa up to bbbbbbbbbbbb; " +
				`to find the culprit: perftrack bisect-helper auto aaaaaaaaaaaa..bbbbbbbbbbbb --bench 'it'\''s; rm' --unit allocs/op`},
		{with(func(e *Event) { e.Drift = 30 }), "engine GELU/n=1 sec/op is 12.0 % worse than before: 100.0n to 112.0n, gradually over 30 runs, from aaaaaaaaaaaa to bbbbbbbbbbbb; " +
			"measure both together: perftrack run --rev bbbbbbbbbbbb --against aaaaaaaaaaaa"},
		{with(func(e *Event) { e.Kind, e.Environment = Recovered, "1f15bee8f9d4" }), "engine GELU/n=1 sec/op in environment 1f15bee8f9d4 recovered: 100.0n to 112.0n"},
		{with(func(e *Event) { e.After = "" }), "engine GELU/n=1 sec/op is 12.0 % worse than before: 100.0n to 112.0n, since a run whose commit is unknown"},
	} {
		if got := tt.e.sentence(plainly); got != tt.want {
			t.Errorf("%s\nwant\n%s", got, tt.want)
		}
	}
}

// A command in the issue can be copied as it is shown there.
func TestCommandsAreWhole(t *testing.T) {
	name := "Sub/" + strings.Repeat("long", 60)
	for _, tt := range []struct{ name, want string }{
		{name, "`perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench " + name + "`"},
		{"a|b`c``d", "``` perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench 'a|b`c``d' ```"},
	} {
		e := Event{Kind: New, Key: Key{Target: "t", Benchmark: tt.name, Unit: "sec/op"}, Stored: "ns/op", From: 1e-7, To: 2e-7,
			After: strings.Repeat("a", 40), UpTo: strings.Repeat("b", 40), Commits: 1}
		if got := eventList([]Event{e}, 60_000); !strings.Contains(got, tt.want) {
			t.Errorf("%s\nlacks %s", got, tt.want)
		}
	}
}
