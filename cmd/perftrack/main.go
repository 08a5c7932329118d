// Command perftrack measures benchmarks by git commit and says which of them
// really changed.
//
// Without arguments it prints its help. `perftrack run` measures, stores and
// prints; the other commands look at what is stored.
//
// Data goes to stdout, words for people to stderr. Begin with main.go and root.go; each
// command is a file of its name, which declares its flags and calls what does the work.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/engine/workloads"
	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/store"
)

// Exit codes, the same in every command.
const (
	exitOK           = 0
	exitRegression   = 1 // or a missed limit: only from check, and with --gate
	exitError        = 2
	exitInconclusive = 3 // only with --strict
	exitInterrupted  = 130
)

// engineArg is the hidden argument with which perftrack runs itself as the
// built-in benchmark program.
const engineArg = "__engine"

func main() {
	proc.Supervise()
	_ = childenv.Seal() // without it benchmarks read less well-hidden secrets, but do not get them
	if len(os.Args) > 1 && os.Args[1] == engineArg {
		os.Exit(workloads.Main(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program but for the process around it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := interruptible()
	defer stop()
	t := &terminal{stdin: stdin, stdout: stdout, stderr: stderr}
	cobra.EnableCommandSorting = false // help lists commands as their groups do
	root := newRootCommand(t)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	err = errors.Join(err, fillSummary(ctx, root, args, err))
	t.clearStatus()
	proc.Dismiss()
	return stepExit(root, args, t.exit(ctx, t.writeFiles(ctx, t.withDamage(err))))
}

// interruptible returns a context that the first SIGINT, SIGTERM, SIGHUP or SIGQUIT
// cancels, so that what was measured is kept. A later one ends perftrack at
// once; the supervisors of its processes see that and clean up.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		if impatient(signals, time.Now, cancel) {
			os.Exit(exitInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel()
	}
}

// sameSignal is how long after the first signal another one is still the same: timeout(1) sends its
// signal to the process and then to the group, and a terminal and a CI runner may both send one.
const sameSignal = time.Second

// impatient cancels at the first signal, and returns true at the next one that is not the same.
func impatient(signals <-chan os.Signal, now func() time.Time, cancel func()) bool {
	if _, ok := <-signals; !ok {
		return false
	}
	first := now()
	cancel()
	for range signals {
		if now().Sub(first) >= sameSignal {
			return true
		}
	}
	return false
}

// gateError is a verdict that the user asked to gate on; it is no failure of
// perftrack, and the report has said everything already.
type gateError struct{ code int }

func (e gateError) Error() string { return fmt.Sprintf("gate: exit %d", e.code) }

// withDamage adds to err that damaged runs were not used: without them no verdict is
// worth anything.
func (t *terminal) withDamage(err error) error {
	if t.damaged == nil {
		return err
	}
	damage := t.damaged()
	var gate gateError
	if damage != nil && (errors.As(err, &gate) || errors.Is(err, store.ErrDamaged)) {
		return damage
	}
	return errors.Join(err, damage)
}

// exit prints what went wrong and returns the exit code.
func (t *terminal) exit(ctx context.Context, err error) int {
	var gate gateError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &gate):
		return gate.code
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		t.say("interrupted" + besidesCancel(err))
		return exitInterrupted
	}
	t.say(err.Error())
	if t.json && !t.printed {
		t.printErrorJSON(err)
	}
	return exitError
}

// noteNothing tells who interrupted a measurement that has no results yet.
func (t *terminal) noteNothing(ctx context.Context) {
	if ctx.Err() != nil {
		t.notice("nothing was measured yet, so nothing is stored")
	}
}

// besidesCancel returns what went wrong beside the interruption itself, such as
// a run that could not be stored.
func besidesCancel(err error) string {
	var rest string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasSuffix(line, context.Canceled.Error()) {
			rest += "\n" + line
		}
	}
	return rest
}

// kindOf is the error's class, as in JSON error.kind.
func kindOf(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	var u *usageError
	if errors.As(err, &u) {
		return "usage"
	}
	return "io"
}
