// Package command runs perftrack as a program and returns what it answers: its text, its JSON
// document and how it ended. Begin with [Perftrack.Run].
package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Exit statuses of perftrack: what is not an error is an answer.
const (
	OK          = 0
	Regressed   = 1
	Failed      = 2
	Undecided   = 3 // with --strict
	Interrupted = 130
)

// Perftrack is the program, and where it runs.
type Perftrack struct {
	Path string   // of the binary
	Dir  string   // that it is started in
	Env  []string // as of os.Environ
}

// An Output is what perftrack answered.
type Output struct {
	Status   int
	Text     string         // what it printed for people
	Document map[string]any // of --format json; numbers are json.Number; nil if there is none
	Remarks  []string       // the last lines of what it said on the way
}

// Failure is the class and the message of what went wrong, "" where nothing did.
func (o Output) Failure() (kind, message string) {
	if e, ok := o.Document["error"].(map[string]any); ok {
		kind, _ = e["kind"].(string)
		message, _ = e["message"].(string)
	}
	if message == "" && o.Status != OK && o.Status != Regressed && o.Status != Undecided {
		message = strings.Join(o.Remarks, "\n")
	}
	return kind, message
}

// Limits of what is kept of perftrack's streams, and how long it may take to store what it has
// measured once it was interrupted.
const (
	mostText     = 1 << 20
	mostDocument = 256 << 20
	mostRemarks  = 8
	grace        = 20 * time.Second
)

// A Call is a command line of perftrack, of words that are already checked.
type Call struct {
	Command []string
	Flags   []string // each as --name=value
	Words   []string // arguments, which are never taken for flags
	Plain   bool     // the command has text alone
}

// args are the arguments; the document is written to a file.
func (c Call) args(document string) []string {
	always := []string{"--color=never"}
	if !c.Plain {
		always = append(always, "--output=json="+document)
	}
	return slices.Concat(c.Command, always, c.Flags, []string{"--"}, c.Words)
}

// Run runs perftrack and tells each line that it says on stderr. When ctx ends perftrack is interrupted as by Ctrl-C, which has it store what it
// measured; Run returns after that, with the error of ctx.
func (p Perftrack) Run(ctx context.Context, call Call, told func(line string)) (out Output, err error) {
	temp, err := os.MkdirTemp("", "perftrack-mcp-")
	if err != nil {
		return out, fmt.Errorf("make room for perftrack's answer: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	document := filepath.Join(temp, "answer.json")
	text, said := &clipped{most: mostText}, &lines{told: told}

	c := exec.CommandContext(ctx, p.Path, call.args(document)...)
	c.Dir, c.Env, c.Stdout, c.Stderr = p.Dir, p.environ(), text, said
	c.Cancel = func() error { return interrupt(c.Process) }
	c.WaitDelay = grace
	own(c)
	// Where the system ends a child with the thread that started it, that thread has to live.
	runtime.LockOSThread()
	err = c.Run()
	runtime.UnlockOSThread()
	said.end()
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if errors.Is(err, exec.ErrWaitDelay) { // perftrack has ended well, something that it started holds its streams
		err = nil
	}
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || !exit.Exited()) { //nolint:errorlint // as Run returns it
		return out, fmt.Errorf("run perftrack %s: %w", strings.Join(call.Command, " "), err)
	}
	out = Output{Status: c.ProcessState.ExitCode(), Text: text.String(), Remarks: said.last}
	out.Document, err = readDocument(document)
	return out, err
}

// environ is the environment without what makes perftrack talk to a CI instead of to us.
func (p Perftrack) environ() []string {
	env := slices.DeleteFunc(slices.Clone(p.Env), func(v string) bool { return strings.HasPrefix(v, "GITHUB_ACTIONS=") })
	return append(env, "PWD="+p.Dir)
}

// readDocument reads the JSON document; nil where perftrack did not get as far as that.
func readDocument(path string) (document map[string]any, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err == nil && info.Size() > mostDocument {
		err = fmt.Errorf("it has %d bytes, more than %d", info.Size(), int64(mostDocument))
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(path)
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		err = d.Decode(&document)
	}
	if err != nil {
		return nil, fmt.Errorf("read perftrack's answer: %w", err)
	}
	return document, nil
}
