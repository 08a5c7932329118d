package runner

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// cleaner is a program that knows how its output is made, and can separate the lines of
// results from what the measured code printed into them.
type cleaner interface {
	// clean returns the output as the reader of its format is to see it, and what was
	// wrong with it, "" for nothing.
	clean(s Slot, stdout []byte) (out []byte, wrong string)
}

// What package testing prints behind a benchmark's name: %8d of its iterations, then
// the measurements, each behind a tab.
var testingResult = regexp.MustCompile(`^ *[0-9]+(\t *\S+ \S+)+\s*$`)

// clean puts the benchmark's lines right. Package testing writes a name, runs the
// benchmark and writes the result behind the name, all to standard output, where
// the measured code may print, too. What it left without a line end before the name
// is cut off. What it printed behind the name cannot be told from the
// result with certainty: such a line is left out, with an error that says so.
func (g *gotestProgram) clean(s Slot, stdout []byte) (out []byte, wrong string) {
	if s.Bench == "" || !bytes.Contains(stdout, []byte("Benchmark"+s.Bench)) {
		return stdout, ""
	}
	name := regexp.MustCompile(`(Benchmark` + regexp.QuoteMeta(s.Bench) + `(?:/\S*?)?(?:-[0-9]+)?) *\t`)
	for line := range bytes.Lines(stdout) {
		var found [][]int
		if bytes.Contains(line, []byte("Benchmark"+s.Bench)) {
			found = name.FindAllSubmatchIndex(line, -1)
		}
		// Package testing indents what goes through b.Log.
		if len(found) == 0 || bytes.HasPrefix(line, []byte("    ")) {
			out = append(out, line...)
			continue
		}
		at := found[len(found)-1]
		rest := line[at[1]:]
		switch {
		case testingResult.Match(rest):
			out = append(out, line[at[0]:]...)
		case bytes.HasPrefix(rest, []byte("--- ")): // it failed, which the exit code says
		case len(rest) == 0:
			wrong = fmt.Sprintf("%s ended the process before it had a result", line[at[2]:at[3]])
		case wrong == "":
			wrong = fmt.Sprintf("%s printed %s to standard output in the middle of its result line, which cannot be read then: let it print to standard error, or with b.Log",
				line[at[2]:at[3]], quoted(rest))
		}
	}
	return out, wrong
}

// quoted is the beginning of what a program printed, for a message.
func quoted(text []byte) string {
	s := strings.ToValidUTF8(strings.TrimRight(string(text), "\n"), "\uFFFD")
	if r := []rune(s); len(r) > 40 {
		return fmt.Sprintf("%q...", string(r[:40]))
	}
	return fmt.Sprintf("%q", s)
}

var benchmarkName = regexp.MustCompile(`^Benchmark\w*$`)

// listedBenchmark returns the name, without the prefix Benchmark, that a line of
// -test.list holds. Declared are those that it may be: a TestMain or an init may have printed
// something before it on the same line.
func listedBenchmark(line string, declared []string) (name string, ok bool) {
	line = strings.TrimSpace(line)
	for rest := line; ; {
		i := strings.Index(rest, "Benchmark")
		if i < 0 {
			break
		}
		if name = rest[i+len("Benchmark"):]; slices.Contains(declared, name) {
			return name, true
		}
		rest = rest[i+len("Benchmark"):]
	}
	return strings.TrimPrefix(line, "Benchmark"), benchmarkName.MatchString(line)
}
