package runner

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// The sides are profiled in turn, each of them first in every other round, so that what the machine
// does meanwhile shows on both.
func TestProfilesTakeTurns(t *testing.T) {
	dir := writeModule(t, "func BenchmarkA(b *testing.B) { for i := 0; i < b.N; i++ { _ = make([]byte, 100) } }\n")
	want := []string{"m (base) 1", "m (head) 1", "m (head) 2", "m (base) 2", "m (base) 3", "m (head) 3"}
	plan := func() (Plan, func(Progress), *[]string) {
		p := gotestPlan(dir, dir)
		p.Sides[0].Name, p.Sides[1].Name = "base", "head"
		p.Bench, p.Benchtime = "A", "1x"
		var order []string
		return p, func(now Progress) {
			if now.Stage == "profile" {
				order = append(order, fmt.Sprintf("%s %d", now.What, now.Round))
			}
		}, &order
	}
	p, progress, order := plan()
	if _, err := ProfileFunctions(context.Background(), p, 3, time.Millisecond, progress); err != nil {
		t.Fatal(err)
	}
	if got := (*order)[:min(6, len(*order))]; !slices.Equal(got, want) {
		t.Errorf("one benchmark: %q, want %q", got, want)
	}
	p, progress, order = plan()
	if _, err := ProfileBenchmarks(context.Background(), p, 3, func(b BenchmarkProfile) bool {
		if b.Err != nil || len(b.Sides) != 2 || len(b.Sides[0].CPU) != 3 || len(b.Sides[1].CPU) != 3 || b.Sides[0].PerOp <= 0 || b.Sides[1].PerOp <= 0 {
			t.Errorf("%s: %v, %+v", b, b.Err, b.Sides)
		}
		return true
	}, progress); err != nil {
		t.Fatal(err)
	}
	if got := (*order)[:min(6, len(*order))]; !slices.Equal(got, want) {
		t.Errorf("each benchmark: %q, want %q", got, want)
	}
}
