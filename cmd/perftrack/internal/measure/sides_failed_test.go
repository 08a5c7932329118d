package measure

import (
	"errors"
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
)

// What does not build is a failure of its side, however many sides and packages there are.
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
		{fault.Build(base), "map[base:[{m/p not built: p.go:1:1: undefined: x} {m/q not built: q.go:1:1: undefined: y}]]"},
		{errors.Join(fault.Build(errors.Join(base, head))),
			"map[base:[{m/p not built: p.go:1:1: undefined: x} {m/q not built: q.go:1:1: undefined: y}] head:[{m/p not built: p.go:2:1: undefined: z}]]"},
		{errors.Join(fault.Build(head)), "map[head:[{m/p not built: p.go:2:1: undefined: z}]]"},
		{errors.New("disk full"), "map[head:[{ disk full}]]"},
		{fmt.Errorf("measure: %w", &runner.SideError{Side: "base", Err: errors.New("disk full")}), "map[base:[{ disk full}]]"},
	} {
		if got := fmt.Sprint(failuresBySide(tt.cause)); got != tt.want {
			t.Errorf("%v:\n%s, want\n%s", tt.cause, got, tt.want)
		}
	}
}
