package githubtest

import (
	"fmt"
	"strings"
)

const (
	BaseSHA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	HeadSHA = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	RunID7  = 7
)

// Trial returns an exported trial. One of its two benchmarks takes factor times as long on the
// head.
func Trial(factor float64) string { return NoisyTrial(factor, 0.01) }

// NoisyTrial is like [Trial], but the samples scatter by the given fraction of their value.
func NoisyTrial(factor, spread float64) string {
	var b strings.Builder
	for _, side := range []struct {
		name, sha string
		factor    float64
	}{{"base", BaseSHA, 1}, {"head", HeadSHA, factor}} {
		fmt.Fprintf(&b, "perftrack-run: 1\ntarget: lib\ncommit: %s\nstatus: complete\ntrial: 20260101T000000-0b6f00\nside: %s\n"+
			"perftrack-version: test\ngoos: linux\ngoarch: amd64\ngomaxprocs: 2\ndecision: typical-and-mean\npkg: example.com/lib\n", side.sha, side.name)
		for i := range 20 {
			noise := 1 + spread*(float64(i*7%20)/19-0.5)
			if side.name == "head" { // the head's noise differs from the base's
				noise = 1 + spread*(float64((i*13+5)%20)/19-0.5)
			}
			fmt.Fprintf(&b, "round: %d\norder: 0\nBenchmarkDecode-2 100 %.6g ns/op\norder: 1\nBenchmarkEncode-2 100 %.6g ns/op\n",
				i+1, 1000*noise*side.factor, 500*noise)
		}
	}
	return b.String()
}
