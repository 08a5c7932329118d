package format

import (
	"bytes"
)

// A user who names a file is responsible for its format. In a directory, however, a README, a test
// or a script may merely quote results of another commit.

// fillsGobench reports whether an input beginning with head consists of results: it must contain one,
// and at least half of the lines without indentation must be in the format.
func fillsGobench(head []byte) bool {
	results, ours, others := 0, 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		_, isEvent := parseEvent(line)
		switch {
		case len(line) == 0 || line[0] == ' ' || line[0] == '\t': // part of a log or of source code
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

// isMeasured reports whether line looks like a result, even a malformed one.
func isMeasured(line []byte) bool {
	fields := bytes.Fields(line)
	return isBenchmark(line) && len(fields) > 2 && len(bytes.Trim(fields[1], "-0123456789")) == 0
}

// isFrame reports whether go test prints line before, between or after results.
func isFrame(line []byte) bool {
	first, _, _ := bytes.Cut(bytes.ReplaceAll(line, []byte("\t"), []byte(" ")), []byte(" "))
	switch string(first) {
	case "PASS", "FAIL", "ok", "?", "---", "===", "testing:", "exit", "SKIP":
		return true
	}
	return false
}
