// Command perftrack-fleet is the queue of a fleet of measuring machines, in the database that holds
// perftrack's runs. perftrack starts it: `check --workers` the queue of a trial, and `worker` and
// `submit` the commands of the same names.
//
// Begin with main.go. PERFTRACK_DB names the database. PERFTRACK_FLEET_SCALE multiplies leases and
// timeouts, for tests; PERFTRACK_FLEET_DEBUG makes River write what it does to stderr.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"github.com/perftrack/perftrack/fleet/database"
	"github.com/perftrack/perftrack/fleet/jobs"
	"github.com/perftrack/perftrack/fleet/queue"
	"github.com/perftrack/perftrack/fleet/worker"
)

const usage = `usage: perftrack-fleet queue
       perftrack-fleet worker -class CLASS -procedure P [-id ID] [flags]
       perftrack-fleet submit -repository NAME -url URL -base SHA -head SHA -class CLASS [flags] [-- FLAGS]
       perftrack-fleet rights ROLE
       perftrack-fleet version

PERFTRACK_DB names the database: the path of a file, or postgres://...
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	os.Exit(status)
}

// run runs a command and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) int {
	commands := map[string]func(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error{
		"queue": serveQueue, "worker": runWorker, "submit": submit, "rights": rights, "version": version,
	}
	if len(args) == 0 || commands[args[0]] == nil {
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
	err := commands[args[0]](ctx, args[1:], stdin, stdout)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	default:
		fmt.Fprintln(os.Stderr, "perftrack-fleet:", err)
		return 1
	}
}

// parse parses flags. Only a command that takes words may have arguments behind them.
func parse(f *flag.FlagSet, args []string, words bool) error {
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 && !words {
		return fmt.Errorf("unknown argument %q", f.Arg(0))
	}
	return nil
}

func serveQueue(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	if err := parse(flag.NewFlagSet("perftrack-fleet queue", flag.ContinueOnError), args, false); err != nil {
		return err
	}
	d, err := database.Open(ctx, os.Getenv("PERFTRACK_DB"))
	if err != nil {
		return queue.Refuse(stdout, err)
	}
	defer d.Close()
	return queue.Serve(ctx, d, stdin, stdout)
}

func runWorker(ctx context.Context, args []string, _ io.Reader, _ io.Writer) (err error) {
	f := flag.NewFlagSet("perftrack-fleet worker", flag.ContinueOnError)
	var opt worker.Options
	f.StringVar(&opt.Perftrack, "perftrack", "", "the perftrack `binary` (default the one in this program's folder)")
	f.StringVar(&opt.Class, "class", "", "measure for this `class` of machines")
	f.StringVar(&opt.Procedure, "procedure", "", "the `procedure` with which perftrack measures")
	f.StringVar(&opt.ID, "id", "", "the `name` of the worker (default the name of the host, with a number if it is taken)")
	f.StringVar(&opt.Version, "version", "", "the `version` of perftrack")
	f.BoolVar(&opt.Once, "once", false, "end when no job is available")
	f.BoolVar(&opt.Trusted, "trusted", false, "run benchmarks without a sandbox")
	f.StringVar(&opt.CPUs, "cpus", "", "measure on these CPUs and keep the worker away from them: a `list` as in 2-5,8")
	f.StringVar(&opt.Work, "work", "", "the `directory` for clones and work trees (default in the user's cache)")
	f.BoolVar(&opt.Decides, "decide", false, "also run submitted checks")
	f.IntVar(&opt.InFlight, "in-flight", 0, "leave a repository alone that has `n` jobs in flight (default no limit)")
	if err := parse(f, args, false); err != nil {
		return err
	}
	if opt.Perftrack, err = findPerftrack(opt.Perftrack); err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil && (opt.Work == "" || opt.ID == "") {
		return fmt.Errorf("find a directory for clones: %w: use -work and -id", err)
	}
	cache = filepath.Join(cache, "perftrack-fleet")
	if opt.ID == "" {
		host, err := os.Hostname()
		if err == nil {
			opt.ID, err = freeName(host, cache)
		}
		if err != nil {
			return fmt.Errorf("name the worker: %w: use -id", err)
		}
	}
	if opt.Work == "" {
		opt.Work = filepath.Join(cache, jobs.Queue(opt.ID, "")) // a valid name of a file
	}
	d, err := database.Open(ctx, os.Getenv("PERFTRACK_DB"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return worker.Run(ctx, d, opt)
}

// findPerftrack returns the absolute path of perftrack.
func findPerftrack(named string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("find perftrack: %w: name the binary with -perftrack", err)
	}
	path := filepath.Join(filepath.Dir(self), "perftrack"+filepath.Ext(self))
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("find perftrack: %w: start `perftrack worker`, or name the binary with -perftrack", err)
	}
	return path, nil
}

func submit(ctx context.Context, args []string, _ io.Reader, stdout io.Writer) error {
	f := flag.NewFlagSet("perftrack-fleet submit", flag.ContinueOnError)
	var c jobs.Check
	f.StringVar(&c.Repository, "repository", "", "the `name` of the repository")
	f.StringVar(&c.URL, "url", "", "the `address` to clone it from")
	f.StringVar(&c.Dir, "dir", "", "the `directory` in it")
	f.StringVar(&c.Base, "base", "", "compare with this `commit`, a full hash")
	f.StringVar(&c.Head, "head", "", "check this `commit`, a full hash")
	f.StringVar(&c.Class, "class", "", "measure on this `class` of machines")
	f.StringVar(&c.Priority, "priority", "", "release, pull-request (default), nightly or backfill")
	f.StringVar(&c.PullRequest, "pull-request", "", "the `number` of the pull request")
	f.BoolVar(&c.Optional, "optional", false, "report without blocking")
	if err := parse(f, args, true); err != nil {
		return err
	}
	c.Flags = f.Args()
	d, err := database.Open(ctx, os.Getenv("PERFTRACK_DB"))
	if err != nil {
		return err
	}
	defer d.Close()
	id, err := queue.Submit(ctx, d, c)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, id)
	return err
}

func rights(_ context.Context, args []string, _ io.Reader, stdout io.Writer) error {
	if len(args) != 1 {
		return errors.New("rights: name one role")
	}
	text, err := database.Rights(args[0])
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, text)
	return err
}

func version(_ context.Context, _ []string, _ io.Reader, stdout io.Writer) error {
	v := "devel"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		v = info.Main.Version
	}
	_, err := fmt.Fprintln(stdout, "perftrack-fleet", v)
	return err
}
