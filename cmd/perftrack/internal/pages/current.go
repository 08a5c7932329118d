package pages

import (
	"context"
	"sync"

	"github.com/perftrack/perftrack/reports/current"
	"github.com/perftrack/perftrack/reports/openmetrics"
)

// keptMetrics has the metrics of the benchmarks, which stay the same as long as their site.
type keptMetrics struct {
	mu   sync.Mutex
	text string // "" until they are made
}

// metrics returns the families of the benchmarks. They are made at the first request.
func (s *Site) metrics(ctx context.Context) (string, error) {
	k := &s.gauges
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.text != "" {
		return k.text, nil
	}
	values, err := s.lines.Current(context.WithoutCancel(ctx)) // not cancelled with ctx, because other requests also wait for it
	if err != nil {
		return "", err
	}
	var w openmetrics.Writer
	current.WriteMetrics(&w, values, current.MaxSeries)
	k.text = w.Families()
	return k.text, nil
}
