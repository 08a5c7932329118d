package console

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/store"
)

// Exit codes. They have the same meaning for every command.
const (
	ExitOK           = 0
	ExitRegression   = 1 // or a missed limit; only from `perftrack check` and with --gate
	ExitError        = 2
	ExitInconclusive = 3 // only with --strict
	ExitInterrupted  = 130
)

// A GateError carries the exit code for a verdict. It is not a failure of the command, and the
// report contains the details.
type GateError struct{ Code int }

func (e GateError) Error() string { return fmt.Sprintf("gate: exit %d", e.Code) }

// WithDamage joins err with the error about damaged runs, if there is one. If err is a verdict, the
// error about damaged runs replaces it, because a verdict is unreliable without those runs.
func (t *Console) WithDamage(err error) error {
	if t.Damaged == nil {
		return err
	}
	damage := t.Damaged()
	var gate GateError
	if damage != nil && (errors.As(err, &gate) || errors.Is(err, store.ErrDamaged)) {
		return damage
	}
	return errors.Join(err, damage)
}

// Exit prints err and returns the exit code.
func (t *Console) Exit(ctx context.Context, err error) int {
	var gate GateError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &gate):
		return gate.Code
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		t.Say("interrupted" + BesidesCancel(err))
		return ExitInterrupted
	}
	t.Say(err.Error())
	if t.JSON && !t.printed {
		t.printErrorJSON(err)
	}
	return ExitError
}

// NoteNothing prints a notice if the command was interrupted before it had any results.
func (t *Console) NoteNothing(ctx context.Context) {
	if ctx.Err() != nil {
		t.Notice("nothing was measured, so nothing was stored")
	}
}

// BesidesCancel returns the lines of err that are not about the interruption, such as a failure to
// store a run.
func BesidesCancel(err error) string {
	var rest string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasSuffix(line, context.Canceled.Error()) {
			rest += "\n" + line
		}
	}
	return rest
}

// kindOf returns the class of an error, shown as error.kind in JSON.
func kindOf(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	var u *helptext.Error
	if errors.As(err, &u) {
		return "usage"
	}
	return "io"
}
