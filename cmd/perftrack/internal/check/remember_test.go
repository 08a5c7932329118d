package check

import (
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// A check reuses the newest method of each benchmark in the same environment, unless a newer trial
// abandoned it.
func TestRememberTrials(t *testing.T) {
	a, _ := workspacetest.New(t)
	db, _, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	way := func(name string, n int) record.Method {
		return record.Method{Package: "m", Name: name, How: record.MethodSlices, N: n, Slices: 50, Length: time.Millisecond, Clock: "wall", Estimator: "middle"}
	}
	gaveUp := way("C", 2)
	gaveUp.How, gaveUp.Why = record.MethodFresh, "it failed"
	put := func(trial string, side record.Side, cpu string, ways ...record.Method) record.Settings {
		r := runtest.Read(t, "pkg: m\nA 100 ns/op\n")
		r.Target, r.Trial, r.Side = "lib", trial, side
		r.Env = r.Env.Set("cpu", cpu)
		r.Start = r.Start.Add(time.Hour)
		r.Protocol.Methods = ways
		if _, _, err := db.Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		return r.Env
	}
	env := put("one", record.Head, "here", way("A", 1), way("B", 1), way("C", 1))
	put("two", record.Head, "here", way("A", 2), gaveUp)
	put("three", record.Head, "elsewhere", way("A", 3), way("B", 3))
	put("four", record.Base, "here", way("B", 4))
	put("five", record.Head, "here") // has no methods
	put("this", record.Head, "here", way("B", 5))

	c := &targetCheck{check: &check{db: db, trial: trial{id: "this"}}, target: config.Target{Name: "lib"}, remembered: map[program.Slot]runner.Remembered{}}
	if err := c.remember(t.Context(), env); err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]int{"A": 2, "B": 1, "C": 0} {
		got := c.remembered[program.Slot{Package: "m", Bench: name}]
		if got.N != n {
			t.Errorf("%s is remembered as %+v, want N %d", name, got, n)
		}
	}
	other := &targetCheck{check: c.check, target: config.Target{Name: "other"}, remembered: map[program.Slot]runner.Remembered{}}
	if err := other.remember(t.Context(), env); err != nil || len(other.remembered) > 0 {
		t.Errorf("another target remembers %v: %v", other.remembered, err)
	}
}
