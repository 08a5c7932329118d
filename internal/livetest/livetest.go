// Package livetest holds back the tests whose outcome depends on the machine: those that
// measure for real, build other programs, or wait for a clock. Plain go test skips them.
package livetest

import (
	"os"
	"testing"
)

// Skip skips t unless PERFTRACK_LIVE is set, as it is in .ci/run.
func Skip(t testing.TB) {
	t.Helper()
	if os.Getenv("PERFTRACK_LIVE") == "" {
		t.Skipf("it depends on the machine: .ci/run runs it, as does PERFTRACK_LIVE=short go test -run '^%s$' in its folder", t.Name())
	}
}
