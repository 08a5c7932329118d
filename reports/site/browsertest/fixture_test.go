package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// canary is the variable that an injected script would set.
const canary = "perftrackCanary"

// hostile lists names that would run as code, end the element or string that contains them, or
// break the layout of the page.
var hostile = []string{
	"<img/src=x/onerror=" + canary + "=1>",
	"</script><script>" + canary + "=1</script>",
	"\"onmouseover=" + canary + "=1/x=\"",
	"'-" + canary + "=1-'",
	"${" + canary + "=1}",
	"javascript:" + canary + "=1",
	"__proto__",
	"constructor",
	"\u202egnp.exe",
	"a?b#c&d=e%2f..%2f",
	strings.Repeat("Verylongname", 25),
	"日本語/ベンチ",
}

const commits = 40

// A fixture holds the paths of perftrack itself, a repository, its database and the site made from
// it.
type fixture struct {
	perftrack, repository, database, site string
	head                                  string
	queue                                 bool // the database has the queue of a fleet
}

// newFixture makes a database and a site from it. The database has histories in two environments,
// with steps, with recoveries and with too few runs. It also has a trial, a calibration, a run of
// the engine with its scopes, and hostile names.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	dir := t.TempDir()
	f := &fixture{repository: filepath.Join(dir, "sorty"), database: filepath.Join(dir, "runs.db"), site: filepath.Join(dir, "site")}
	f.build(t, dir)
	hashes := f.commit(t)
	f.head = hashes[commits-1]
	f.do(t, histories(hashes), "import", "-")
	for _, name := range []string{"trial", "calibration", "engine", "scopes"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		f.do(t, strings.NewReplacer("commit: BASE\n", "commit: "+hashes[commits-2]+"\n", "commit: HEAD\n", "commit: "+f.head+"\n").Replace(string(text)), "import", "-")
	}
	f.do(t, "", "accept", "example.org/sorty.Parse", "--commit", hashes[24], "--reason", "checks more "+hostile[0])
	f.queue = f.fleet(t)
	f.do(t, "", "report", "--format", "html", "-o", f.site)
	return f
}

// fleet adds the queue of a fleet to the database, if the program sqlite3 is installed.
func (f *fixture) fleet(t *testing.T) bool {
	t.Helper()
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Logf("no sqlite3 here: nobody looked at the queue: %v", err)
		return false
	}
	f.sql(t, ".read "+filepath.Join("testdata", "fleet.sql"))
	return true
}

// sql executes statements in the database, as another program.
func (f *fixture) sql(t *testing.T, statements string) {
	t.Helper()
	run(t, ".", nil, "sqlite3", "-bail", "-cmd", ".timeout 10000", f.database, statements)
}

// build builds perftrack itself.
func (f *fixture) build(t *testing.T, dir string) {
	t.Helper()
	f.perftrack = filepath.Join(dir, "perftrack")
	run(t, filepath.Join("..", "..", ".."), nil, "go", "build", "-o", f.perftrack, "./cmd/perftrack")
}

// commit makes the commits, two of them releases, and returns their hashes.
func (f *fixture) commit(t *testing.T) (hashes []string) {
	t.Helper()
	if err := os.Mkdir(f.repository, 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, f.repository, nil, "git", "init", "-q", "-b", "main")
	run(t, f.repository, nil, "git", "remote", "add", "origin", "https://github.com/owner/sorty.git")
	for n := range commits {
		date := time.Date(2026, 9, 1+n, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
		subject := fmt.Sprintf("Change %d: %s", n, hostile[n%len(hostile)])
		env := []string{"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date, "GIT_AUTHOR_NAME=A \"quoted\" & 'odd' author", "GIT_COMMITTER_NAME=c", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_EMAIL=c@example.com"}
		run(t, f.repository, env, "git", "commit", "-q", "--allow-empty", "-m", subject)
		hashes = append(hashes, strings.TrimSpace(run(t, f.repository, nil, "git", "rev-parse", "HEAD")))
		if n == 10 || n == 30 {
			run(t, f.repository, nil, "git", "tag", fmt.Sprintf("v1.%d.0", n/10))
		}
	}
	return hashes
}

// histories returns runs of all commits in the format of perftrack export.
func histories(hashes []string) string {
	var b strings.Builder
	for n, hash := range hashes {
		date := time.Date(2026, 9, 1+n, 12, 0, 0, 0, time.UTC)
		for machine := range 2 {
			if machine == 1 && n%3 != 0 {
				continue
			}
			fmt.Fprintf(&b, "perftrack-run: 1\ntarget: sorty\ncommit: %s\nbranch: main\ncommit-time: %s\nstatus: complete\nstart: %s\nend: %s\ngoos: linux\ngoarch: amd64\ngomaxprocs: %d\ngoversion: go1.26.8\ncpu: CPU %d of %s\nhost: %s\n",
				hash, date.Format(time.RFC3339), date.Add(time.Hour).Format(time.RFC3339), date.Add(2*time.Hour).Format(time.RFC3339), 4*(machine+1), machine, hostile[0], hostile[2])
			measured(&b, n, machine+1)
		}
	}
	return b.String()
}

// measured writes the results for the n-th commit on a machine with 4*machine CPUs. The times are
// multiplied by machine.
func measured(b *strings.Builder, n, machine int) {
	line := func(pkg, name string, at, allocs float64) {
		fmt.Fprintf(b, "pkg: %s\n", pkg)
		for round := range 6 {
			noise := 1 + 0.01*float64((n*7+round*5+len(name))%9-4)/4
			fmt.Fprintf(b, "round: %d\norder: 0\nBenchmark%s-%d 100 %.6g ns/op %g B/op %g allocs/op\n", round+1, name, 4*machine, at*noise*float64(machine), 16*allocs, allocs)
		}
	}
	after := func(commit int, yes, no float64) float64 {
		if n >= commit {
			return yes
		}
		return no
	}
	const pkg = "example.org/sorty"
	line(pkg, "Sort/n=10", 120, 1)
	line(pkg, "Sort/n=1000", 14000*after(28, 1.2, 1), after(28, 3, 2))
	line(pkg, "Sort/n=100000", 2.1e6, 2)
	line(pkg, "Merge", 900*after(15, 0.7, 1), 0)
	line(pkg, "Parse", 3300*after(24, 1.15, 1), 5)
	line(pkg, "Scan", 700*after(12, 1.3, 1)*after(20, 1/1.3, 1), 5)
	if n > commits-4 {
		line(pkg, "New", 100, 0)
	}
	for i, name := range hostile {
		if i%2 == 0 {
			line(pkg+"/"+hostile[0], name, 1000*after(30, 1.5, 1), 1)
		} else if n > commits-12 {
			line(pkg, "X/"+name, 1000, 1)
		}
	}
}

// do runs perftrack in the repository.
func (f *fixture) do(t *testing.T, stdin string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), f.perftrack, append([]string{"--db", f.database}, args...)...)
	cmd.Dir, cmd.Stdin = f.repository, strings.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("perftrack %.200q: %v\n%s", args, err, out)
	}
}

// serve starts perftrack serve and returns its address. The server stops when the test ends.
func (f *fixture) serve(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, f.perftrack, "--db", f.database, "serve", "--listen", "127.0.0.1:0")
	cmd.Dir, cmd.Env = f.repository, append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(filepath.Dir(f.repository), "cache"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	var words bytes.Buffer
	cmd.Stderr = &words
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var rest sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		rest.Wait()
		if err := cmd.Wait(); err != nil && ctx.Err() == nil {
			t.Errorf("perftrack serve: %v\n%s", err, words.String())
		}
	})
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("perftrack serve: %v\n%s", err, words.String())
	}
	rest.Go(func() { _, _ = io.Copy(io.Discard, lines) })
	address := strings.TrimSpace(line)
	awaitPage(t, address)
	return address
}

// awaitPage waits until a server has made the page.
func awaitPage(t *testing.T, address string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		answer, err := http.Get(address)
		if err == nil {
			err = answer.Body.Close()
		}
		if err == nil && answer.StatusCode == http.StatusOK {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s is not there: %v", address, err)
		}
	}
}

// document reads the named document of the site into *to.
func (f *fixture) document(t *testing.T, name string, to any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.site, "data", filepath.FromSlash(name)+".js"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text[bytes.IndexByte(text, ',')+1:]))
	if err := d.Decode(to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// run runs a program and returns its output.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %.200q: %v\n%s", name, args, err, out)
	}
	return string(out)
}
