// Package livetest holds back the tests whose outcome depends on the machine: those that
// measure for real, build other programs, or wait for a clock. Plain go test skips them.
package livetest

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// Asked reports whether PERFTRACK_LIVE, which .ci/run sets, or PERFTRACK_TORTURE asks for
// these tests.
func Asked() bool { return os.Getenv("PERFTRACK_LIVE") != "" || os.Getenv("PERFTRACK_TORTURE") != "" }

// Skip skips t unless asked for.
func Skip(t testing.TB) {
	t.Helper()
	if !Asked() {
		t.Skipf("it depends on the machine: .ci/run runs it, as does PERFTRACK_LIVE=short go test -run '^%s$' in its folder", t.Name())
	}
}

// Few returns how often a test repeats what it draws: few times in plain go test, all in .ci/run.
func Few(few, all int) int {
	if Asked() {
		return all
	}
	return few
}

// FewChecks lets rapid draw few examples in plain go test, and as many as ever in .ci/run. t must not
// be parallel.
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
