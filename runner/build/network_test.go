package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/proc"
)

func TestMain(m *testing.M) {
	proc.Supervise()
	os.Exit(m.Run())
}

// A step that fails because of the network is tried again after a pause, but other failing steps
// are not. After all retries of a step have failed, later steps do not retry while the network is
// down.
func TestStepIsTriedAgain(t *testing.T) {
	waited := 0
	was := pause
	pause = func(context.Context, time.Duration) error { waited++; return nil }
	t.Cleanup(func() { pause = was; offline.Store(false) })
	const proxy = `go: example.com/dep@v1.2.3: Get "https://proxy.example/example.com/dep/@v/v1.2.3.mod": `
	for _, tt := range []struct {
		says  string
		fails int // number of failed tries before one succeeds
		tries int
		ok    bool
	}{
		{"", 0, 1, true},
		{proxy + "dial tcp 127.0.0.1:1: connect: connection refused", 1, 2, true},
		{proxy + "dial tcp: lookup proxy.example: no such host", 2, 3, true},
		{proxy + "dial tcp: lookup proxy.example: no such host", 9, 3, false},
		{proxy + "net/http: TLS handshake timeout", 1, 1, false}, // the network is known to be down
		{"", 0, 1, true},
		{"go: example.com/dep@v1.2.3: reading https://proxy.example/example.com/dep/@v/v1.2.3.zip: 502 Bad Gateway", 1, 2, true},
		{proxy + "read tcp 10.0.0.1:1->10.0.0.2:443: i/o timeout", 1, 2, true},
		{"go: example.com/dep@v1.2.3: reading https://proxy.example/example.com/dep/@v/v1.2.3.mod: 404 Not Found", 9, 1, false},
		{"m.go:3:1: undefined: x", 9, 1, false},
		{"m.go:5:2: missing go.sum entry for module providing package example.com/dep", 9, 1, false},
	} {
		count := filepath.Join(t.TempDir(), "count")
		script := fmt.Sprintf(`n=$(cat %[1]s 2>/dev/null || echo 0); n=$((n+1)); echo $n >%[1]s; [ $n -gt %[2]d ] || { echo '%[3]s' >&2; exit 1; }`, count, tt.fails, tt.says)
		waited = 0
		_, err := Step(t.Context(), "x", proc.Command{Argv: []string{"sh", "-c", script}})
		text, readErr := os.ReadFile(count)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if got := strings.TrimSpace(string(text)); got != fmt.Sprint(tt.tries) || (err == nil) != tt.ok || waited != tt.tries-1 {
			t.Errorf("%q, %d times: tried %s times with %d pauses, error %v; want %d tries, success %v", tt.says, tt.fails, got, waited, err, tt.tries, tt.ok)
		}
		if err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("error %v", err)
		}
	}
}
