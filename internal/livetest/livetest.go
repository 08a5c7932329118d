// Package livetest holds back the tests whose outcome depends on the machine: those that
// measure for real, build other programs, or wait for a clock. Plain go test skips them.
package livetest

import (
	"os"
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
