package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A workModule is a repository of the module in testdata/work. Its branches change the code under
// test:
//
//	live     is the start of all other branches
//	same     has other code, which never runs
//	plus-P   does P percent more of everything
//	collect  has the same memory in smaller pieces, which only adds collections
type workModule struct{ *victim }

// percents lists the values of P with a branch plus-P.
var percents = []int{1, 2, 3, 5, 10, 50}

func newWorkModule(t *testing.T) workModule {
	t.Helper()
	m := workModule{newVictim(t)}
	m.env = append(m.env, "GOCACHE="+goEnv("GOCACHE"), "GOMODCACHE="+goEnv("GOMODCACHE"), "GOTOOLCHAIN=local", "GOFLAGS=")
	m.git("rm", "-q", "bench.sh")
	layout := "accept" // linking takes most of the short form's time
	if full() {
		layout = "rotate"
	}
	work := m.fixture("work.go.txt")
	m.write("go.mod", "module example.com/work\n\ngo 1.24\n")
	m.write("work.go", work)
	m.write("work_test.go", m.fixture("bench.go.txt"))
	m.write("perftrack.toml", fmt.Sprintf("[[target]]\nname = \"work\"\nkind = \"gotest\"\npackages = [\".\"]\nlayout = %q\n", layout))
	m.git("checkout", "-q", "-b", "live")
	m.commit("live")
	for _, p := range percents {
		m.branch(fmt.Sprintf("plus-%d", p), "work.go", moreWork(t, work, p))
	}
	m.branch("collect", "work.go", strings.Replace(work, "block  = 1 << 20", "block  = 1 << 6", 1))
	// The branch has other code with the same effect, because without any change nothing would
	// be measured.
	m.branch("same", "other.go", otherCode)
	m.git("checkout", "-q", "live")
	return m
}

const otherCode = `package work

// Other is linked in and never runs.
func Other() { sinkhole = steps + 41 }

var sinkhole int

func init() { keep = Other }

var keep func()
`

// constants matches the constants for the amounts of work.
var constants = regexp.MustCompile(`(?m)^(\t(?:steps|lines|maps|record) += )([0-9_]+)`)

// moreWork increases each of the matched constants by a percentage.
func moreWork(t *testing.T, work string, percent int) string {
	t.Helper()
	grown := 0
	work = constants.ReplaceAllStringFunc(work, func(line string) string {
		m := constants.FindStringSubmatch(line)
		n, err := strconv.Atoi(strings.ReplaceAll(m[2], "_", ""))
		if err != nil || n*percent%100 != 0 {
			t.Fatalf("%s: %v, %d %% of it is not a whole number", line, err, percent)
		}
		grown++
		return m[1] + strconv.Itoa(n+n*percent/100)
	})
	if grown != 4 {
		t.Fatalf("%d constants grow, not 4", grown)
	}
	return work
}

func (m workModule) fixture(name string) string {
	m.t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "work", name))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

func (m workModule) commit(subject string) {
	m.git("add", "-A")
	m.git("commit", "-q", "-m", subject)
}

// branch creates a branch from live and commits a new or changed file on it.
func (m workModule) branch(name, file, text string) {
	m.git("checkout", "-q", "-b", name, "live")
	m.write(file, text)
	m.commit(name)
}

// In the changed code of the live tests, each constant is larger by exactly the stated percentage.
func TestMoreWork(t *testing.T) {
	work := workModule{&victim{t: t}}.fixture("work.go.txt")
	five := moreWork(t, work, 5)
	for _, want := range []string{"steps  = 21000 ", "lines  = 63000 ", "maps   = 105 ", "record = 105 "} {
		if !strings.Contains(five, "\t"+want) {
			t.Errorf("+5 %% has no %q", want)
		}
	}
	if !strings.Contains(work, "block  = 1 << 20") {
		t.Error("the heap's pieces cannot be made smaller")
	}
}
