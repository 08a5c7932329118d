package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestBisectLive finds a culprit among placebos in a generated history, with auto and with git
// bisect. By default, the history has few commits and a step large enough for a busy machine.
//
//	PERFTRACK_TORTURE=full go test -run BisectLive -timeout 60m -v ./cmd/perftrack
//
// generates three histories of 64 commits with a step of 10 %, and also searches each of them with
// samples of 400 ms in fresh processes.
func TestBisectLive(t *testing.T) {
	live(t)
	commits, percent, times := 10, 150, 1
	searches := []search{{"slices", "20ms"}}
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		commits, percent, times = 64, 10, 3
		searches = []search{{"slices", "100ms"}, {"fresh", "400ms"}}
	}
	for i := range times {
		seed := uint64(time.Now().UnixNano())
		h := newSlowHistory(t, commits, percent, rand.New(rand.NewPCG(seed, 1)))
		t.Logf("run %d, seed %d: culprit is commit %d of %d, +%d %%", i+1, seed, h.at, commits, percent)
		for _, s := range searches {
			h.env = append(slices.Clip(h.env), "PERFTRACK_DB="+filepath.Join(t.TempDir(), s.pairs+".db"))
			h.auto(s)
			h.gitRun(s)
			h.nothingLeft()
		}
	}
}

// A search describes how a bisection measures its pairs.
type search struct{ pairs, benchtime string }

func (s search) flags() []string {
	return []string{"--bench", "Spin", "--pairs", s.pairs, "--benchtime", s.benchtime}
}

// auto searches without git bisect. The logged time excludes the explanation of the culprit.
func (h *slowHistory) auto(s search) {
	h.t.Helper()
	c, out := h.command(append([]string{"bisect-helper", "auto", h.good + "..HEAD"}, s.flags()...)...)
	began, found := time.Now(), time.Duration(0)
	var remarks strings.Builder
	c.Stderr = writerFunc(func(p []byte) (int, error) {
		remarks.Write(p)
		if found == 0 && strings.Contains(string(p), "explaining") {
			found = time.Since(began)
		}
		return len(p), nil
	})
	if err := c.Run(); err != nil {
		h.t.Fatalf("auto: %v\n%s\n%s", err, out, &remarks)
	}
	text, _, _ := strings.Cut(out.String(), "\nTime by function")
	h.t.Logf("auto, %s of %s, %v, with the explanation %v:\n%s", s.pairs, s.benchtime, found.Round(time.Second), time.Since(began).Round(time.Second), text)
	h.t.Logf("coefficient of variation of a sample: %.1f %%", 100*h.variation())
	var doc struct {
		Rows []struct{ Commit, Confirmed string }
	}
	c, _ = h.command("bisect-helper", "status", "--format", "json")
	c.Stdout = nil
	status, err := c.Output()
	if err != nil || json.Unmarshal(status, &doc) != nil || len(doc.Rows) == 0 {
		h.t.Fatalf("status: %v\n%s", err, status)
	}
	if doc.Rows[0].Commit != h.culprit || doc.Rows[0].Confirmed != "regressed" {
		h.t.Errorf("auto: culprit is %s, %s; want %s", doc.Rows[0].Commit, doc.Rows[0].Confirmed, h.culprit)
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A slowHistory is a repository with one commit that made the benchmark slower.
type slowHistory struct {
	*victim
	good, culprit string
	at            int // number of the culprit, from 1
	steps         int // iterations of the loop
	rng           *rand.Rand
	names         []string // functions, in their order in the file
	comments      int
}

func newSlowHistory(t *testing.T, commits, percent int, rng *rand.Rand) *slowHistory {
	h := &slowHistory{victim: newVictim(t), steps: 20000, rng: rng, names: []string{"mix", "fold", "spin"}}
	h.env = append(h.env, "GOCACHE="+goEnv("GOCACHE"), "GOMODCACHE="+goEnv("GOMODCACHE"), "GOTOOLCHAIN=local", "GOFLAGS=")
	h.git("rm", "-q", "perftrack.toml", "bench.sh")
	h.write("go.mod", "module example.com/spin\n\ngo 1.26\n")
	h.source("")
	h.good = h.commit("the beginning")
	h.at = 2 + rng.IntN(commits-3)
	// One commit does not build and one lacks the benchmark. Neither is next to the culprit,
	// because git bisect could not distinguish them.
	away := []int{}
	for i := 1; i < commits; i++ {
		if i < h.at-2 || i > h.at+1 {
			away = append(away, i)
		}
	}
	rng.Shuffle(len(away), func(i, j int) { away[i], away[j] = away[j], away[i] })
	for i := 1; i <= commits; i++ {
		switch i {
		case h.at:
			h.steps += h.steps * percent / 100
			h.source("")
			h.culprit = h.commit("make it sturdier")
		case away[0]:
			h.source("func broken() { nothing() }\n")
			h.commit("does not build")
			h.source("")
		case away[1]:
			h.git("mv", "spin_test.go", "spin_test.txt")
			h.commit("without the benchmark")
			h.git("mv", "spin_test.txt", "spin_test.go")
		default:
			h.placebo(i)
		}
	}
	return h
}

// placebo commits a change that has no effect on the benchmark.
func (h *slowHistory) placebo(i int) {
	switch h.rng.IntN(5) {
	case 0:
		h.comments++
		h.source("")
		h.commit("comment")
	case 1:
		k := h.rng.IntN(2)
		h.names[slices.Index(h.names, []string{"mix", "fold"}[k])] = []string{"mix", "fold"}[k] // same set, new order
		h.rng.Shuffle(len(h.names), func(a, b int) { h.names[a], h.names[b] = h.names[b], h.names[a] })
		h.source("")
		h.commit("reorder functions")
	case 2:
		h.source(fmt.Sprintf("var renamed%d = mix\n\nfunc init() { _ = renamed%d }\n", i, i))
		h.commit("rename")
	case 3:
		h.write("README.md", fmt.Sprintf("# Spin %d\n", i))
		h.commit("docs")
	default:
		h.write("other/other.go", fmt.Sprintf("package other\n\nconst Version = %d\n", i))
		h.commit("another package")
	}
}

// source writes the module's files and appends more to spin.go.
func (h *slowHistory) source(more string) {
	functions := map[string]string{
		"mix":  "func mix(x uint64) uint64 { x ^= x << 13; x ^= x >> 7; return x ^ x<<17 }\n",
		"fold": "func fold(x uint64) uint64 { return x>>32 ^ x&0xffffffff }\n",
		"spin": fmt.Sprintf("func spin(x uint64) uint64 {\n\tfor range %d {\n\t\tx = mix(x)\n\t}\n\treturn fold(x)\n}\n", h.steps),
	}
	text := "package spin\n\n" + strings.Repeat("// A remark.\n", h.comments) + "\n"
	for _, name := range h.names {
		text += functions[name] + "\n"
	}
	h.write("spin.go", text+more)
	h.write("spin_test.go", "package spin\n\nimport \"testing\"\n\nvar sink uint64\n\nfunc BenchmarkSpin(b *testing.B) {\n\tfor b.Loop() {\n\t\tsink = spin(sink + 1)\n\t}\n}\n")
}

func (h *slowHistory) commit(subject string) string {
	h.git("add", "-A")
	h.git("commit", "-q", "--allow-empty", "-m", subject)
	return strings.TrimSpace(h.git("rev-parse", "HEAD"))
}

var firstBad = regexp.MustCompile(`(?m)^([0-9a-f]{40}) is the first bad commit`)

// gitRun bisects with git bisect run.
func (h *slowHistory) gitRun(s search) {
	h.t.Helper()
	began := time.Now()
	h.git("bisect", "start", "HEAD", h.good)
	c := exec.Command("git", append([]string{"bisect", "run", h.binary, "bisect-helper"}, s.flags()...)...)
	c.Dir, c.Env = h.repo, h.env
	out, err := c.CombinedOutput()
	m := firstBad.FindSubmatch(out)
	h.t.Logf("git bisect run, %v: %d steps", time.Since(began).Round(time.Second), strings.Count(string(out), "\nrunning "))
	if err != nil || m == nil || string(m[1]) != h.culprit {
		h.t.Errorf("git bisect run: %v, culprit %s, want %s\n%s", err, m, h.culprit, out)
	}
	h.git("bisect", "reset")
}

// variation returns the standard deviation of the logarithms of the good end's samples.
func (h *slowHistory) variation() float64 {
	sum, squares, n := 0.0, 0.0, 0.0
	for line := range strings.Lines(h.must("bisect-helper", "log", "--format", "csv")) {
		f := strings.Split(strings.TrimSpace(line), ",")
		if len(f) < 7 || f[1] != "pair" || f[3] != h.good {
			continue
		}
		if v, err := strconv.ParseFloat(f[5], 64); err == nil {
			sum, squares, n = sum+math.Log(v), squares+math.Log(v)*math.Log(v), n+1
		}
	}
	return math.Sqrt(squares/n - sum/n*sum/n)
}
