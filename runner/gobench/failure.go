package gobench

import (
	"fmt"
	"strings"
)

// ReasonLine returns the line in a failed benchmark's output most likely to state the reason.
func ReasonLine(text string) string {
	var last string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line == "FAIL" || line == "PASS" || strings.HasPrefix(line, "exit status"), resultLine.MatchString(line):
			continue
		case strings.HasPrefix(line, "panic:"), strings.HasPrefix(line, "fatal error:"):
			return line
		case strings.Contains(line, "_test.go:"):
			return line
		}
		last = line
	}
	if len(last) > 200 {
		last = last[:200]
	}
	return last
}

// Quote returns the beginning of a program's output, quoted for use in a message.
func Quote(text []byte) string {
	s := strings.ToValidUTF8(strings.TrimRight(string(text), "\n"), "\uFFFD")
	if r := []rune(s); len(r) > 40 {
		return fmt.Sprintf("%q...", string(r[:40]))
	}
	return fmt.Sprintf("%q", s)
}
