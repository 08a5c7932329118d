package measure

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/record"
)

// However a measurement ends, its samples are stored, and its checkouts and its journal are
// removed.
func TestMeasureCleansUp(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name  string
		drive func(ctx context.Context, cancel func(), m *Measurement) error
		want  error
		runs  int
		state record.Status
	}{
		{"whole", func(ctx context.Context, _ func(), m *Measurement) error {
			return m.All(ctx, runner.Schedule{})
		}, nil, 2, record.Complete},
		{"interrupted", func(ctx context.Context, cancel func(), m *Measurement) (err error) {
			for _, err = range m.Rounds(ctx, runner.Schedule{}) {
				cancel()
			}
			return err
		}, context.Canceled, 2, record.Partial},
		{"failed after a round", func(ctx context.Context, _ func(), m *Measurement) error {
			for range m.Rounds(ctx, runner.Schedule{}) {
				return broken
			}
			return nil
		}, broken, 2, record.Partial},
		{"failed before the first round", func(context.Context, func(), *Measurement) error { return broken }, broken, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			a, commit := workspacetest.New(t)
			base := commit("2026-01-01T00:00:00Z")
			head := commit("2026-01-02T00:00:00Z")
			where, targets, err := a.LocateTargets(ctx, "", "", nil)
			if err != nil {
				t.Fatal(err)
			}
			db, path, err := a.OpenForWriting(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			stored, err := Spec{
				Session: a, Where: where, DB: db, Database: path, Target: targets[0], Trial: "t",
				Sources: Sources{Rev: head, Beside: base}, Plan: Flags{}.Plan(targets[0], 3, ""),
			}.Drive(ctx, func(m *Measurement) error { return tt.drive(ctx, cancel, m) })
			if !errors.Is(err, tt.want) || len(stored) != tt.runs {
				t.Fatalf("%v, %d runs", err, len(stored))
			}
			for i, r := range stored {
				if want := []record.Side{record.Base, record.Head}[i]; r.Status != tt.state || r.Side != want {
					t.Errorf("run %d is %s, %s", i, r.Status, r.Side)
				}
			}
			if left, err := os.ReadDir(filepath.Join(a.Dir, ".git", "worktrees")); len(left) > 0 {
				t.Errorf("worktrees are left: %v, %v", left, err)
			}
			if _, err := os.Stat(path + "-journal.d"); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a journal is left: %v", err)
			}
		})
	}
}

// A source measured against itself is checked out once and used as both sides.
func TestTwice(t *testing.T) {
	a, commit := workspacetest.New(t)
	rev := commit("2026-01-01T00:00:00Z")
	where, targets, err := a.LocateTargets(t.Context(), "", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	root := ""
	err = Spec{Session: a, Where: where, Target: targets[0], Sources: Sources{Rev: rev, Twice: true}}.Checkout(t.Context(), func(sides []Side) error {
		root = sides[0].Root()
		if len(sides) != 2 || sides[1].Root() != root || sides[0].Source.Name != "base" || sides[1].Source.Name != "head" || sides[1].Commit.SHA != rev {
			t.Errorf("sides: %+v", sides)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(root); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the checkout is left: %v", err)
	}
}
