package pages

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/reports/current"
	"github.com/perftrack/perftrack/reports/openmetrics/openmetricstest"
)

// Whatever is stored, committed or checked out, the metrics of a server have the same values as an
// export at that time.
func TestLiveMetrics(t *testing.T) {
	g := newGrowing(t, 3)
	g.measure()
	live := Watch(g.session, Options{})
	defer live.Close()
	for range 12 {
		what := g.step()
		text, err := live.Metrics(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := openmetricstest.Parse(string(text)); err != nil {
			t.Errorf("after %s: %v\n%s", what, err, text)
		}
		lines, err := history.Open(t.Context(), g.session, history.Options{})
		if err != nil {
			t.Fatal(err)
		}
		values, err := lines.Current(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := lines.Close(); err != nil {
			t.Fatal(err)
		}
		want, _ := current.Metrics(values)
		if !strings.HasSuffix(string(text), string(want)) || len(values) == 0 {
			t.Errorf("after %s: got\n%s\nwant the end\n%s", what, text, want)
		}
	}
}
