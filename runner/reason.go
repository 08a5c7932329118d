package runner

import (
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"unicode"

	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/proc"
)

// killedBase is what a shell adds to the number of the signal that killed its command, to make its own
// exit status.
const killedBase = 128

// lastSignal is the largest number of a signal that a shell is believed to tell.
const lastSignal = 31

// commandFailure describes how the process of a command target ended, and why by its own account.
func commandFailure(res proc.Result) string {
	signal := res.Signal
	if n := res.ExitCode - killedBase; n >= 1 && n <= lastSignal {
		signal = syscall.Signal(n)
	}
	if signal == 0 || res.Canceled || res.OOMKilled {
		return strings.TrimSuffix(res.Err().Error()+": "+commandReason(res.Stderr, res.Stdout), ": ")
	}
	text := fmt.Sprintf("killed by signal %d (%v)", int(signal), signal)
	// What it printed before is no reason, and the shell says only what is known already.
	if why := commandReason(res.Stderr, nil); why != "" && !strings.Contains(strings.ToLower(why), signal.String()) {
		text += ": " + why
	}
	return text
}

// testFailed matches the lines of pytest that name what failed.
var testFailed = regexp.MustCompile(`(?m)^(FAILED|ERROR):? .*`)

// commandReason returns the line in the output of a failed command that most likely states the reason.
// Harnesses print results to stdout, so stderr goes first.
func commandReason(stderr, stdout []byte) string {
	for _, text := range [][]byte{stderr, stdout} {
		if line := testFailed.Find(text); line != nil {
			return gobench.ReasonLine(string(line)) // bounded
		}
	}
	for _, text := range [][]byte{stderr, stdout} {
		if line := gobench.ReasonLine(telling(string(text))); line != "" {
			return line
		}
	}
	return ""
}

// telling returns the lines of a text that can tell a person something.
func telling(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !isFragment(line) && !strings.HasPrefix(line, "note: ") { // such as how to get a backtrace
			b.WriteString(line)
		}
	}
	return b.String()
}

// isFragment reports whether a line is a piece of JSON or XML, or has neither letters nor digits, such
// as the dots of a test runner.
func isFragment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.ContainsRune("\"'{}[]<,", rune(line[0])) ||
		!strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
