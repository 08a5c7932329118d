package build

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync/atomic"
	"time"
)

// pauses are the times to wait before each retry after a network failure.
var pauses = []time.Duration{2 * time.Second, 8 * time.Second}

// pause waits for d or until ctx is done. Tests replace it.
var pause = func(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// offline is set once all retries of a step have failed because of the network. Later steps then do
// not retry.
var offline atomic.Bool

// networkError matches the messages of the go command, git and other tools about an unreachable
// network, proxy or name server. No compiler prints them.
var networkError = regexp.MustCompile(`(?i)dial (tcp|udp)|connection (refused|reset by peer|timed out)|i/o timeout|no such host|` +
	`TLS handshake timeout|(network|host) is (down|unreachable)|no route to host|temporary failure in name resolution|could not resolve host|` +
	`server misbehaving|Client\.Timeout exceeded|http2: server sent GOAWAY|: (429 Too Many Requests|50[0-4] [A-Z][a-z]+)`)

// ForNetwork reports whether a step failed because a server did not answer.
func ForNetwork(err error) bool {
	var failed *Error
	return errors.As(err, &failed) && (networkError.MatchString(failed.Output) || failed.Err != nil && networkError.MatchString(failed.Err.Error()))
}

// again runs a step, and repeats it after each pause as long as it fails because of the network.
func again(ctx context.Context, step func() ([]byte, error)) ([]byte, error) {
	out, err := step()
	if err == nil {
		offline.Store(false)
		return out, nil
	}
	if !ForNetwork(err) || offline.Load() {
		return out, err
	}
	for _, d := range pauses {
		if err := pause(ctx, d); err != nil {
			return nil, err
		}
		if out, err = step(); err == nil || !ForNetwork(err) {
			return out, err
		}
	}
	offline.Store(true)
	var failed *Error
	if errors.As(err, &failed) {
		failed.Err = fmt.Errorf("%w (network error in all %d attempts)", failed.Err, len(pauses)+1)
	}
	return out, err
}
