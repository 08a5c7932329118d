// Package command runs the perftrack program and returns its text, its JSON document and its exit
// status. Begin with [Perftrack.Run].
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

// The exit statuses of perftrack.
const (
	OK          = 0
	Regressed   = 1
	Failed      = 2
	Undecided   = 3 // only with --strict
	Interrupted = 130
)

// Perftrack is the perftrack program and its environment.
type Perftrack struct {
	Path string   // path of the binary
	Dir  string   // working directory
	Env  []string // in the form of os.Environ
}

// An Output is the result of a perftrack command.
type Output struct {
	Status   int
	Text     string         // printed to stdout
	Document map[string]any // from --format json, with json.Number for numbers; or nil
	Remarks  []string       // last lines written to stderr
}

// Failure returns the kind and the message of an error, or "" for both if perftrack succeeded.
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

// These constants limit the output to keep and the time that perftrack has to store its samples
// after an interruption.
const (
	mostText     = 1 << 20
	mostDocument = 256 << 20
	mostRemarks  = 8
	grace        = 20 * time.Second
)

// A Call is a perftrack command line with checked arguments.
type Call struct {
	Command []string
	Flags   []string // each as --name=value
	Words   []string // arguments, never taken for flags
	Plain   bool     // whether the command has no JSON document
}

// args returns the arguments for perftrack, including a flag to write the JSON document to a file.
func (c Call) args(document string) []string {
	always := []string{"--color=never"}
	if !c.Plain {
		always = append(always, "--output=json="+document)
	}
	return slices.Concat(c.Command, always, c.Flags, []string{"--"}, c.Words)
}

// Run runs perftrack and calls told for each line on its stderr. When ctx ends, Run interrupts
// perftrack as Ctrl-C does, waits while it stores its samples, and returns the error of ctx.
func (p Perftrack) Run(ctx context.Context, call Call, told func(line string)) (out Output, err error) {
	temp, err := os.MkdirTemp("", "perftrack-mcp-")
	if err != nil {
		return out, fmt.Errorf("create a file for perftrack's answer: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	document := filepath.Join(temp, "answer.json")
	text, said := &clipped{most: mostText}, &lines{told: told}

	c := exec.CommandContext(ctx, p.Path, call.args(document)...)
	c.Dir, c.Env, c.Stdout, c.Stderr = p.Dir, p.environ(), text, said
	c.Cancel = func() error { return interrupt(c.Process) }
	c.WaitDelay = grace
	own(c)
	// Some systems end a child process together with the thread that started it.
	runtime.LockOSThread()
	err = c.Run()
	runtime.UnlockOSThread()
	said.end()
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if errors.Is(err, exec.ErrWaitDelay) { // perftrack succeeded, but one of its child processes keeps the streams open
		err = nil
	}
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || !exit.Exited()) { //nolint:errorlint // as Run returns it
		return out, fmt.Errorf("run perftrack %s: %w", strings.Join(call.Command, " "), err)
	}
	out = Output{Status: c.ProcessState.ExitCode(), Text: text.String(), Remarks: said.last}
	out.Document, err = readDocument(document)
	return out, err
}

// environ returns the environment without the variable that marks GitHub Actions, because perftrack
// would otherwise report its results to GitHub.
func (p Perftrack) environ() []string {
	env := slices.DeleteFunc(slices.Clone(p.Env), func(v string) bool { return strings.HasPrefix(v, "GITHUB_ACTIONS=") })
	return append(env, "PWD="+p.Dir)
}

// readDocument reads the JSON document, or returns nil if perftrack wrote no document.
func readDocument(path string) (document map[string]any, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err == nil && info.Size() > mostDocument {
		err = fmt.Errorf("it has %d bytes, more than the limit of %d", info.Size(), int64(mostDocument))
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
