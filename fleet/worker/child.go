package worker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A request is a job for the child.
type request struct {
	First   int      `json:"first"`
	Last    int      `json:"last"`
	Seconds int      `json:"seconds"`
	Closed  []string `json:"closed,omitempty"`
	Only    []string `json:"only,omitempty"`
}

// An answer is the child's result of a job.
type answer struct {
	First int      `json:"first"`
	Last  int      `json:"last"`
	Text  string   `json:"text"`
	Error *problem `json:"error"`
}

// A command is a program to start.
type command struct {
	Path string
	Args []string
	Dir  string
	CPUs string // "" for all
}

// A child is a running `perftrack rounds`. It is the leader of a process group.
type child struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan []byte
	quit  chan struct{} // closed by stop, which wants no answer
	done  chan struct{} // closed when the process has ended and its group was killed
	last  *lastLine
}

// maxAnswer limits the memory that a benchmark's output can take.
const maxAnswer = 256 << 20

// startChild starts a child.
func startChild(c command) (*child, error) {
	cmd := exec.Command(c.Path, c.Args...) //nolint:noctx // stop kills the whole group
	cmd.Dir, cmd.Env = c.Dir, childEnv(os.Environ())
	child := &child{cmd: cmd, lines: make(chan []byte), quit: make(chan struct{}), done: make(chan struct{}), last: &lastLine{to: os.Stderr}}
	cmd.Stderr = child.last
	cmd.WaitDelay = time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	child.stdin = stdin
	started := make(chan error)
	go child.run(c.CPUs, stdout, started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s %s: %w", c.Path, c.Args[0], err)
	}
	return child, nil
}

// run starts the process, passes its lines on, and kills what it leaves behind.
func (c *child) run(cpus string, stdout io.Reader, started chan<- error) {
	err := startGroup(c.cmd, cpus)
	started <- err
	if err != nil {
		return
	}
	r := bufio.NewReader(io.LimitReader(stdout, maxAnswer))
	for {
		line, err := r.ReadBytes('\n')
		if err == nil {
			select {
			case c.lines <- line:
				r.Reset(io.LimitReader(stdout, maxAnswer))
				continue
			case <-c.quit:
			}
		}
		break
	}
	killGroup(c.cmd)
	_ = c.cmd.Wait() // how it ended does not matter: it has not answered
	close(c.done)
}

func (c *child) alive() bool {
	select {
	case <-c.done:
		return false
	default:
		return true
	}
}

// ask gives the child a job and waits for the answer.
func (c *child) ask(ctx context.Context, r request) (a answer, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return a, err
	}
	if _, err := c.stdin.Write(append(text, '\n')); err != nil {
		return a, c.ended()
	}
	select {
	case <-ctx.Done():
		return a, ctx.Err()
	case <-c.done:
		return a, c.ended()
	case line := <-c.lines:
		if err := json.Unmarshal(line, &a); err != nil {
			return a, fmt.Errorf("read the answer of perftrack rounds: %w", err)
		}
		return a, nil
	}
}

// ended describes the end of a child that has not answered.
func (c *child) ended() error {
	<-c.done
	message := "perftrack rounds ended without an answer: " + c.cmd.ProcessState.String()
	if last := c.last.String(); last != "" {
		message += ": " + last
	}
	return errors.New(message)
}

// stop ends the child. It must be called once. It lets the child end at the end of its input, and kills its group soon after.
func (c *child) stop() {
	close(c.quit)
	_ = c.stdin.Close()
	select {
	case <-c.done:
		return
	case <-time.After(200 * time.Millisecond):
	}
	killGroup(c.cmd)
	<-c.done
}

// lastLine passes lines on and keeps the last one.
type lastLine struct {
	to   io.Writer
	mu   sync.Mutex
	line []byte
}

func (l *lastLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range bytes.SplitSeq(p, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			l.line = bytes.Clone(line[:min(len(line), 4<<10)])
		}
	}
	return l.to.Write(p)
}

func (l *lastLine) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.ToValidUTF8(string(l.line), "?")
}
