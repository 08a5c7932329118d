// Package bounds defines limits on the input, and helpers to enforce them in all readers.
//
// [Lines] reads lines of bounded length (lines.go). [CheckText] and [CheckConfig] return an error
// for a text or a configuration line that must not be stored. Start with limits.go.
package bounds

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// Limits on an input. They are far above the output of benchmark programs, and prevent a hostile
// file from filling memory or the database. The limits on the parts of a run are the same as in
// package record, so every valid run can be read.
const (
	MaxFile       = 4 << 30  // bytes in a file, which is read in constant memory
	MaxInput      = 64 << 20 // bytes in an input that is kept in memory, such as the artifact of a pull request
	MaxLine       = 1 << 20  // bytes in any line, without the line break
	MaxRecordLine = 64 << 10 // bytes in a benchmark, unit or configuration line, including the line break

	MaxBenchmarks = record.MaxBenchmarks   // different benchmarks, by package and name, in a file or at one commit
	MaxSamples    = record.MaxSamples      // samples of one benchmark in a file or at one commit
	MaxValues     = record.MaxTotalSamples // values in a file or at one commit
	MaxCommits    = 100_000                // commits in the history that a file contains
	MaxHistory    = 50 * MaxValues         // values in a history: three units of 400 benchmarks at 40,000 commits
	MaxName       = record.MaxNameLen      // bytes in a benchmark name without the -N suffix for GOMAXPROCS
	MaxUnit       = record.MaxUnitLen      // bytes in a unit
)

// MaxKeys is the maximum number of configuration keys in a result.
var MaxKeys = record.MaxConfigKeys

// CheckConfig returns an error if a configuration line must not be stored.
func CheckConfig(key string, value []byte) error {
	if err := CheckText("configuration key", []byte(key), record.MaxKeyLen); err != nil {
		return err
	}
	if len(value) <= record.MaxSettingLen && utf8.Valid(value) && bytes.IndexByte(value, 0) < 0 {
		return nil // fast path for nearly all lines, without building text for an error message
	}
	return CheckText("configuration "+Quote(key), value, record.MaxValueLen(key))
}

// CheckText returns an error if text is longer than limit bytes or must not be stored. In the
// error, what names the text.
func CheckText(what string, text []byte, limit int) error {
	switch {
	case len(text) > limit:
		return fmt.Errorf("%s is longer than the limit of %d bytes", what, limit)
	case !utf8.Valid(text):
		return fmt.Errorf("%s is not valid UTF-8", what)
	case bytes.IndexByte(text, 0) >= 0:
		return fmt.Errorf("%s contains a NUL byte", what)
	}
	return nil
}

// Quote quotes text from the input for use in a message.
func Quote(s string) string {
	if len(s) > 40 {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(s[:40], ""))
	}
	return fmt.Sprintf("%q", s)
}

// IsDecimal reports whether s is a plain decimal number such as 12, 0.5, 1.5e+06 or -3. It rejects
// NaN, infinity, hexadecimal numbers, underscores and a plus sign. It accepts a minus sign, because
// the caller distinguishes a negative value from a harmless -0.
func IsDecimal[Text string | []byte](s Text) bool {
	at := 0
	skipDigits := func() (n int) {
		for ; at < len(s) && '0' <= s[at] && s[at] <= '9'; at++ {
			n++
		}
		return n
	}
	if at < len(s) && s[at] == '-' {
		at++
	}
	digits := skipDigits()
	if at < len(s) && s[at] == '.' {
		at++
		digits += skipDigits()
	}
	if digits > 0 && at < len(s) && (s[at] == 'e' || s[at] == 'E') {
		if at++; at < len(s) && (s[at] == '+' || s[at] == '-') {
			at++
		}
		digits = skipDigits()
	}
	return digits > 0 && at == len(s)
}

// SetConfig applies a configuration line from the input to a result.
func SetConfig(r *benchfmt.Result, c benchfmt.Config) {
	r.SetConfig(c.Key, string(c.Value))
	if i, ok := r.ConfigIndex(c.Key); ok {
		r.Config[i].File = true // benchfmt's SetConfig marks the line as added by the caller
	}
}
