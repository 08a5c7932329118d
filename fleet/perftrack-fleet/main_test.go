//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/fleet/pgtest"
)

// The test binary is also the program and a perftrack that does not measure, by the name of the
// link that starts it.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "perftrack":
		os.Exit(fakePerftrack(os.Args[1:]))
	case "perftrack-fleet":
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout))
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil { // the tests mostly wait
		panic(err)
	}
	code := m.Run()
	pgtest.Stop()
	os.Exit(code)
}

// fakePerftrack answers each job after a pause for each round. The flags of the trial make it
// misbehave.
func fakePerftrack(args []string) int {
	if len(args) > 0 && args[0] == "check" {
		return writeFile(filepath.Join(os.Getenv("HOME"), args[len(args)-1]), strings.Join(args, " ")+"\n"+os.Getenv("PERFTRACK_DB")+"\n")
	}
	f := flag.NewFlagSet("rounds", flag.ContinueOnError)
	pause := f.Duration("pause", 0, "")
	kind := f.String("kind", "", "answer with this kind of error")
	dies := f.String("dies", "", "die once, and then leave this file")
	begun := f.String("begun", "", "leave this file when the first job begins")
	upTo := f.Int("up-to", 1<<30, "stop after this many rounds")
	spawn := f.Bool("spawn", false, "start a child that outlives this one, and print its id")
	isolate := f.Bool("isolate", false, "")
	head := f.String("head", "", "")
	for _, name := range []string{"base", "trial"} {
		f.String(name, "", "")
	}
	if err := f.Parse(args[1:]); err != nil {
		return 2
	}
	if *isolate && f.NArg() == 0 {
		return 0
	}
	text, err := os.ReadFile("head.txt")
	if err != nil || !strings.HasPrefix(string(text), "head of ") || *head == "" {
		fmt.Fprintln(os.Stderr, "not in a work tree of the head:", err)
		return 2
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var job struct {
			First, Last int
			Closed      []string
		}
		if err := json.Unmarshal(lines.Bytes(), &job); err != nil {
			return 2
		}
		if *begun != "" {
			_ = writeFile(*begun, "")
		}
		if *dies != "" && writeFile(*dies, "") == 0 {
			return 7
		}
		if *kind != "" {
			fmt.Printf(`{"error":{"kind":%q,"message":"it does not"},"text":"failed"}`+"\n", *kind)
			continue
		}
		var b strings.Builder
		last := min(job.Last, job.First+*upTo-1)
		for round := job.First; round <= last; round++ {
			time.Sleep(*pause)
			fmt.Fprintf(&b, "round %d of %s %q\n", round, f.Arg(0), job.Closed)
		}
		if *isolate {
			b.WriteString("isolated\n")
		}
		if *spawn {
			fmt.Fprintf(&b, "spawned %d\n", spawnSleep())
		}
		for _, name := range []string{"PERFTRACK_DB", "CANARY_TOKEN"} {
			if os.Getenv(name) != "" {
				b.WriteString("saw " + name + "\n")
			}
		}
		answer, _ := json.Marshal(map[string]any{"first": job.First, "last": last, "text": b.String()})
		fmt.Printf("%s\n", answer)
	}
	return 0
}

// writeFile creates a file that does not exist, and returns the exit status.
func writeFile(path, text string) int {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 2
	}
	_, _ = f.WriteString(text)
	_ = f.Close()
	return 0
}

func spawnSleep() int {
	p, err := os.StartProcess("/bin/sleep", []string{"sleep", "1000"}, &os.ProcAttr{})
	if err != nil {
		return 0
	}
	return p.Pid
}
