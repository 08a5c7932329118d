package fleet

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/format/bounds"
)

// A Queue is a conversation with perftrack-fleet about one trial. Only one goroutine may use it.
type Queue struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	events chan Event
	stderr tail
	read   error // the error of reading events; valid once events is closed
}

// leaveTime is how long perftrack-fleet may take to end the conversation.
const leaveTime = 10 * time.Second

// Start starts the conversation by opening a trial. The trial of an earlier conversation about the
// same commits goes on: the first event is then an [Opened] with its id.
func Start(ctx context.Context, a *workspace.Session, t Trial) (*Queue, error) {
	path, err := Find(a)
	if err != nil {
		return nil, err
	}
	env, err := Environ(ctx, a)
	if err != nil {
		return nil, err
	}
	// An interrupt must not end it before the caller has cancelled the waiting jobs.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, "queue")
	cmd.Env, cmd.WaitDelay = env, leaveTime
	apart(cmd)
	q := &Queue{cmd: cmd, events: make(chan Event)}
	cmd.Stderr = &q.stderr
	if q.in, err = cmd.StdinPipe(); err != nil {
		return nil, fault.IO(fmt.Errorf("start %s: %w", program, err))
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fault.IO(fmt.Errorf("start %s: %w", program, err))
	}
	go q.listen(out)
	return q, q.send(request{Open: &t})
}

// listen passes on the events.
func (q *Queue) listen(out io.Reader) {
	defer close(q.events)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 4*bounds.MaxInput) // a part is a string in JSON
	for lines.Scan() {
		var e Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			q.read = fmt.Errorf("read an event of %s: %w", program, err)
			_, _ = io.Copy(io.Discard, out)
			return
		}
		q.events <- e
	}
	q.read = lines.Err()
}

func (q *Queue) send(r request) error {
	text, err := json.Marshal(r)
	if err == nil {
		_, err = q.in.Write(append(text, '\n'))
	}
	if err != nil {
		return fault.IO(fmt.Errorf("write to %s: %w%s", program, err, q.stderr.said()))
	}
	return nil
}

// Add queues jobs. It is harmless to add a job again.
func (q *Queue) Add(jobs []Job) error { return q.send(request{Add: jobs}) }

// Cancel removes the trial's waiting jobs. Running jobs go on, and their results are kept.
func (q *Queue) Cancel() error { return q.send(request{Cancel: true}) }

// Next waits for the next event. ok is false if none came until ctx was done or the time was up.
func (q *Queue) Next(ctx context.Context, within <-chan time.Time) (e Event, ok bool, err error) {
	select {
	case <-ctx.Done():
		return e, false, ctx.Err()
	case <-within:
		return e, false, nil
	case e, ok = <-q.events:
	}
	switch {
	case !ok:
		return e, false, fault.IO(fmt.Errorf("%s ended unexpectedly: %w%s", program, errors.Join(q.read, q.cmd.Wait()), q.stderr.said()))
	case e.Error != nil:
		return e, false, fault.IO(fmt.Errorf("%s: %s", program, e.Error.Message))
	}
	return e, true, nil
}

// The ways in which the conversation about a trial ends.
const (
	Decided     = "decided"
	Interrupted = "interrupted" // a later conversation may go on
	Superseded  = "superseded"
	GivenUp     = "failed"
)

// Close ends the conversation. state is one of the constants above.
func (q *Queue) Close(state string) error {
	err := q.send(request{Close: &ending{state}})
	err = errors.Join(err, q.in.Close())
	for range q.events { // until it has ended
	}
	if wait := q.cmd.Wait(); err == nil && wait != nil {
		err = fault.IO(fmt.Errorf("%s: %w%s", program, wait, q.stderr.said()))
	}
	return err
}

// A tail keeps the last output of the program for messages.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailLength = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-tailLength):]
	return len(p), nil
}

// said returns what the program printed last, for the end of a message.
func (t *tail) said() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.text) == 0 {
		return ""
	}
	return "\n" + string(t.text)
}
