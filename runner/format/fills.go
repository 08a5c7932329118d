package format

import (
	"bytes"
)

// Every reader takes an input for what it was said to be, and is right to: a user named
// it. Of a whole folder nobody said that. A README, a test or a script may quote a line
// or a table of results and be none, and what it quotes was not measured at its commit.

// Fills reports whether an input that begins with head and that f has detected is a
// report as a whole, and does not just quote one: it has a result, and at least half of
// the lines that begin in the first column are of the format.
func (f Format) Fills(head []byte) bool {
	if f.fills == nil {
		return true
	}
	return f.fills(bytes.TrimPrefix(head, []byte("\uFEFF")))
}

func fillsGobench(head []byte) bool {
	results, ours, others := 0, 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		_, isEvent := parseEvent(line)
		switch {
		case len(line) == 0 || line[0] == ' ' || line[0] == '\t': // of a log, or of source code
		case isEvent || isMeasured(line):
			results, ours = results+1, ours+1
		case isBenchmark(line) && len(bytes.Fields(line)) > 1:
			others++ // a sentence about benchmarks
		case isRecord(line) || isFrame(line):
			ours++
		default:
			others++
		}
	}
	return results > 0 && ours >= others
}

// isMeasured reports whether line has the form of a result, be it a broken one.
func isMeasured(line []byte) bool {
	fields := bytes.Fields(line)
	return isBenchmark(line) && len(fields) > 2 && len(bytes.Trim(fields[1], "-0123456789")) == 0
}

// isFrame reports whether go test prints line around its results.
func isFrame(line []byte) bool {
	first, _, _ := bytes.Cut(bytes.ReplaceAll(line, []byte("\t"), []byte(" ")), []byte(" "))
	switch string(first) {
	case "PASS", "FAIL", "ok", "?", "---", "===", "testing:", "exit", "SKIP":
		return true
	}
	return false
}
