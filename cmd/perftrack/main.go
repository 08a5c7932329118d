// Command perftrack measures benchmarks by git commit and decides which of them changed.
//
// Without arguments it prints its help. `perftrack run` measures benchmarks, then stores and prints
// the results; most other commands show stored results.
//
// Data goes to stdout and messages go to stderr. Begin with main.go, root.go and session.go. Each
// command is declared in a file of the same name, together with its flags, and calls a package in
// internal; package database declares those of perftrack db.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/actions"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/engine/workloads"
	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/proc"
)

// engineArg is the hidden argument that turns perftrack into the built-in benchmark program.
const engineArg = "__engine"

func main() {
	proc.Supervise()
	_ = childenv.Seal() // if this fails, benchmarks could find secrets more easily, but none are passed to them
	if len(os.Args) > 1 && os.Args[1] == engineArg {
		os.Exit(workloads.Main(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs the whole program in the current process and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := interruptible()
	defer stop()
	t := &console.Console{Stdin: stdin, Stdout: stdout, Stderr: stderr, Now: func() time.Time { return now() }}
	cobra.EnableCommandSorting = false // help lists commands in the order of commandGroups
	root := newRootCommand(t)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	err = errors.Join(err, actions.FillSummary(ctx, root, args, err))
	err = t.WithDamage(err)
	var gate console.GateError
	if t.Finish != nil && (err == nil || errors.As(err, &gate)) {
		t.Finish(ctx)
	}
	t.ClearStatus()
	proc.Dismiss()
	return stepExit(root, args, t.Exit(ctx, t.WriteFiles(ctx, err)))
}

// interruptible returns a context that is canceled by the first SIGINT, SIGTERM, SIGHUP or SIGQUIT,
// so perftrack can store the results so far. The next signal ends perftrack at once, and the
// supervisors of its child processes then clean up.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		if impatient(signals, time.Now, cancel) {
			os.Exit(console.ExitInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel()
	}
}

// sameSignal is how long after the first signal another one counts as a duplicate. timeout(1)
// signals the process and then its group, and a terminal and a CI runner may both send a signal.
const sameSignal = time.Second

// impatient calls cancel at the first signal. It returns true when another signal arrives at least
// sameSignal later, and false when signals is closed.
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
