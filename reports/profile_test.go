package reports

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/store"
)

// profileText is a suite of which everything that a profile shows has a case:
// more methods than the lists take, a scope too small for the hierarchy, much
// memory in one call, many calls, and workers.
var profileText = `profile: scopes
suite: deep
pkg: example.com/engine
result: 00c0ffee
` + manyScopes() + `
Create 1 43000000 ns/op 43000000 self-ns/op 43000000 min-ns/op 43000000 max-ns/op 16777216 B/op 155 allocs/op
Infer 3 250000000 ns/op 20000 self-ns/op 240000000 min-ns/op 260000000 max-ns/op 64 B/op 1 allocs/op
Infer/Token 20000 37490 ns/op 40 self-ns/op 30000 min-ns/op 90000 max-ns/op 0 B/op 0 allocs/op
Infer/Token/Forward 20000 37450 ns/op 37450 self-ns/op 30000 min-ns/op 90000 max-ns/op 0 B/op 0 allocs/op
Infer/Print 1 900 ns/op 900 self-ns/op 900 min-ns/op 900 max-ns/op 0 B/op 0 allocs/op
Train 1 100000000 ns/op 95000000 self-ns/op 100000000 min-ns/op 100000000 max-ns/op 0 B/op 0 allocs/op
Train/Work 4 45000000 ns/op 45000000 self-ns/op 40000000 min-ns/op 50000000 max-ns/op 0 B/op 0 allocs/op
`

func manyScopes() string {
	var b strings.Builder
	for i := range 18 {
		fmt.Fprintf(&b, "Kernel_%02d 10 %d ns/op %d self-ns/op\n", i, 100_000*(i+1), 100_000*(i+1))
	}
	return b.String()
}

func hostileProfile(t testing.TB) *store.Run {
	text := "profile: scopes\n"
	for i := range hostile {
		text += fmt.Sprintf("N%d 1 %d ns/op 2097152 B/op\n", i, 1000*(i+1))
	}
	r := run(t, text)
	for i := range r.Benchmarks {
		r.Benchmarks[i].Name = hostile[i]
	}
	return r
}

// What the hierarchy shows adds up to the run, the folded rows included.
func TestHierarchyAddsUp(t *testing.T) {
	r := Profile(run(t, profileText))
	for _, table := range r.Tables {
		if table.Heading != "Call hierarchy" {
			continue
		}
		sum := 0.0
		for _, row := range table.Rows {
			var self float64
			if _, err := fmt.Sscanf(row[3].Text, "%f ms", &self); err != nil {
				t.Fatal(err)
			}
			sum += self
		}
		// 1064 ms at the top, and 175 ms that the workers worked beside it.
		if math.Abs(sum-(1064+175)) > 0.5 {
			t.Errorf("the self times add up to %.3f ms, want 1239", sum)
		}
		return
	}
	t.Fatal("no hierarchy")
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %s, want %s", n, got, want)
		}
	}
}
