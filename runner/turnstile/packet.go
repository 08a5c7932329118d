package turnstile

import (
	"bytes"
	"os"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/gobench"
)

// A kind classifies a packet, which is the text of one write, or the part of it that fits.
type kind int

const (
	other   kind = iota
	name         // the name of the benchmark, after which a count begins
	another      // the name of another benchmark
	verbose      // the name as -test.v prints it, with no count after it
	result       // the result of a count
	logged       // the text printed by b.Log
	failure      // a failure instead of a result
)

// packetSize is the capacity of a packet. A longer write is split into several.
var packetSize = os.Getpagesize()

// A classifier determines the kinds of packets for one benchmark.
type classifier struct {
	name    *regexp.Regexp
	verbose *regexp.Regexp
}

func newClassifier(bench string) classifier {
	q := "^" + gobench.Prefix + regexp.QuoteMeta(bench)
	return classifier{name: regexp.MustCompile(q + gobench.NameEnd + `$`), verbose: regexp.MustCompile(q + `\n$`)}
}

func (c classifier) kind(packet []byte) kind {
	switch {
	case c.name.Match(packet):
		return name
	case gobench.IsWrittenName(packet):
		return another
	case c.verbose.Match(packet):
		return verbose
	case gobench.BeginsResult(packet):
		return result
	case bytes.HasPrefix(packet, []byte("--- BENCH: ")):
		return logged
	case bytes.HasPrefix(packet, []byte("--- FAIL: ")):
		return failure
	}
	return other
}

// more reports whether a write may continue in the next packet. A write that fills its packets
// exactly looks the same, but a result is complete once its line ends.
func more(packet []byte) bool { return len(packet) == packetSize }

// failureText describes why a benchmark failed, using the text it logged.
func failureText(packet []byte) string {
	_, log, _ := strings.Cut(string(packet), "\n")
	if log = strings.Join(strings.Fields(log), " "); log != "" {
		return "it failed: " + log
	}
	return "it failed"
}
