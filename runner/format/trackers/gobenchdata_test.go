package trackers_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const gobenchdata = `[
  {"Version": "1111111111111111111111111111111111111111", "Date": 1770112800, "Tags": ["ref=refs/heads/main"], "Suites": [
    {"Goos": "linux", "Goarch": "amd64", "Pkg": "example.com/a", "Benchmarks": [
      {"Name": "BenchmarkFib10/Fib()-2", "Runs": 2991747, "NsPerOp": 412, "Mem": {"BytesPerOp": 12, "AllocsPerOp": 14, "MBPerSec": 15}},
      {"Name": "BenchmarkNone-2", "Runs": 100, "NsPerOp": 7, "Mem": {"BytesPerOp": 0, "AllocsPerOp": 0, "MBPerSec": 0}}
    ]},
    {"Goos": "linux", "Goarch": "amd64", "Pkg": "example.com/b", "Benchmarks": [
      {"Name": "BenchmarkTokens-2", "Runs": 1, "NsPerOp": 0, "Mem": {"BytesPerOp": 0, "AllocsPerOp": 0, "MBPerSec": 0}, "Custom": {"tok/s": 20.5}}
    ]}
  ]},
  {"Date": 1770199200, "Suites": [{"Goos": "linux", "Goarch": "amd64", "Pkg": "example.com/a", "Benchmarks": []}]},
  {"Suites": [
    {"Goos": "linux", "Goarch": "amd64", "Pkg": "example.com/a", "Benchmarks": [
      {"Name": "BenchmarkFib10/Fib()-2", "Runs": 5, "NsPerOp": 400, "Mem": {"BytesPerOp": 0, "AllocsPerOp": 0, "MBPerSec": 0}}
    ]}
  ], "Version": "1111111111111111111111111111111111111112"},
  {"Version": "v1.2.0", "Date": 1770199200, "Suites": null}
]
`

func TestGobenchdata(t *testing.T) {
	formattest.Check(t, "gobenchdata", gobenchdata, `
		commit: 1111111111111111111111111111111111111111
		branch: main
		commit-time: 2026-02-03T10:00:00Z
		goos: linux
		goarch: amd64
		pkg: example.com/a
		Fib10/Fib()-2 2991747 412 ns/op 15 MB/s 12 B/op 14 allocs/op
		None-2 100 7 ns/op 0 B/op 0 allocs/op
		pkg: example.com/b
		Tokens-2 1 0 B/op 0 allocs/op 20.5 tok/s
		left out f:11: : the entry names no commit
		commit: 1111111111111111111111111111111111111112
		pkg: example.com/a
		branch:
		commit-time:
		Fib10/Fib()-2 5 400 ns/op
		left out f:17: "v1.2.0": this is no hash of a commit
	`)
}

func FuzzGobenchdata(f *testing.F) { formattest.Fuzz(f, "gobenchdata", gobenchdata) }

func BenchmarkGobenchdata(b *testing.B) {
	formattest.Bench(b, "gobenchdata", "[", `{"Version": "1111111111111111111111111111111111111111", "Date": 1770112800, "Tags": ["ref=refs/heads/main"], "Suites": [
    {"Goos": "linux", "Goarch": "amd64", "Pkg": "example.com/a", "Benchmarks": [
      {"Name": "BenchmarkFib10/Fib()-2", "Runs": 2991747, "NsPerOp": 412, "Mem": {"BytesPerOp": 12, "AllocsPerOp": 14, "MBPerSec": 15}}
    ]}]}`, ",", "]")
}
