package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/serving"
)

// A servingPage is a perftrack serve that runs until the test ends or stop is called.
type servingPage struct {
	address string
	stderr  *lockedBuffer
	stop    func() int // returns the exit code
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// startServing runs perftrack serve in the current directory, on a free port.
func startServing(t *testing.T, args ...string) *servingPage {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	s := &servingPage{stderr: &lockedBuffer{}}
	code := make(chan int, 1)
	go func() {
		term := &console.Console{Stdin: strings.NewReader(""), Stdout: in, Stderr: s.stderr}
		root := newRootCommand(term)
		root.SetArgs(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...))
		code <- term.Exit(ctx, root.ExecuteContext(ctx))
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, s.stderr)
	}
	s.address = strings.TrimSpace(line)
	s.stop = sync.OnceValue(func() int { cancel(); return <-code })
	t.Cleanup(func() { s.stop() })
	return s
}

// get requests a file of the page.
func (s *servingPage) get(t *testing.T, path string, headers ...string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// until repeats a request until the answer has the given status and contains want.
func (s *servingPage) until(t *testing.T, path string, status int, want string) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		got, body := s.get(t, path)
		if got == status && strings.Contains(body, want) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: %d %s, want %d with %q", path, got, body, status, want)
		}
	}
}

// emptyRepository creates a repository and changes to its directory. It returns the path of the
// repository's database.
func emptyRepository(t *testing.T) (database string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	gitIn(t, dir, nil, "init", "-q", "-b", "main")
	gitIn(t, dir, nil, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "one")
	database = filepath.Join(dir, "runs.db")
	t.Setenv("PERFTRACK_DB", database)
	t.Setenv("XDG_CACHE_HOME", "nowhere") // a relative path disables the cache: a stopped server writes nothing
	return database
}

// storeRun imports a run of one benchmark at HEAD.
func storeRun(t *testing.T, benchmark string, value int) {
	t.Helper()
	importText(t, fmt.Sprintf("Benchmark%s-4 100 %d ns/op\nBenchmark%s-4 100 %d ns/op\n", benchmark, value, benchmark, value+1))
}

// importText imports the results of target t at HEAD.
func importText(t *testing.T, text string) {
	t.Helper()
	var out bytes.Buffer
	if code := run([]string{"import", "--target", "t", "--commit", "HEAD", "--branch", "main", "-"}, strings.NewReader(text), &out, &out); code != console.ExitOK {
		t.Fatalf("import: %d %s", code, out.String())
	}
}

// The page shows faults of the database and, once they are repaired, the results stored since.
func TestServeGrowing(t *testing.T) {
	database := emptyRepository(t)
	s := startServing(t)
	s.until(t, "", http.StatusServiceUnavailable, "no database")
	storeRun(t, "Sort", 100)
	s.until(t, "", http.StatusOK, "static/js/")
	s.until(t, "data/index.js", http.StatusOK, `perftrack.data("index",`)
	_, before := s.get(t, "data/commits.js")
	gitIn(t, ".", nil, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "two of them")
	storeRun(t, "Merge", 100)
	s.until(t, "data/commits.js", http.StatusOK, "two of them")
	if strings.Contains(before, "two of them") {
		t.Errorf("before it was made: %s", before)
	}

	for _, name := range []string{database, database + "-wal", database + "-shm"} {
		_ = os.Remove(name)
	}
	s.until(t, "", http.StatusServiceUnavailable, "no database")
	if err := os.WriteFile(database, bytes.Repeat([]byte("not a database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	s.until(t, "", http.StatusServiceUnavailable, "not a")
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	storeRun(t, "Sort", 100)
	s.until(t, "", http.StatusOK, "static/js/")
	if code := s.stop(); code != console.ExitOK {
		t.Errorf("ended with %d: %s", code, s.stderr)
	}
}

// With many readers and a writer, no reader gets an error about a busy database.
func TestServeMany(t *testing.T) {
	emptyRepository(t)
	storeRun(t, "Sort", 100)
	s := startServing(t)
	s.until(t, "data/index.js", http.StatusOK, `perftrack.data("index",`) // from now on there is an overview, perhaps an older one
	paths := []string{"", "data/index.js", "data/commits.js", "data/runs.js", "data/regressions.js", "badge.svg"}
	writing, cancel := context.WithCancel(t.Context())
	var writer, readers sync.WaitGroup
	writer.Go(func() {
		for n := 0; writing.Err() == nil && n < 100; n++ {
			storeRun(t, fmt.Sprintf("Sort%d", n%7), 100+n)
		}
	})
	for n := range 200 {
		readers.Go(func() {
			for i := range 5 {
				path := paths[(n+i)%len(paths)]
				if status, body := s.get(t, path); status != http.StatusOK || strings.HasPrefix(body, "perftrack.fail(") {
					t.Errorf("%s: %d %s", path, status, body)
				}
			}
		})
	}
	readers.Wait()
	cancel()
	writer.Wait()
}

// A badge shows the stored results, and unknown if there are none.
func TestReportBadge(t *testing.T) {
	emptyRepository(t)
	storeRun(t, "Sort", 100)
	for _, file := range []string{"", "badge.svg"} {
		args := []string{"report", "badge"}
		if file != "" {
			args = append(args, "-o", file)
		}
		var out, words bytes.Buffer
		if code := run(args, strings.NewReader(""), &out, &words); code != console.ExitOK {
			t.Fatalf("%q: %d %s", args, code, words.String())
		}
		image := out.String()
		if file != "" {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			image = string(text)
		}
		if !strings.HasPrefix(image, "<svg ") || !strings.Contains(image, "<title>performance: unknown</title>") {
			t.Errorf("%q: %s", args, image)
		}
	}
}

// A server reachable from other machines needs a token, and no output contains it.
func TestServeToken(t *testing.T) {
	emptyRepository(t)
	storeRun(t, "Sort", 100)
	const token = "0123456789abcdef0123"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"file", "environment"} {
		var args []string
		if how == "file" {
			args = []string{"--token-file", file}
		} else {
			t.Setenv(serving.TokenVariable, token)
		}
		s := startServing(t, args...)
		if status, body := s.get(t, ""); status != http.StatusUnauthorized || strings.Contains(body, token) {
			t.Errorf("without the token: %d %s", status, body)
		}
		if status, _ := s.get(t, "data/index.js", "Authorization", "Bearer "+token); status != http.StatusOK {
			t.Errorf("with the token: %d", status)
		}
		if os.Getenv(serving.TokenVariable) != "" {
			t.Error("the token is left to the programs that perftrack runs")
		}
		if code := s.stop(); code != console.ExitOK || strings.Contains(s.stderr.String(), token) || !strings.Contains(s.stderr.String(), "/login?token=TOKEN") {
			t.Errorf("%d %s", code, s.stderr)
		}
	}
}

// The page has the reports for people, with the results stored since it was opened.
func TestServeReports(t *testing.T) {
	emptyRepository(t)
	storeRun(t, "Sort", 100)
	s := startServing(t)
	s.until(t, "data/index.js", http.StatusOK, `"reports":true`)
	for _, name := range []string{"index", "summary", "trends"} {
		if status, body := s.get(t, "reports/"+name+".html"); status != http.StatusOK || !strings.Contains(body, "<h1>") {
			t.Errorf("%s: %d %.200s", name, status, body)
		}
	}
	if status, _ := s.get(t, "reports/other.html"); status != http.StatusNotFound {
		t.Errorf("a report that there is none of: %d", status)
	}
	storeRun(t, "Parse", 100)
	s.until(t, "reports/metrics.html", http.StatusOK, "Parse")
}

func TestServeRefuses(t *testing.T) {
	emptyRepository(t)
	empty := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(empty, []byte(" \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := startServing(t)
	taken := strings.TrimSuffix(strings.TrimPrefix(other.address, "http://"), "/")
	for _, tt := range []struct {
		token string
		args  []string
		want  string
	}{
		{"", []string{"--listen", "0.0.0.0:0"}, "is reachable from other machines: put a token of at least 16 characters into PERFTRACK_TOKEN or --token-file"},
		{"", []string{"--listen", ":0"}, "is reachable from other machines"},
		{"", []string{"--listen", "[::]:0"}, "is reachable from other machines"},
		{"", []string{"--listen", "example.com:0"}, "is reachable from other machines"},
		{"", []string{"--listen", "127.0.0.1"}, "is reachable from other machines"},
		{"short", nil, "the token in PERFTRACK_TOKEN has fewer than 16 characters"},
		{"0123456789abcdef 0123", nil, "may contain only letters, digits and punctuation"},
		{"", []string{"--token-file", empty}, "is empty: a token needs at least 16 characters"},
		{"", []string{"--token-file", empty + "x"}, "read the token: "},
		{"", []string{"--token-file", ""}, "--token-file is empty"},
		{"", []string{"--listen", taken}, "another program, perhaps perftrack serve, uses this port; choose a free one with --listen 127.0.0.1:0"},
		{"", []string{"x"}, "unknown command"},
	} {
		t.Setenv(serving.TokenVariable, tt.token)
		var out, words bytes.Buffer
		code := run(append([]string{"serve"}, tt.args...), strings.NewReader(""), &out, &words)
		if code != console.ExitError || !strings.Contains(words.String(), tt.want) || out.Len() > 0 {
			t.Errorf("%q %q: %d %s%s", tt.token, tt.args, code, out.String(), words.String())
		}
	}
}
