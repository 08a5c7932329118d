package reading

import "bytes"

// Fills reports whether an input that begins with head consists of results rather than only quoting
// some, as a README does: at least half of its lines without indentation are ours. It serves the formats
// of text as Report.
func Fills(head []byte, ours func(line []byte) bool) bool {
	own, others := 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case ours(line):
			own++
		case len(line) == 0 || line[0] == ' ' || line[0] == '\t': // part of a log or of source code
		default:
			others++
		}
	}
	return own > 0 && own >= others
}
