package measure

import (
	"errors"
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
)

// A build error counts as a failure of its side, for any number of sides and packages.
func TestFailuresBySide(t *testing.T) {
	unbuilt := func(what, output string) error {
		return &build.Error{What: what, Output: output, Err: errors.New("exit status 1")}
	}
	base := &runner.SideError{Side: "base", Err: errors.Join(unbuilt("m/p", "# m/p\np.go:1:1: undefined: x"), unbuilt("m/q", "q.go:1:1: undefined: y"))}
	head := &runner.SideError{Side: "head", Err: unbuilt("m/p", "p.go:2:1: undefined: z")}
	for _, tt := range []struct {
		cause error
		want  string
	}{
		{fault.Build(base), "map[base:[{m/p not built: p.go:1:1: undefined: x 0} {m/q not built: q.go:1:1: undefined: y 0}]]"},
		{errors.Join(fault.Build(errors.Join(base, head))),
			"map[base:[{m/p not built: p.go:1:1: undefined: x 0} {m/q not built: q.go:1:1: undefined: y 0}] head:[{m/p not built: p.go:2:1: undefined: z 0}]]"},
		{errors.Join(fault.Build(head)), "map[head:[{m/p not built: p.go:2:1: undefined: z 0}]]"},
		{errors.New("disk full"), "map[head:[{ disk full 0}]]"},
		{fmt.Errorf("measure: %w", &runner.SideError{Side: "base", Err: errors.New("disk full")}), "map[base:[{ disk full 0}]]"},
	} {
		if got := fmt.Sprint(failuresBySide(tt.cause)); got != tt.want {
			t.Errorf("%v:\n%s, want\n%s", tt.cause, got, tt.want)
		}
	}
}
