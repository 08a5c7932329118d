package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A serving is a perftrack serve that goes on until the test ends or stop is called.
type serving struct {
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
func startServing(t *testing.T, args ...string) *serving {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	s := &serving{stderr: &lockedBuffer{}}
	code := make(chan int, 1)
	go func() {
		term := &terminal{stdin: strings.NewReader(""), stdout: in, stderr: s.stderr}
		root := newRootCommand(term)
		root.SetArgs(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...))
		code <- term.exit(ctx, root.ExecuteContext(ctx))
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

// get asks for a file of the page.
func (s *serving) get(t *testing.T, path string, headers ...string) (status int, body string) {
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

// until asks until the answer has a text.
func (s *serving) until(t *testing.T, path string, status int, want string) {
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

// emptyRepository makes a repository and goes there; the database is in it.
func emptyRepository(t *testing.T) (database string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	gitIn(t, dir, nil, "init", "-q", "-b", "main")
	gitIn(t, dir, nil, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "one")
	database = filepath.Join(dir, "runs.db")
	t.Setenv("PERFTRACK_DB", database)
	t.Setenv("XDG_CACHE_HOME", "nowhere") // a relative path is none: a server that ends writes nothing any more
	return database
}

// storeRun imports a run of one benchmark at HEAD.
func storeRun(t *testing.T, benchmark string, value int) {
	t.Helper()
	text := fmt.Sprintf("Benchmark%s-4 100 %d ns/op\nBenchmark%s-4 100 %d ns/op\n", benchmark, value, benchmark, value+1)
	var out bytes.Buffer
	if code := run([]string{"import", "--target", "t", "--commit", "HEAD", "--branch", "main", "-"}, strings.NewReader(text), &out, &out); code != exitOK {
		t.Fatalf("import: %d %s", code, out.String())
	}
}

// What is wrong with the database is said on the page, and it is shown as soon as it is right, with
// what was stored since.
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
	if code := s.stop(); code != exitOK {
		t.Errorf("ended with %d: %s", code, s.stderr)
	}
}

// Many readers and a writer: nobody is told that the database is busy.
func TestServeMany(t *testing.T) {
	emptyRepository(t)
	storeRun(t, "Sort", 100)
	s := startServing(t)
	s.until(t, "data/index.js", http.StatusOK, `perftrack.data("index",`) // an overview is there, if an older one, from now on
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

// A badge is drawn of what is stored, and says that it does not know.
func TestReportBadge(t *testing.T) {
	emptyRepository(t)
	storeRun(t, "Sort", 100)
	for _, file := range []string{"", "badge.svg"} {
		args := []string{"report", "badge"}
		if file != "" {
			args = append(args, "-o", file)
		}
		var out, words bytes.Buffer
		if code := run(args, strings.NewReader(""), &out, &words); code != exitOK {
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

// Who reaches more than this machine needs a token, which no output has.
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
			t.Setenv(tokenVariable, token)
		}
		s := startServing(t, args...)
		if status, body := s.get(t, ""); status != http.StatusUnauthorized || strings.Contains(body, token) {
			t.Errorf("without the token: %d %s", status, body)
		}
		if status, _ := s.get(t, "data/index.js", "Authorization", "Bearer "+token); status != http.StatusOK {
			t.Errorf("with the token: %d", status)
		}
		if os.Getenv(tokenVariable) != "" {
			t.Error("the token is left to the programs that perftrack runs")
		}
		if code := s.stop(); code != exitOK || strings.Contains(s.stderr.String(), token) || !strings.Contains(s.stderr.String(), "/login?token=TOKEN") {
			t.Errorf("%d %s", code, s.stderr)
		}
	}
}

// The page has the reports for people beside it, under a policy that lets in nothing but their own style.
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

// Who listens on all addresses is told one that a browser opens.
func TestServeOpened(t *testing.T) {
	others := func() []net.IP {
		return []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(192, 0, 2, 7), net.ParseIP("fe80::1"), net.ParseIP("2001:db8::1")}
	}
	for _, tt := range []struct {
		ip   net.IP
		want string
	}{
		{net.IPv4zero, "127.0.0.1:8137 192.0.2.7:8137"},
		{net.IPv6unspecified, "127.0.0.1:8137 192.0.2.7:8137 [2001:db8::1]:8137"},
		{net.IPv4(192, 0, 2, 7), "192.0.2.7:8137"},
	} {
		if got := strings.Join(opened(&net.TCPAddr{IP: tt.ip, Port: 8137}, others), " "); got != tt.want {
			t.Errorf("%s is opened as %s, want %s", tt.ip, got, tt.want)
		}
	}
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
		{"", []string{"--listen", "0.0.0.0:0"}, "is reached from other machines: put a token of at least 16 characters into PERFTRACK_TOKEN or --token-file"},
		{"", []string{"--listen", ":0"}, "is reached from other machines"},
		{"", []string{"--listen", "[::]:0"}, "is reached from other machines"},
		{"", []string{"--listen", "example.com:0"}, "is reached from other machines"},
		{"", []string{"--listen", "127.0.0.1"}, "is reached from other machines"},
		{"short", nil, "the token in PERFTRACK_TOKEN has less than 16 characters"},
		{"0123456789abcdef 0123", nil, "has other characters"},
		{"", []string{"--token-file", empty}, "is empty: a token has at least 16 characters"},
		{"", []string{"--token-file", empty + "x"}, "read the token: "},
		{"", []string{"--token-file", ""}, "--token-file is empty"},
		{"", []string{"--listen", taken}, "another program has that port, perhaps another perftrack serve; --listen 127.0.0.1:0 takes a free one"},
		{"", []string{"x"}, "unknown command"},
	} {
		t.Setenv(tokenVariable, tt.token)
		var out, words bytes.Buffer
		code := run(append([]string{"serve"}, tt.args...), strings.NewReader(""), &out, &words)
		if code != exitError || !strings.Contains(words.String(), tt.want) || out.Len() > 0 {
			t.Errorf("%q %q: %d %s%s", tt.token, tt.args, code, out.String(), words.String())
		}
	}
}
