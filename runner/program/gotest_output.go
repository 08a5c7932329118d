package program

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gobench"
)

// Clean repairs the result lines of the benchmark. Package testing writes the name, runs the
// benchmark, and then writes the result after the name. All of it goes to standard output, where
// the measured code may print as well. If the code's output lacks a final newline, it ends up in
// front of the name, and Clean removes it. Output between a name and its result cannot be separated
// reliably, so Clean drops such a line and reports it.
func (g *Gotest) Clean(s Slot, stdout []byte) (out []byte, wrong string) {
	plain := []byte(gobench.Prefix + s.Bench)
	if s.Bench == "" || !bytes.Contains(stdout, plain) {
		return stdout, ""
	}
	name := regexp.MustCompile(regexp.QuoteMeta(string(plain)) + `(?:/\S*?)?` + gobench.NameEnd)
	for line := range bytes.Lines(stdout) {
		var found [][]int
		if bytes.Contains(line, plain) {
			found = name.FindAllIndex(line, -1)
		}
		// Package testing indents the text of b.Log.
		if len(found) == 0 || bytes.HasPrefix(line, []byte("    ")) {
			out = append(out, line...)
			continue
		}
		at := found[len(found)-1]
		rest := line[at[1]:]
		switch {
		case gobench.IsResult(rest):
			out = append(out, line[at[0]:]...)
		case bytes.HasPrefix(rest, []byte("--- ")): // the benchmark failed, as the exit code shows
		case len(rest) == 0:
			wrong = fmt.Sprintf("%s ended the process without a result", bytes.TrimSpace(line[at[0]:at[1]]))
		case wrong == "":
			wrong = fmt.Sprintf("%s printed %s to standard output in the middle of its result line, which made the line unreadable: print to standard error, or use b.Log",
				bytes.TrimSpace(line[at[0]:at[1]]), gobench.Quote(rest))
		}
	}
	return out, wrong
}

// listedBenchmark returns the name in a line of -test.list, without the prefix Benchmark. declared
// lists the possible names. They are needed because a TestMain or an init function may have printed
// something before the name on the same line.
func listedBenchmark(line string, declared []string) (name string, ok bool) {
	line = strings.TrimSpace(line)
	for rest := line; ; {
		if _, rest, ok = strings.Cut(rest, gobench.Prefix); !ok {
			break
		}
		if slices.Contains(declared, rest) {
			return rest, true
		}
	}
	return strings.TrimPrefix(line, gobench.Prefix), gobench.IsFunction(line)
}
