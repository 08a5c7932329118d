package queue

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/perftrack/perftrack/fleet/database"
	"github.com/perftrack/perftrack/fleet/jobs"
	"github.com/perftrack/perftrack/fleet/lease"
)

// A session serves one trial.
type session struct {
	db     *database.DB
	client *jobs.Client
	out    *json.Encoder
	outErr error

	trial      Trial
	priority   int
	opened     bool // the opened event and the stored parts were reported
	cancelled  bool
	superseded bool
	live       int
	seen       map[int64]bool // parts
	newest     int64          // largest id of a part that was seen
	failed     map[int64]bool // jobs
	watch      lease.Watch
}

// Serve answers the requests of one trial until in ends.
func Serve(ctx context.Context, d *database.DB, in io.Reader, out io.Writer) error {
	client, err := jobs.Inserter(d)
	if err != nil {
		return Refuse(out, err)
	}
	s := &session{db: d, client: client, out: newEncoder(out), seen: map[int64]bool{}, failed: map[int64]bool{}}
	err = s.run(ctx, in)
	if err != nil {
		s.emit(Event{Error: &Problem{Message: err.Error()}})
	}
	return errors.Join(err, s.outErr)
}

// Refuse reports an error as the only event, and returns it.
func Refuse(out io.Writer, err error) error {
	return errors.Join(err, newEncoder(out).Encode(Event{Error: &Problem{Message: err.Error()}}))
}

func newEncoder(out io.Writer) *json.Encoder {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e
}

func (s *session) emit(e Event) {
	if err := s.out.Encode(e); err != nil && s.outErr == nil {
		s.outErr = fmt.Errorf("write an event: %w", err)
	}
}

func (s *session) run(ctx context.Context, in io.Reader) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	requests := readRequests(ctx, in)
	news := s.listen(ctx)
	// SQLite announces nothing, so its parts are polled.
	poll := 50 * time.Millisecond
	if s.db.Postgres {
		poll = time.Second
	}
	parts, rest := time.NewTicker(poll), time.NewTicker(max(poll, 250*time.Millisecond))
	workers := time.NewTicker(min(time.Second, lease.Renewal))
	for {
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case r, ok := <-requests:
			if !ok {
				return nil
			}
			err = r.err
			if err == nil {
				err = s.answer(ctx, r.Request)
			}
		case trial := <-news:
			if s.opened && trial == s.trial.ID {
				err = errors.Join(s.parts(ctx), s.failures(ctx), s.state(ctx))
			}
		case <-parts.C:
			if s.opened {
				err = s.parts(ctx)
			}
		case <-rest.C:
			if s.opened {
				err = errors.Join(s.failures(ctx), s.state(ctx))
			}
		case <-workers.C:
			if s.opened {
				err = s.workers(ctx)
			}
		}
		if err == nil {
			err = s.outErr
		}
		if err != nil {
			return err
		}
	}
}

func (s *session) answer(ctx context.Context, r Request) error {
	if r.Open != nil {
		return s.begin(ctx, *r.Open)
	}
	if !s.opened {
		return errors.New("the first request must open a trial")
	}
	switch {
	case r.Add != nil:
		s.cancelled = false
		return s.add(ctx, r.Add)
	case r.Cancel:
		s.cancelled = true
		return s.db.Do(ctx, s.cancel)
	case r.Close != nil:
		s.cancelled = true
		return s.close(ctx, r.Close.State)
	}
	return errors.New("unknown request: use open, add, cancel or close")
}

// begin opens the trial and reports what is already stored.
func (s *session) begin(ctx context.Context, t Trial) error {
	if s.opened {
		return fmt.Errorf("open trial %s: trial %s is already open", t.ID, s.trial.ID)
	}
	superseded, err := s.open(ctx, t)
	if err != nil {
		return fmt.Errorf("open trial %s: %w", t.ID, err)
	}
	if s.live, err = lease.Live(ctx, s.db, s.trial.Class, s.trial.Procedure); err != nil {
		return err
	}
	s.emit(Event{Opened: &Opened{Trial: s.trial.ID, Procedure: s.trial.Procedure, Superseded: append([]string{}, superseded...), Workers: s.live}})
	if err := errors.Join(s.parts(ctx), s.failures(ctx), s.state(ctx)); err != nil {
		return err
	}
	s.opened = true
	return nil
}

type read struct {
	Request
	err error
}

// readRequests reads lines until in ends.
func readRequests(ctx context.Context, in io.Reader) <-chan read {
	requests := make(chan read)
	go func() {
		defer close(requests)
		r := bufio.NewReader(in)
		for {
			line, err := r.ReadBytes('\n')
			if line = bytes.TrimSpace(line); len(line) > 0 {
				var q read
				if jsonErr := json.Unmarshal(line, &q.Request); jsonErr != nil {
					q.err = fmt.Errorf("read a request: %w", jsonErr)
				}
				select {
				case requests <- q:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return requests
}

// listen returns the trials that PostgreSQL announces.
func (s *session) listen(ctx context.Context) <-chan string {
	news := make(chan string)
	if !s.db.Postgres {
		return news
	}
	go func() {
		for ctx.Err() == nil {
			_ = s.receive(ctx, news) // the polls go on
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}()
	return news
}

func (s *session) receive(ctx context.Context, news chan<- string) error {
	conn, err := s.db.Listener(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "LISTEN "+database.Channel); err != nil {
		return err
	}
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		select {
		case news <- n.Payload:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
