package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// secret is in every canary.
const secret = "canary-7d1f"

// A hostile benchmark in a worker's box finds none of 20 canaries: tokens in environments, files of
// the worker's user, the database, sockets, and folders of other jobs. Outside the box it finds
// nearly all of them.
func TestHostileBenchmark(t *testing.T) {
	live(t)
	bin := fleetPrograms(t)
	for _, tt := range []struct {
		flag        string
		least, most int
	}{
		{"", 0, 0},
		{"--trusted", 12, 20},
	} {
		found := plant(t, bin, tt.flag)
		if n := len(found); n < tt.least || n > tt.most {
			t.Errorf("worker %s: the benchmark read %d of 20 canaries: %q", tt.flag, n, found)
		}
		t.Logf("worker %s: the benchmark read %d of 20 canaries: %q", tt.flag, len(found), found)
	}
}

// lures are the canaries, which the benchmark looks for, in the order of its tests.
var lures = []string{
	"variable PERFTRACK_DB", "variable GITHUB_TOKEN", "variable AWS_SECRET_ACCESS_KEY", "variable PGPASSWORD", "environment of another process",
	"~/.ssh/id_ed25519", "~/.netrc", "~/.pgpass", "~/.config/gh/hosts.yml", "~/.git-credentials",
	"database file", "folder of the database", "work tree of another job", "git folder of the checkout", "origin of the clone",
	"TCP on loopback", "unix socket", "abstract socket", "file in /tmp", "file written outside",
}

// plant sets up a home with lures and a worker in it, and lets it measure a benchmark that looks
// for them. It returns what the benchmark found.
func plant(t *testing.T, bin, flag string) (found []string) {
	t.Helper()
	home, repo, temp := t.TempDir(), t.TempDir(), "/tmp/"+secret
	work := filepath.Join(home, "work")
	files := map[string]string{
		home + "/.ssh/id_ed25519": secret, home + "/.netrc": secret, home + "/.pgpass": secret, home + "/.config/gh/hosts.yml": secret,
		home + "/.git-credentials": secret, work + "/rounds/trees/other/x": secret, work + "/other/x": secret, temp + "/x": secret,
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.RemoveAll(temp) })
	tcp := listen(t, "tcp", "127.0.0.1:0")
	defer tcp.Close()
	defer listen(t, "unix", filepath.Join(temp, "socket")).Close()
	defer listen(t, "unix", "@"+secret).Close()

	spy := strings.NewReplacer("HOME", home, "WORK", work, "REPO", repo, "TEMP", temp, "ADDRESS", tcp.Addr().String(), "SECRET", secret).Replace(spySource)
	for name, text := range map[string]string{"go.mod": "module example.com/spy\n\ngo 1.25\n", "spy_test.go": spy, "n.go": "package spy\n\nfunc n() int { return 1 }\n"} {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, ".cache"), "PATH="+bin+":"+os.Getenv("PATH"),
		"GOCACHE="+goEnv("GOCACHE"), "GOMODCACHE="+goEnv("GOMODCACHE"), "PERFTRACK_DB="+filepath.Join(repo, ".perftrack", secret+".db"),
		"GITHUB_TOKEN="+secret, "AWS_SECRET_ACCESS_KEY="+secret, "PGPASSWORD="+secret)
	gitEnv := append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.com")
	for _, args := range []string{"init -q -b main", "add .", "commit -q -m base"} {
		gitIn(t, repo, gitEnv, strings.Fields(args)...)
	}
	if err := os.WriteFile(filepath.Join(repo, "n.go"), []byte("package spy\n\nfunc n() int { return 2 }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	gitIn(t, repo, gitEnv, "commit", "-q", "-a", "-m", "head")
	command := func(args ...string) *exec.Cmd {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		t.Cleanup(cancel)
		cmd := exec.CommandContext(ctx, filepath.Join(bin, "perftrack"), args...)
		cmd.Dir, cmd.Env = repo, env
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		return cmd
	}
	args := []string{"worker", "--class", "x", "--id", "w", "--work", work}
	if flag != "" {
		args = append(args, flag)
	}
	worker := command(args...)
	var log bytes.Buffer
	worker.Stderr = &log
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	check := command("check", "--base", "main~1", "--head", "main", "--workers", "x", "--all", "--benchtime", "1x", "--budget", "90s")
	out, err := check.CombinedOutput()
	_ = worker.Process.Signal(os.Interrupt)
	_ = worker.Wait()
	exported, exportErr := command("export").Output()
	mask := regexp.MustCompile(`([0-9.e+]+) leaks-mask`).FindAllSubmatch(exported, -1)
	if len(mask) == 0 || exportErr != nil {
		t.Fatalf("no result: %v, %v\n%s\nworker:\n%s", err, exportErr, out, log.String())
	}
	bits := 0
	for _, m := range mask {
		var value float64
		if _, err := fmt.Sscan(string(m[1]), &value); err != nil {
			t.Fatal(err)
		}
		bits |= int(value) &^ (1 << len(lures)) // the bit above says that it ran at all
	}
	for i, name := range lures {
		if bits>>i&1 == 1 {
			found = append(found, name)
		}
	}
	return found
}

// listen opens a listener that a hostile benchmark must not reach.
func listen(t *testing.T, network, address string) net.Listener {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// spySource is the hostile benchmark. It reports what it found as a mask.
const spySource = `package spy

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func has(name string) bool {
	text, _ := os.ReadFile(name)
	return bytes.Contains(text, []byte("SECRET"))
}

func variable(name string) bool { return os.Getenv(name) != "" }

func reaches(network, address string) bool {
	c, err := net.DialTimeout(network, address, time.Second)
	if err == nil {
		c.Close()
	}
	return err == nil
}

func anyHas(pattern string) bool {
	names, _ := filepath.Glob(pattern)
	for _, name := range names {
		if has(name) {
			return true
		}
	}
	return false
}

func exists(pattern string) bool {
	names, _ := filepath.Glob(pattern)
	return len(names) > 0
}

func writes(name string) bool { return os.WriteFile(name, []byte("x"), 0o644) == nil && !boxed() }

// In the box /tmp is a folder of its own, so that writing there proves nothing.
func boxed() bool { return !exists("TEMP") }

func BenchmarkSpy(b *testing.B) {
	mask := 1 << 20
	for i, leaked := range []bool{
		variable("PERFTRACK_DB"), variable("GITHUB_TOKEN"), variable("AWS_SECRET_ACCESS_KEY"), variable("PGPASSWORD"), anyHas("/proc/[0-9]*/environ"),
		has("HOME/.ssh/id_ed25519"), has("HOME/.netrc"), has("HOME/.pgpass"), has("HOME/.config/gh/hosts.yml"), has("HOME/.git-credentials"),
		exists("REPO/.perftrack/SECRET.db"), exists("REPO/.perftrack/*"), anyHas("WORK/*/trees/other/x"), exists(".git/*") || exists("../.git/*"), exists("REPO/go.mod"),
		reaches("tcp", "ADDRESS"), reaches("unix", "TEMP/socket"), reaches("unix", "@SECRET"), has("TEMP/x"), writes("WORK/other/written"),
	} {
		if leaked {
			mask |= 1 << i
		}
	}
	for range b.N * n() {
		time.Sleep(time.Microsecond)
	}
	b.ReportMetric(float64(mask), "leaks-mask")
}
`
