package record_test

import (
	"fmt"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// What `go test -bench` printed becomes a run. Its text says all that is known of it,
// and reads back as the same run; the id is the hash of the text.
func Example() {
	const printed = `goos: linux
goarch: amd64
pkg: example.com/parse
note: on a train
Unit ns/op better=lower
BenchmarkParse-8 120 1000 ns/op 32 B/op
BenchmarkParse-8 118 1010 ns/op 32 B/op
BenchmarkRead-8 40 2500 ns/op
`
	b := record.Builder{Default: record.Run{
		Target: "parse",
		Commit: record.Commit{SHA: "0123456789abcdef0123456789abcdef01234567", Branch: "main"},
	}}
	reader := benchfmt.NewReader(strings.NewReader(printed), "printed")
	for reader.Scan() {
		if err := b.Add(reader.Result()); err != nil {
			fmt.Println(err)
			return
		}
	}
	runs, err := b.Runs()
	if err != nil {
		fmt.Println(err)
		return
	}
	run := runs[0]
	text, err := run.Text()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", text)

	again, err := record.ParseRun(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("environment", run.Env.EnvironmentID())
	fmt.Println("run", run.ID()[:12], "read back", again.ID()[:12])
	fmt.Println(len(run.Benchmarks), "benchmarks,", run.Rounds(), "rounds, note:", run.Facts.Get("note"))
	// Output:
	// perftrack-run: 1
	// target: parse
	// commit: 0123456789abcdef0123456789abcdef01234567
	// branch: main
	// status: complete
	// units: [{"name":"ns/op","better":-1}]
	// goos: linux
	// goarch: amd64
	// gomaxprocs: 8
	// note: on a train
	// Unit ns/op better=lower
	// pkg: example.com/parse
	// round: 1
	// order: 0
	// BenchmarkParse-8 120 1000 ns/op 32 B/op
	// order: 2
	// BenchmarkRead-8 40 2500 ns/op
	// round: 2
	// order: 1
	// BenchmarkParse-8 118 1010 ns/op 32 B/op
	// environment ba3bd7662a4a
	// run d4f7c1946b69 read back d4f7c1946b69
	// 2 benchmarks, 2 rounds, note: on a train
}

// The table of keys says what a key is to a run and who may set it.
func ExampleLookup() {
	for _, name := range []string{"cpu", "load", "simd", "note"} {
		k, ok := record.Lookup(name)
		fmt.Println(name, ok, k.Role, k.SetBy, record.FromProgram(name))
	}
	// Output:
	// cpu true environment machine false
	// load true fact machine false
	// simd true environment program true
	// note false   true
}
