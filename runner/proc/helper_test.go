//go:build unix

package proc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The tests re-execute the test binary as the programs they supervise: helperEnv and an argument
// name the program to run as, and tokenEnv marks all processes of one test.
const (
	helperEnv = "PROC_TEST_HELPER"
	tokenEnv  = "PROC_TEST_TOKEN"
	helperArg = "helper="

	forEver = 3 * time.Minute // how long a sleeper lives if a test fails to kill it
)

func TestMain(m *testing.M) {
	// Under the race detector, every process would otherwise take another second to exit.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	Supervise()
	name, args := os.Getenv(helperEnv), os.Args[1:]
	asked := ""
	if len(args) > 0 && strings.HasPrefix(args[0], helperArg) {
		asked, args = strings.TrimPrefix(args[0], helperArg), args[1:]
	}
	// If a bug gives a program the wrong environment, a helper must not start itself or all tests
	// without end.
	if asked != "" && asked != name || name == "" && os.Getenv(tokenEnv) != "" {
		fmt.Fprintf(os.Stderr, "helper %q with %s=%q\n", asked, helperEnv, name)
		os.Exit(2)
	}
	if name != "" {
		helpers[name](args)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var helpers map[string]func(args []string)

func init() {
	helpers = map[string]func(args []string){
		"tree":        treeProgram,
		"sleeper":     sleeperProgram,
		"daemon":      daemonProgram,
		"spawner":     spawnerProgram,
		"owner":       ownerProgram,
		"guarded":     guardedProgram,
		"polite":      politeProgram,
		"print":       printProgram,
		"nonblocking": nonblockingProgram,
		"deleted":     deletedProgram,
		"memory":      memoryProgram,
		"selfmove":    selfmoveProgram,
		"confined":    confinedProgram,
		"affinity":    affinityProgram,
		"usable":      usableProgram,
		"leaver":      leaverProgram,
		"session": func([]string) {
			session, _ := unix.Getsid(0)
			parentGroup, _ := unix.Getpgid(os.Getppid())
			fmt.Println(os.Getpid(), os.Getppid(), unix.Getpgrp(), session, parentGroup)
		},
		"touch": func(args []string) {
			n, _ := strconv.Atoi(args[0])
			memory := make([]byte, n)
			for i := 0; i < n; i += 1 << 10 {
				memory[i] = 1
			}
			runtime.KeepAlive(memory)
		},
		"exit":   func(args []string) { code, _ := strconv.Atoi(args[0]); os.Exit(code) },
		"signal": func([]string) { _ = syscall.Kill(os.Getpid(), syscall.SIGTERM); time.Sleep(forEver) },
	}
}

// helper returns a command that runs this binary as the named program.
func helper(token, name string, args ...string) Command {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Command{
		Argv: append([]string{self, helperArg + name}, args...),
		// By default, exiting takes a second under the race detector.
		Env: append(os.Environ(), helperEnv+"="+name, tokenEnv+"="+token, "GORACE=atexit_sleep_ms=0"),
	}
}

// start starts a helper without Run. It is used for descendants and owners.
func start(c Command, session bool, out io.Writer, extra ...*os.File) *exec.Cmd {
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = c.Env, out, os.Stderr, extra
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	for _, kv := range c.Env { // its supervisors get its name, but not its environment
		if token, ok := strings.CutPrefix(kv, tokenEnv+"="); ok {
			cmd.Args[0] = "helper-" + token
		}
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

// startReady starts a descendant and returns when the last process in the chain runs. Each process
// in the chain holds the pipe's writing end, and the last one writes to it.
func startReady(session bool, name string, args ...string) {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	start(helper(os.Getenv(tokenEnv), name, args...), session, os.Stdout, w)
	w.Close()
	if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
		panic(err)
	}
	r.Close()
}

// treeProgram acts as the leader in the given script.
func treeProgram(args []string) {
	script, hold := args[0], args[1] == "hold"
	switch script {
	case "grandchild":
		startReady(false, "sleeper")
	case "setsid":
		startReady(true, "sleeper")
	case "daemon": // calls setsid twice, and the process in between is gone
		startReady(true, "daemon")
	case "early":
		startReady(false, "sleeper")
		startReady(true, "sleeper")
		hold = false
	case "stubborn":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		startReady(false, "sleeper", "stubborn")
		line := append(bytes.Repeat([]byte("x"), 999), '\n')
		for range 10_000 {
			os.Stdout.Write(line)
		}
		fmt.Fprintln(os.Stderr, "10 MB written")
	}
	fmt.Println("ready", os.Getppid())
	if hold {
		time.Sleep(forEver)
	}
}

func sleeperProgram(args []string) {
	if len(args) > 0 {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	}
	ready := os.NewFile(3, "ready")
	ready.Write([]byte{1})
	ready.Close()
	time.Sleep(forEver)
}

func daemonProgram([]string) {
	start(helper(os.Getenv(tokenEnv), "sleeper"), true, os.Stdout, os.NewFile(3, "ready"))
}

// spawnerProgram starts sleepers as fast as possible, each in its own session.
func spawnerProgram([]string) {
	fmt.Println("ready")
	for range 1000 {
		cmd := exec.Command("sleep", "180")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if cmd.Start() != nil {
			return
		}
	}
	time.Sleep(forEver)
}

// ownerProgram stands in for perftrack in tests that kill it.
func ownerProgram(args []string) {
	c := helper(os.Getenv(tokenEnv), "tree", args...)
	c.Stdout = os.Stdout
	res, err := Run(context.Background(), c)
	fmt.Println("end", res.Err(), err)
	time.Sleep(forEver)
}

// politeProgram prints a line after it gets SIGTERM, and then ends.
func politeProgram([]string) {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	fmt.Println("ready")
	<-term
	time.Sleep(50 * time.Millisecond)
	fmt.Println("tidied up")
}

// printProgram prints its arguments and its environment.
func printProgram(args []string) {
	fmt.Printf("%q\n", args)
	for _, kv := range os.Environ() {
		fmt.Printf("%q\n", kv)
	}
}

// nonblockingProgram prints, for each standard descriptor, whether it is in non-blocking mode,
// which makes programs lose output.
func nonblockingProgram([]string) {
	for fd := range 3 {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
		if err != nil {
			panic(err)
		}
		fmt.Println(fd, flags&unix.O_NONBLOCK != 0)
	}
}

// deletedProgram removes its own file and then runs a program.
func deletedProgram([]string) {
	self, _ := os.Executable()
	err := os.Remove(self)
	res, runErr := Run(context.Background(), Command{Argv: []string{"echo", "still works"}})
	fmt.Printf("%v %v %v %s", err, runErr, res.Err(), res.Stdout)
}

// tail is a writer that lets tests wait for a line.
type tail struct {
	mu   sync.Mutex
	text []byte
	more chan struct{}
}

func newTail() *tail { return &tail{more: make(chan struct{}, 1)} }

func (w *tail) Write(p []byte) (int, error) {
	w.mu.Lock()
	// Keep only the end, because one script writes 10 MB.
	w.text = append(w.text, p...)
	if len(w.text) > 1<<16 {
		w.text = append([]byte(nil), w.text[len(w.text)-1<<12:]...)
	}
	w.mu.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
	return len(p), nil
}

// waitFor waits for a line starting with prefix, and returns it.
func (w *tail) waitFor(t *testing.T, prefix string) string {
	t.Helper()
	deadline := time.After(patience)
	for {
		w.mu.Lock()
		text := string(w.text)
		w.mu.Unlock()
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, prefix) && strings.HasSuffix(line, "\n") {
				return strings.TrimSpace(line)
			}
		}
		select {
		case <-w.more:
		case <-deadline:
			t.Fatalf("no line %q in the output: %.300q", prefix, text)
		}
	}
}

// newToken returns a token that marks the processes of one test.
func newToken(t *testing.T) string {
	return fmt.Sprintf("%s-%d-%d", strings.ReplaceAll(t.Name(), "/", "-"), os.Getpid(), time.Now().UnixNano())
}

// patience is the time limit for expected events. A passing test never takes so long, even on a
// busy machine.
const patience = 2 * time.Minute

// within waits until condition holds, and reports whether it did so in time.
func within(condition func() bool) bool {
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if condition() {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}

func exists(elem ...string) bool {
	_, err := os.Lstat(filepath.Join(elem...))
	return err == nil
}
