package turnstile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/sys/unix"

	"github.com/perftrack/perftrack/runner/proc"
)

// endLimit is how long a process may live on after it has closed its standard output. A
// variable for its test.
var endLimit = 5 * time.Second

// A side is the process of one side.
type side struct {
	Spec
	classifier
	index int

	owner   context.Context // of the pair
	ctx     context.Context
	cancel  func() // kills the process and all its descendants
	done    chan struct{}
	end     proc.Result // valid when done
	endErr  error       // of supervising it
	process *process    // nil if it was gone at once
	pipe    *pipe

	labels []byte        // what package testing said of the system
	name   []byte        // the packet before a count, the same each time
	last   []byte        // the packet that is still in the pipe while parked
	clock  time.Duration // when it was parked
	taken  int           // slices
	placement
}

// startSide starts the process. It runs.
func startSide(ctx context.Context, spec Spec, index int) (*side, error) {
	pipe, writer, err := newPipe()
	if err != nil {
		return nil, err
	}
	s := &side{Spec: spec, classifier: newClassifier(spec.Name), index: index, owner: ctx, pipe: pipe, done: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(ctx)
	context.AfterFunc(s.ctx, func() { pipe.deadline(time.Unix(1, 0)) })
	bin := spec.Sides[index]
	command := proc.Command{Argv: spec.Argv(bin), Dir: bin.Dir, Env: bin.Env, CPUs: spec.CPUs, Box: bin.Box, StdoutFile: writer}
	pids := make(chan int, 1)
	command.Started = func(pid int) { pids <- pid }
	go func() {
		defer close(s.done)
		s.end, s.endErr = proc.Run(s.ctx, command)
	}()
	select {
	case pid := <-pids:
		if s.process, err = openProcess(pid); err != nil && !gone(err) {
			return nil, errors.Join(err, s.close())
		}
		s.placement = placementOf(pid)
	case <-s.done:
	}
	return s, nil
}

// begin sets the time limit of what follows.
func (s *side) begin() error {
	var limit time.Time
	if s.Timeout > 0 {
		limit = time.Now().Add(s.Timeout)
	}
	s.pipe.deadline(limit)
	return s.ctx.Err() // asked for last: from here on its end ends the waiting, too
}

// open lets the process run the first count, which tells nothing yet.
func (s *side) open() error {
	if err := s.begin(); err != nil {
		return s.fault(err)
	}
	if err := s.enter(); err != nil {
		return s.fault(err)
	}
	_, err := s.count()
	return s.fault(err)
}

// slice lets the parked process run one count.
func (s *side) slice() (Slice, error) {
	if err := s.begin(); err != nil {
		return Slice{}, s.fault(err)
	}
	before := s.clock
	now, err := s.process.time()
	if err == nil {
		err = s.place()
	}
	if err == nil {
		err = s.letGo()
	}
	if err == nil {
		err = s.next()
	}
	if err == nil {
		err = s.spread()
	}
	if err != nil {
		return Slice{}, s.fault(err)
	}
	out, err := s.count()
	if err != nil {
		return Slice{}, s.fault(err)
	}
	s.taken++
	out.Stray, out.CPU = now-before, s.clock-now
	return out, nil
}

// enter reads what is before the first name, and the name: the first count begins.
func (s *side) enter() error {
	for {
		packet, err := s.pipe.take()
		if err != nil {
			return err
		}
		switch s.kind(packet) {
		case name:
			s.name = slices.Clone(packet)
			return nil
		case another:
			return s.refuse("it has benchmarks of its own, such as %s: they can be sliced one by one", bytes.TrimSpace(packet))
		case verbose, result:
			return s.refuse("its program prints the names of benchmarks where they are not expected, as with -test.v")
		case failure:
			return s.failed("%s", failureText(packet))
		}
		if label.Match(packet) {
			s.labels = append(s.labels, packet...)
		}
		// Else a TestMain said something, or the benchmark, the first time it was called.
	}
}

// next takes out the result that was looked at, what was logged, and the name: the next
// count begins.
func (s *side) next() error {
	rest := false // of what was logged
	for {
		packet, err := s.pipe.take()
		if err != nil {
			return err
		}
		switch kind := s.kind(packet); {
		case len(s.last) > 0 && bytes.Equal(packet, s.last):
			s.last = s.last[:0]
		case bytes.Equal(packet, s.name):
			return nil
		case kind == logged, rest && kind == other:
			rest = more(packet)
		default:
			return s.printed(packet)
		}
	}
}

// count waits for the end of the count and parks the process.
func (s *side) count() (Slice, error) {
	var line []byte
	for {
		packet, err := s.pipe.peek()
		if err != nil {
			return Slice{}, err
		}
		if len(line) == 0 && s.kind(packet) != result {
			return Slice{}, s.printed(packet)
		}
		line = append(line, packet...)
		if !more(packet) || packet[len(packet)-1] == '\n' {
			s.last = append(s.last[:0], packet...)
			break
		}
		// The rest of a long result comes before the next name.
		if _, err := s.pipe.take(); err != nil {
			return Slice{}, err
		}
	}
	if !resultLine.Match(line) {
		return Slice{}, s.printed(line)
	}
	waited, err := s.park()
	if err != nil {
		return Slice{}, err
	}
	out, err := s.parse(line)
	out.Waited = waited
	return out, err
}

// park stops the process, which waits in its next write, and returns when it stands.
func (s *side) park() (waited time.Duration, err error) {
	if s.Unstopped {
		if _, waited, err = s.process.look(false); err == nil {
			s.clock, err = s.process.time()
		}
		return waited, err
	}
	if err := s.process.signal(unix.SIGSTOP); err != nil {
		return 0, err
	}
	for pause, turn := 10*time.Microsecond, 0; ; turn++ {
		all, more, err := s.process.look(true)
		if err != nil {
			return 0, err
		}
		waited += more
		if all {
			break
		}
		if err := s.ctx.Err(); err != nil {
			return 0, err
		}
		if turn > 2 {
			time.Sleep(pause)
			pause = min(2*pause, time.Millisecond)
		}
	}
	// What is stopped may still be on its way off the CPU.
	for s.clock, err = s.process.time(); err == nil; {
		runtime.Gosched()
		before := s.clock
		if s.clock, err = s.process.time(); s.clock == before {
			break
		}
	}
	return waited, err
}

// letGo continues a process that was stopped.
func (s *side) letGo() error {
	if s.Unstopped {
		return nil
	}
	return s.process.signal(unix.SIGCONT)
}

// parse reads the result.
func (s *side) parse(line []byte) (out Slice, err error) {
	r := benchfmt.NewReader(bytes.NewReader(slices.Concat(s.labels, s.name, line)), "")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			out.Result = rec.Clone()
		case *benchfmt.SyntaxError:
			return out, s.refuse("its result %s cannot be read: %s", quoted(line), rec.Msg)
		}
	}
	if out.Result == nil {
		return out, s.refuse("its result %s cannot be read", quoted(line))
	}
	switch n := out.Result.Iters; {
	case n == 0:
		return out, s.refuse("it ran 0 iterations of %d: was it skipped?", s.N)
	case n != s.N:
		return out, &CountError{Side: s.index, Printed: n, Asked: s.N}
	}
	for _, v := range out.Result.Values {
		if v.OrigUnit == "ns/op" {
			out.Wall = v.OrigValue
		}
	}
	return out, nil
}

// finish lets a process that has run all its counts end by itself, as it would have, and
// reports how it did.
func (s *side) finish() error {
	err := s.begin()
	if err == nil {
		err = s.letGo()
	}
	for err == nil {
		var packet []byte
		packet, err = s.pipe.take()
		if err == nil && s.kind(packet) == name {
			err = s.refuse("it runs with several numbers of CPUs in one process, such as %s", bytes.TrimSpace(packet))
		}
	}
	if !errors.Is(err, io.EOF) {
		return s.fault(err)
	}
	s.wait()
	if err := s.end.Err(); err != nil || s.endErr != nil {
		return s.fault(io.EOF)
	}
	return nil
}

// wait waits for a process that has closed its standard output.
func (s *side) wait() {
	late := time.NewTimer(endLimit)
	defer late.Stop()
	select {
	case <-s.done:
	case <-late.C:
		s.cancel()
		<-s.done
	}
}

// close ends what is left of the process.
func (s *side) close() error {
	s.cancel()
	<-s.done
	s.pipe.close()
	if s.process != nil {
		s.process.close()
	}
	return s.endErr
}

// gone reports whether the error says that there is no such process.
func gone(err error) bool {
	return errors.Is(err, unix.ESRCH) || errors.Is(err, fs.ErrNotExist)
}

// fault says what an error means for the benchmark.
func (s *side) fault(err error) error {
	slice := new(SliceError)
	switch {
	case err == nil, errors.As(err, &slice):
		return err
	case s.owner.Err() != nil:
		return fmt.Errorf("slice benchmark %s: %w", s.Name, s.owner.Err())
	case errors.Is(err, os.ErrDeadlineExceeded):
		return s.failed("it took longer than %v", s.Timeout)
	case errors.Is(err, io.EOF), gone(err):
		return s.ended()
	}
	return fmt.Errorf("slice benchmark %s: %w", s.Name, err)
}

// ended says why the process is no more.
func (s *side) ended() error {
	s.wait()
	end, words := s.end.Err(), lastWords(s.end.Stderr)
	switch {
	case s.endErr != nil:
		return fmt.Errorf("slice benchmark %s: %w", s.Name, s.endErr)
	case s.owner.Err() != nil:
		return fmt.Errorf("slice benchmark %s: %w", s.Name, s.owner.Err())
	case s.end.Canceled, end == nil && len(s.name) > 0:
		return s.failed("its process ended, or closed its standard output, before it had all results")
	case end == nil:
		return s.refuse("its process has no result: there is no such benchmark, or it was skipped")
	case words != "":
		return s.failed("its process ended: %v: %s", end, words)
	}
	return s.failed("its process ended: %v", end)
}

// printed says what else came where a result was awaited.
func (s *side) printed(packet []byte) error {
	if s.kind(packet) == failure {
		return s.failed("%s", failureText(packet))
	}
	return s.refuse("it printed %s to standard output while it was measured: let it print to standard error, or with b.Log", quoted(packet))
}

func (s *side) refuse(format string, args ...any) error {
	return &SliceError{Side: s.index, Why: fmt.Sprintf(format, args...)}
}

func (s *side) failed(format string, args ...any) error {
	return &SliceError{Side: s.index, Why: fmt.Sprintf(format, args...), Failed: true}
}
