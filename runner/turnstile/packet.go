package turnstile

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// A kind of packet is what a program wrote by one write, or as much of it as a packet holds.
type kind int

const (
	other   kind = iota
	name         // of the benchmark: a count begins
	another      // the name of another benchmark
	verbose      // the name as -test.v prints it, without a count behind it
	result       // of a count
	logged       // what the benchmark logged in a count
	failure      // instead of a result
)

// packetSize is how much one packet holds. A longer write becomes several.
var packetSize = os.Getpagesize()

var (
	resultStart = regexp.MustCompile(`^ *[0-9]+\t`)
	// %8d of the iterations, then the measurements, each behind a tab.
	resultLine = regexp.MustCompile(`^ *[0-9]+(\t *\S+ \S+)+\n$`)
	nameStart  = regexp.MustCompile(`^Benchmark\S*? *\t$`)
	// label is a line that package testing prints before the first name.
	label = regexp.MustCompile(`^(goos|goarch|pkg|cpu): [^\n]*\n$`)
)

// A reader of packets knows the benchmark that is to come.
type classifier struct {
	name    *regexp.Regexp
	verbose *regexp.Regexp
}

func newClassifier(bench string) classifier {
	q := "^Benchmark" + regexp.QuoteMeta(bench)
	return classifier{name: regexp.MustCompile(q + `(-[0-9]+)? *\t$`), verbose: regexp.MustCompile(q + `\n$`)}
}

func (c classifier) kind(packet []byte) kind {
	switch {
	case c.name.Match(packet):
		return name
	case nameStart.Match(packet):
		return another
	case c.verbose.Match(packet):
		return verbose
	case resultStart.Match(packet):
		return result
	case bytes.HasPrefix(packet, []byte("--- BENCH: ")):
		return logged
	case bytes.HasPrefix(packet, []byte("--- FAIL: ")):
		return failure
	}
	return other
}

// more reports whether the packet is a part of a longer write, of which the rest follows.
// A write that fills packets to the last byte cannot be told; a result ends with its line.
func more(packet []byte) bool { return len(packet) == packetSize }

// quoted is the beginning of what a program printed, for a message.
func quoted(text []byte) string {
	s := strings.ToValidUTF8(strings.TrimRight(string(text), "\n"), "\uFFFD")
	if r := []rune(s); len(r) > 60 {
		return fmt.Sprintf("%q...", string(r[:60]))
	}
	return fmt.Sprintf("%q", s)
}

// failureText is what a benchmark gave as the reason of its failure.
func failureText(packet []byte) string {
	_, log, _ := strings.Cut(string(packet), "\n")
	if log = strings.Join(strings.Fields(log), " "); log != "" {
		return "it failed: " + log
	}
	return "it failed"
}

// lastWords picks the line that says why a program ended from what it wrote to stderr: that of
// the panic, or else the last.
func lastWords(stderr []byte) string {
	last := ""
	for line := range strings.Lines(string(stderr)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return line
		}
		if line != "" {
			last = line
		}
	}
	return last
}
