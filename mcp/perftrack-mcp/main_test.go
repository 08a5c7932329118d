package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// play names the environment variable that makes the test binary behave as perftrack-mcp.
const play = "PERFTRACK_MCP_PLAY"

// perftrack is the path of the binary under test, in the same directory as perftrack-mcp.
var perftrack string

func TestMain(m *testing.M) {
	if os.Getenv(play) != "" {
		main()
		return
	}
	os.Exit(withBinaries(m))
}

// withBinaries builds perftrack from the repository around this module and runs the tests.
func withBinaries(m *testing.M) int {
	const source = "../../cmd/perftrack"
	if _, err := os.Stat(source); err != nil {
		fmt.Println("nothing was tested: perftrack's own source is not around this module:", err)
		return 0
	}
	dir, err := os.MkdirTemp("", "perftrack-mcp-test-")
	if err == nil {
		defer os.RemoveAll(dir)
		perftrack = filepath.Join(dir, "perftrack")
		build := exec.Command("go", "build", "-o", perftrack, ".")
		build.Dir, build.Stderr = source, os.Stderr
		err = build.Run()
	}
	var self string
	if err == nil {
		self, err = os.Executable()
	}
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "perftrack-mcp"))
	}
	if err != nil {
		fmt.Println("build perftrack:", err)
		return 1
	}
	return m.Run()
}

// A scratch is a small repository with an isolated environment.
type scratch struct {
	t         *testing.T
	dir, home string
	env       []string
}

// newScratch returns a module without commits. The module has one benchmark with the given body.
func newScratch(t *testing.T, body string) *scratch {
	t.Helper()
	home := t.TempDir()
	s := &scratch{t: t, home: home, dir: filepath.Join(t.TempDir(), "repo"), env: append(os.Environ(),
		play+"=1", "HOME="+home, "XDG_DATA_HOME="+filepath.Join(home, "data"), "XDG_CACHE_HOME="+filepath.Join(home, "cache"),
		"PERFTRACK_DB=", "PERFTRACK_MACHINE=", "GOFLAGS=-buildvcs=false", "GITHUB_ACTIONS=true",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.com",
	)}
	for _, key := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOTOOLCHAIN"} {
		out, err := exec.Command("go", "env", key).Output()
		if err != nil {
			t.Fatal(err)
		}
		s.env = append(s.env, key+"="+strings.TrimSpace(string(out)))
	}
	s.write("go.mod", "module example.com/scratch\n\ngo 1.25\n")
	s.write("scratch_test.go", "package scratch\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _, _ = os.Args, time.Now\n\nfunc BenchmarkSum(b *testing.B) {\n"+body+"}\n")
	return s
}

func (s *scratch) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// run runs a program in the repository and returns its output.
func (s *scratch) run(name string, args ...string) string {
	s.t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = s.dir, s.env
	out, err := c.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s *scratch) commit(subject string) string {
	s.t.Helper()
	if _, err := os.Stat(filepath.Join(s.dir, ".git")); err != nil {
		s.run("git", "init", "-q", "-b", "main")
	}
	s.run("git", "add", ".")
	s.run("git", "commit", "-q", "--allow-empty", "-m", subject)
	return s.run("git", "rev-parse", "HEAD")
}

// A client is connected to `perftrack mcp` in a scratch repository.
type client struct {
	t       *testing.T
	session *mcp.ClientSession
	server  *exec.Cmd
	stdin   io.WriteCloser
	ended   func() error // waits for the server to end
	mu      sync.Mutex
	told    []mcp.ProgressNotificationParams
}

func (s *scratch) connect() *client {
	s.t.Helper()
	c := &client{t: s.t, server: exec.Command(perftrack, "mcp")}
	c.server.Dir, c.server.Env, c.server.Stderr = s.dir, s.env, os.Stderr
	stdin, err := c.server.StdinPipe()
	var stdout io.ReadCloser
	if err == nil {
		stdout, err = c.server.StdoutPipe()
	}
	if err == nil {
		err = c.server.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	c.stdin, c.ended = stdin, sync.OnceValue(c.server.Wait)
	s.t.Cleanup(func() { _ = stdin.Close(); _ = c.ended() })
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.told = append(c.told, *r.Params)
		},
	}).Connect(s.t.Context(), &mcp.IOTransport{Reader: stdout, Writer: stdin}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	c.session = session
	return c
}

// An answer is the result of a tool call.
type answer struct {
	failed bool
	text   string
	status int
	means  string
	left   map[string]int
	kind   string
	bytes  []byte // the document
}

// call calls a tool and requests progress notifications.
func (c *client) call(ctx context.Context, tool string, arguments map[string]any) (a answer, err error) {
	c.t.Helper()
	p := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	p.SetProgressToken(tool)
	res, err := c.session.CallTool(ctx, p)
	if err != nil {
		return a, err
	}
	a.failed = res.IsError
	for _, content := range res.Content {
		a.text += content.(*mcp.TextContent).Text
	}
	text, err := json.Marshal(res.StructuredContent)
	var structured struct {
		Status   int             `json:"exit_status"`
		Meaning  string          `json:"meaning"`
		Left     map[string]int  `json:"left_out"`
		Document json.RawMessage `json:"document"`
	}
	var head struct {
		Kind string `json:"kind"`
	}
	if err = errors.Join(err, json.Unmarshal(text, &structured)); err == nil && structured.Document != nil {
		err = json.Unmarshal(structured.Document, &head)
	}
	a.status, a.means, a.left, a.bytes, a.kind = structured.Status, structured.Meaning, structured.Left, structured.Document, head.Kind
	return a, err
}

// says calls a tool and checks its exit status and its text.
func (c *client) says(tool string, arguments map[string]any, status int, kind string, texts ...string) answer {
	c.t.Helper()
	a, err := c.call(c.t.Context(), tool, arguments)
	if err != nil {
		c.t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	if a.failed != (status == 2) || a.status != status || a.kind != kind {
		c.t.Errorf("%s %v: exit status %d, failed %v, document %q; want %d and %q\n%s", tool, arguments, a.status, a.failed, a.kind, status, kind, a.text)
	}
	for _, want := range texts {
		if !strings.Contains(a.text, want) {
			c.t.Errorf("%s %v does not say %q:\n%s", tool, arguments, want, a.text)
		}
	}
	return a
}

// hears waits for a progress notification with a text and returns it. The notification may arrive
// after the call's answer.
func (c *client) hears(text string) mcp.ProgressNotificationParams {
	c.t.Helper()
	for c.t.Context().Err() == nil {
		c.mu.Lock()
		told := slices.Clone(c.told)
		c.mu.Unlock()
		for _, p := range told {
			if strings.Contains(p.Message, text) {
				return p
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.t.Fatal("no progress says ", text)
	return mcp.ProgressNotificationParams{}
}

type args = map[string]any
