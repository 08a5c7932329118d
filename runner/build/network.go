package build

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync/atomic"
	"time"
)

// pauses stand before each further try of a step that failed for the network.
var pauses = []time.Duration{2 * time.Second, 8 * time.Second}

// pause waits, unless ctx ends before. Tests replace it.
var pause = func(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// offline says that the last step which needed the network did not get it, however often it was
// tried: of many packages not each waits for it anew.
var offline atomic.Bool

// networkError matches what the go command, git and others say of a network, a proxy or a name
// server that does not answer. A compiler says none of it.
var networkError = regexp.MustCompile(`(?i)dial (tcp|udp)|connection (refused|reset by peer|timed out)|i/o timeout|no such host|` +
	`TLS handshake timeout|(network|host) is (down|unreachable)|no route to host|temporary failure in name resolution|could not resolve host|` +
	`server misbehaving|Client\.Timeout exceeded|http2: server sent GOAWAY|: (429 Too Many Requests|50[0-4] [A-Z][a-z]+)`)

// ForNetwork reports whether a step failed because something on the network did not answer.
func ForNetwork(err error) bool {
	var failed *Error
	return errors.As(err, &failed) && (networkError.MatchString(failed.Output) || failed.Err != nil && networkError.MatchString(failed.Err.Error()))
}

// again does a step, and does it once more after each pause while it fails for the network.
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
		failed.Err = fmt.Errorf("%w, %d times: the network", failed.Err, len(pauses)+1)
	}
	return out, err
}
