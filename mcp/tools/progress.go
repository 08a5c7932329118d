package tools

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progress returns a function told that sends each line from perftrack to the client if the client
// requested progress. It repeats the last line regularly, because clients cancel silent calls. The
// progress value is the number of elapsed seconds, and the total is the budget in seconds. quiet
// ends the reports.
func (s *Server) progress(ctx context.Context, req *mcp.CallToolRequest, budget time.Duration) (told func(string), quiet func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil, func() {}
	}
	var mu sync.Mutex
	began, last, line := time.Now(), 0.0, "perftrack "+req.Params.Name
	tell := func() { // must be called with mu held
		passed := time.Since(began)
		at := max(passed.Seconds(), last+0.001) // the protocol requires the progress to increase
		last = at
		p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: at, Message: fmt.Sprintf("%v: %s", passed.Round(time.Second), line)}
		if total := budget.Seconds(); at < total {
			p.Total = total
		}
		_ = req.Session.NotifyProgress(ctx, p) // if the client has gone, the call ends anyway
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
