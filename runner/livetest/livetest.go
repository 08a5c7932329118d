// Package livetest lets plain go test skip tests of the real machine: those that measure, build
// other programs, or wait for a clock.
package livetest

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// Asked reports whether tests of the real machine were requested with PERFTRACK_LIVE, set by
// .ci/run, or with PERFTRACK_TORTURE.
func Asked() bool { return os.Getenv("PERFTRACK_LIVE") != "" || os.Getenv("PERFTRACK_TORTURE") != "" }

// Skip skips t unless tests of the real machine were requested.
func Skip(t testing.TB) {
	t.Helper()
	if !Asked() {
		t.Skipf("the test depends on the machine: run it with .ci/run, or with PERFTRACK_LIVE=short go test -run '^%s$' in its folder", t.Name())
	}
}

// Few returns how often a test should repeat something random. It returns few in plain go test and
// all in .ci/run.
func Few(few, all int) int {
	if Asked() {
		return all
	}
	return few
}

// FewChecks limits rapid to a few examples in plain go test, but not in .ci/run. t must not be
// parallel.
func FewChecks(t testing.TB, few int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if Asked() || checks == nil {
		return
	}
	before := checks.Value.String()
	t.Cleanup(func() { _ = checks.Value.Set(before) })
	if err := checks.Value.Set(strconv.Itoa(few)); err != nil {
		t.Fatal(err)
	}
}
