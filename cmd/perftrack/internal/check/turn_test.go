package check

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
)

func TestMain(m *testing.M) { workspacetest.Main(m) }

// A check can build while another check measures. The hour of waiting does not count against its
// one-minute budget. It then continues the trial of the other check, because two trials would each
// have the whole error rate.
func TestTakeTurn(t *testing.T) {
	first, commit := workspacetest.New(t)
	base, head := commit("2026-01-01T00:00:00Z"), commit("2026-01-02T00:00:00Z")
	for _, meanwhile := range []bool{false, true} {
		opt := Options{Base: base, Head: head, Budget: time.Minute}
		release, err := first.TakeTurn(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		late := time.Duration(0)
		var other Result
		second := &workspace.Session{
			Dir: first.Dir, Version: "test", Rand: rand.New(rand.NewPCG(2, 2)), Now: func() time.Time { return time.Now().Add(late) },
			Notice: func(text string) {
				if !strings.HasPrefix(text, "waiting for another perftrack") {
					return
				}
				if meanwhile {
					if other, err = Run(t.Context(), first, opt); err != nil || other.Trial == "" {
						t.Errorf("the other one measured %q: %v", other.Trial, err)
					}
				}
				late = time.Hour
				release()
			},
		}
		res, err := Run(t.Context(), second, opt)
		if err != nil || len(res.Comparison.Starved) > 0 || res.Comparison.NotChecked().Benchmarks > 0 {
			t.Errorf("after the wait: %v, %+v", err, res.Comparison)
		}
		if res.Continued != meanwhile || meanwhile && res.Trial != other.Trial {
			t.Errorf("after the wait trial %s is measured, continued %v; the other one measured %s", res.Trial, res.Continued, other.Trial)
		}
		if res.Took > time.Minute {
			t.Errorf("the wait is part of the time of the check: %v", res.Took)
		}
		base, head = head, commit("2026-01-03T00:00:00Z")
	}
}
