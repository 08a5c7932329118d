package format

import (
	"bytes"
	"slices"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// isPlain reports whether line is certainly valid and affects only its own result: a benchmark
// line, or a line that sets a sample key. Nearly all lines of a long input are plain, so isPlain
// makes a single pass. checkLine checks the other lines.
func isPlain(line []byte) bool {
	if len(line) >= bounds.MaxRecordLine {
		return false
	}
	if isBenchmark(line) {
		return isPlainResult(line)
	}
	return isPlainSampleKey(line)
}

// isPlainResult reports whether a benchmark line has only printable ASCII characters, and a whole
// number of iterations followed by pairs of a decimal number and a unit.
func isPlainResult(line []byte) bool {
	w := words{line: line}
	w.next() // the name
	if !isDigits(w.next()) {
		return false // the number of iterations
	}
	pairs := 0
	for number := w.next(); len(number) > 0; number = w.next() {
		unit := w.next()
		if !bounds.IsDecimal(number) || len(unit) == 0 || bounds.IsDecimal(unit) {
			return false
		}
		pairs++
	}
	return pairs > 0 && w.at == len(line)
}

// sampleKeys are the configuration keys that describe a single sample.
var sampleKeys = func() (keys []string) {
	for _, k := range record.Keys {
		if k.Role == record.SampleKey {
			keys = append(keys, k.Name)
		}
	}
	return keys
}()

// isPlainSampleKey reports whether a line sets a sample key to one word of printable ASCII.
func isPlainSampleKey(line []byte) bool {
	colon := bytes.IndexByte(line, ':')
	if colon < 0 || !slices.Contains(sampleKeys, string(line[:colon])) {
		return false
	}
	w := words{line, colon + 1}
	blank := colon+1 < len(line) && isBlank(line[colon+1])
	value := w.next()
	return blank && len(value) > 0 && len(value) <= record.MaxSettingLen && w.at == len(line)
}

// words splits a line at spaces and tabs. Its words end before any character other than printable
// ASCII.
type words struct {
	line []byte
	at   int
}

// next returns the next word. It returns an empty word at the end of the line, or if the next
// character is not printable ASCII.
func (w *words) next() []byte {
	rest := w.line[w.at:]
	start := 0
	for start < len(rest) && isBlank(rest[start]) {
		start++
	}
	end := start
	for end < len(rest) && rest[end]-'!' <= '~'-'!' {
		end++
	}
	w.at += end
	return rest[start:end]
}

func isDigits(word []byte) bool {
	for _, c := range word {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(word) > 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
