package main

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
)

// newServeModule returns a repository with a benchmark. On branch slow, 2 % of its calls take a
// hundred times as long.
func newServeModule(t *testing.T) *victim {
	t.Helper()
	const serve = `package serve

import "math/rand/v2"

// Serve takes some tenths of a millisecond, or once in a while a hundred times as long.
func Serve() uint64 {
	if rand.IntN(50) < slow {
		return work(100 * 300_000)
	}
	return work(300_000)
}

const slow = %d

func work(n int) (sum uint64) {
	for i := range n {
		sum = sum*6364136223846793005 + uint64(i)
	}
	return sum
}
`
	const bench = `package serve

import "testing"

var sink uint64

func BenchmarkServe(b *testing.B) {
	for b.Loop() {
		sink += Serve()
	}
}
`
	v := newGoalModule(t, "serve")
	v.write("serve_test.go", bench)
	v.write("serve.go", fmt.Sprintf(serve, 0))
	v.commitAll()
	v.write("serve.go", fmt.Sprintf(serve, 1))
	v.commitAll()
	return v
}

// newManyModule returns a repository with 200 benchmarks in ten packages; the second commit makes
// P05B05 10 % slower.
func newManyModule(t *testing.T) *victim {
	t.Helper()
	const work = `package work

// Do calls f n times.
func Do(n int, f func(int)) {
	if n == slow {
		n += n / 10
	}
	for i := range n {
		f(i)
	}
}

const slow = %d
`
	v := newGoalModule(t, "many")
	v.write("work/work.go", fmt.Sprintf(work, -1))
	for i := range 10 {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%02d\n\nimport (\n\t\"testing\"\n\n\t\"example.com/many/work\"\n)\n\nvar sum int\n", i)
		for k := range 20 {
			fmt.Fprintf(&b, "\nfunc BenchmarkP%02dB%02d(b *testing.B) {\n\tfor b.Loop() {\n\t\twork.Do(%d, func(i int) { sum += i * %d })\n\t}\n}\n", i, k, 1000+20*i+k, i+1)
		}
		v.write(fmt.Sprintf("p%02d/p_test.go", i), b.String())
	}
	v.commitAll()
	v.write("work/work.go", fmt.Sprintf(work, 1000+20*5+5))
	v.commitAll()
	return v
}

func newGoalModule(t *testing.T, name string) *victim {
	t.Helper()
	v := newVictim(t)
	v.env = append(v.env, "GOCACHE="+goEnv("GOCACHE"), "GOMODCACHE="+goEnv("GOMODCACHE"), "GOTOOLCHAIN=local", "GOFLAGS=")
	v.repo = v.temp + "/" + name
	v.write("go.mod", "module example.com/"+name+"\n\ngo 1.24\n")
	v.git("init", "-q")
	return v
}

// TestLiveGoals checks known changes, each with its own goal. For example,
//
//	PERFTRACK_LIVE=full go test -run 'LiveGoals/tripled/quiet' -v -timeout 2h ./cmd/perftrack
//
// prints one row of the table in docs/evaluation.md.
func TestLiveGoals(t *testing.T) {
	if !full() {
		t.Skip("it wants a quiet machine: PERFTRACK_LIVE=full go test -run LiveGoals -v -timeout 2h ./cmd/perftrack")
	}
	one := goal{what: "one of plus-5", base: "live", head: "plus-5", right: "regressed", rows: 1, checks: 10, args: []string{"--bench", "Sort", "--budget", "1m"}}
	for _, tt := range []struct {
		machine string
		goal
		module func(*testing.T) *victim
	}{
		{"quiet", one, newMixedModule},
		{"disturbed", one, newMixedModule},
		{"quiet", goal{what: "tripled", right: "regressed", rows: 1, checks: 50, args: []string{"--budget", "1m"}}, newServeModule},
		{"disturbed", goal{what: "tripled", right: "regressed", rows: 1, checks: 20, args: []string{"--budget", "1m"}}, newServeModule},
		{"quiet", goal{what: "one of 200", right: "regressed", only: "P05B05", rows: 200, checks: 1, args: []string{"--budget", "12m"}}, newManyModule},
	} {
		t.Run(tt.what+"/"+tt.machine, func(t *testing.T) {
			tt.base, tt.head = cmp.Or(tt.base, "HEAD~1"), cmp.Or(tt.head, "HEAD")
			tt.check(t, tt.module(t), tt.machine)
		})
	}
}
