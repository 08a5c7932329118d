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

	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/proc"
)

// endLimit is how long a process may take to exit after it has closed its standard output. It is a
// variable so that a test can change it.
var endLimit = 5 * time.Second

// A side is the process that runs one side of the benchmark.
type side struct {
	Spec
	classifier
	index int

	owner   context.Context // context of the pair
	ctx     context.Context
	cancel  func() // kills the process and all its descendants
	done    chan struct{}
	end     proc.Result // valid once done is closed
	endErr  error       // the supervisor's error
	process *process    // nil if it ended immediately
	pipe    *pipe

	labels []byte        // the header printed by package testing
	name   []byte        // the packet before a count, the same each time
	last   []byte        // the packet that stays in the pipe while the process is parked
	clock  time.Duration // CPU time at the moment it was parked
	taken  int           // number of slices so far
	placement
}

// startSide starts the process for one side.
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

// begin sets the time limit for the next step.
func (s *side) begin() error {
	var limit time.Time
	if s.Timeout > 0 {
		limit = time.Now().Add(s.Timeout)
	}
	s.pipe.deadline(limit)
	return s.ctx.Err() // checked after setting the deadline, because from here on the end of ctx also ends a wait
}

// open lets the process run its first count, which is not measured.
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

// enter reads everything up to the first name, after which the first count begins.
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
			return s.refuse("it has sub-benchmarks, such as %s, which must be sliced one by one", bytes.TrimSpace(packet))
		case verbose, result:
			return s.refuse("its program prints benchmark names in unexpected places, as with -test.v")
		case failure:
			return s.failed("%s", failureText(packet))
		}
		if gobench.IsHeader(packet) {
			s.labels = append(s.labels, packet...)
		}
		// Otherwise a TestMain printed something, or the benchmark did during its first call.
	}
}

// next removes the result, the log and the next name from the pipe, so the next count begins.
func (s *side) next() error {
	rest := false // whether the log may continue
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
	if !bytes.HasSuffix(line, []byte("\n")) || !gobench.IsResult(line) {
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

// park stops the process, which is blocked in its next write, and returns once all its threads have
// stopped.
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
	// A process that counts as stopped may still be running for a moment.
	for s.clock, err = s.process.time(); err == nil; {
		runtime.Gosched()
		before := s.clock
		if s.clock, err = s.process.time(); s.clock == before {
			break
		}
	}
	return waited, err
}

// letGo continues a stopped process.
func (s *side) letGo() error {
	if s.Unstopped {
		return nil
	}
	return s.process.signal(unix.SIGCONT)
}

// parse parses a result line.
func (s *side) parse(line []byte) (out Slice, err error) {
	r := benchfmt.NewReader(bytes.NewReader(slices.Concat(s.labels, s.name, line)), "")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			out.Result = rec.Clone()
		case *benchfmt.SyntaxError:
			return out, s.refuse("its result %s is unreadable: %s", gobench.Quote(line), rec.Msg)
		}
	}
	if out.Result == nil {
		return out, s.refuse("its result %s is unreadable", gobench.Quote(line))
	}
	switch n := out.Result.Iters; {
	case n == 0:
		return out, s.refuse("it ran none of its %d iterations: was it skipped?", s.N)
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

// finish lets a process exit after its last count and returns an error if it fails.
func (s *side) finish() error {
	err := s.begin()
	if err == nil {
		err = s.letGo()
	}
	for err == nil {
		var packet []byte
		packet, err = s.pipe.take()
		if err == nil && s.kind(packet) == name {
			err = s.refuse("it runs at several GOMAXPROCS values in one process, such as %s", bytes.TrimSpace(packet))
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

// wait waits for the end of a process that has closed its standard output. It kills the process
// after endLimit.
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

// close kills the process if it is still running, and releases its resources.
func (s *side) close() error {
	s.cancel()
	<-s.done
	s.pipe.close()
	if s.process != nil {
		s.process.close()
	}
	return s.endErr
}

// gone reports whether the error means "no such process".
func gone(err error) bool {
	return errors.Is(err, unix.ESRCH) || errors.Is(err, fs.ErrNotExist)
}

// fault turns err into a SliceError if the benchmark caused it, and otherwise adds the benchmark's
// name.
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

// ended returns an error with the reason why the process ended.
func (s *side) ended() error {
	s.wait()
	end, words := s.end.Err(), gobench.ReasonLine(string(s.end.Stderr))
	switch {
	case s.endErr != nil:
		return fmt.Errorf("slice benchmark %s: %w", s.Name, s.endErr)
	case s.owner.Err() != nil:
		return fmt.Errorf("slice benchmark %s: %w", s.Name, s.owner.Err())
	case s.end.Canceled, end == nil && len(s.name) > 0:
		return s.failed("its process ended or closed its standard output before it had all results")
	case end == nil:
		return s.refuse("its process printed no result: the benchmark does not exist or was skipped")
	case words != "":
		return s.failed("its process ended: %v: %s", end, words)
	}
	return s.failed("its process ended: %v", end)
}

// printed returns the error for output that was printed where a result should be.
func (s *side) printed(packet []byte) error {
	if s.kind(packet) == failure {
		return s.failed("%s", failureText(packet))
	}
	return s.refuse("it printed %s to standard output during the measurement: print to standard error, or use b.Log", gobench.Quote(packet))
}

func (s *side) refuse(format string, args ...any) error {
	return &SliceError{Side: s.index, Why: fmt.Sprintf(format, args...)}
}

func (s *side) failed(format string, args ...any) error {
	return &SliceError{Side: s.index, Why: fmt.Sprintf(format, args...), Failed: true}
}
