package tools

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progress returns what tells the client each line that perftrack says, if it asked for that,
// and now and then that the last one still holds: clients give up on what is silent. The
// progress is the seconds that have passed, of those of the budget. quiet ends it.
func (s *Server) progress(ctx context.Context, req *mcp.CallToolRequest, budget time.Duration) (told func(string), quiet func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil, func() {}
	}
	var mu sync.Mutex
	began, last, line := time.Now(), 0.0, "perftrack "+req.Params.Name
	tell := func() { // holds mu
		passed := time.Since(began)
		at := max(passed.Seconds(), last+0.001) // the protocol asks that it grows
		last = at
		p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: at, Message: fmt.Sprintf("%v: %s", passed.Round(time.Second), line)}
		if total := budget.Seconds(); at < total {
			p.Total = total
		}
		_ = req.Session.NotifyProgress(ctx, p) // a client that is gone ends the call by itself
	}
	beat, ended := time.NewTicker(s.beat), make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ended:
				return
			case <-beat.C:
				mu.Lock()
				tell()
				mu.Unlock()
			}
		}
	}()
	told = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		line = text
		tell()
	}
	return told, func() { beat.Stop(); close(ended); <-done }
}
