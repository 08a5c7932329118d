// Package bounds has the limits of the inputs that are read, and what every reader needs
// to keep them.
//
// [Lines] reads lines of bounded length (lines.go). [CheckText] and [CheckConfig] say why
// a text or a configuration line must not be stored. Begin with limits.go.
package bounds

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// The limits of an input. They are far above what benchmark programs print, and keep a
// hostile file from filling the memory or the database. What a run is made of has the limits
// of package record, so that every run that may be stored can be read.
const (
	MaxInput      = 64 << 20 // bytes of a file
	MaxLine       = 1 << 20  // bytes of any line, without its line break
	MaxRecordLine = 64 << 10 // bytes of a benchmark, unit or configuration line, with its line break

	MaxBenchmarks = record.MaxBenchmarks   // different benchmarks, by package and name, of a file
	MaxSamples    = record.MaxSamples      // samples of one benchmark of a file
	MaxValues     = record.MaxTotalSamples // values of a file
	MaxName       = record.MaxNameLen      // bytes of a benchmark name without its -N of GOMAXPROCS
	MaxUnit       = record.MaxUnitLen      // bytes of a unit
)

// MaxKeys is how many configuration keys a result may have.
var MaxKeys = record.MaxConfigKeys

// CheckConfig reports why a configuration line must not be stored.
func CheckConfig(key string, value []byte) error {
	if err := CheckText("configuration key", []byte(key), record.MaxKeyLen); err != nil {
		return err
	}
	if len(value) <= record.MaxSettingLen && utf8.Valid(value) && bytes.IndexByte(value, 0) < 0 {
		return nil // nearly all: no text for a message is made of each
	}
	return CheckText("configuration "+Quote(key), value, record.MaxValueLen(key))
}

// CheckText reports why a text must not be stored.
func CheckText(what string, text []byte, limit int) error {
	switch {
	case len(text) > limit:
		return fmt.Errorf("%s is longer than %d bytes, the limit", what, limit)
	case !utf8.Valid(text):
		return fmt.Errorf("%s is not valid UTF-8", what)
	case bytes.IndexByte(text, 0) >= 0:
		return fmt.Errorf("%s holds NUL", what)
	}
	return nil
}

// Quote quotes text of the input for a message.
func Quote(s string) string {
	if len(s) > 40 {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(s[:40], ""))
	}
	return fmt.Sprintf("%q", s)
}

// IsDecimal reports whether s is a plain decimal number: 12, 0.5, 1.5e+06, -3. No NaN,
// no infinity, no hexadecimal, no underscores, no plus sign. A minus is let through, so
// that a negative value can be told from a harmless -0.
func IsDecimal(s string) bool {
	mantissa, exponent := strings.TrimPrefix(s, "-"), "0"
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, exponent = mantissa[:i], mantissa[i+1:]
		if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
			exponent = exponent[1:]
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
	return whole+fraction != "" && digits(whole) && digits(fraction) && exponent != "" && digits(exponent)
}

// SetConfig sets a configuration line of the input on a result.
func SetConfig(r *benchfmt.Result, c benchfmt.Config) {
	r.SetConfig(c.Key, string(c.Value))
	if i, ok := r.ConfigIndex(c.Key); ok {
		r.Config[i].File = true // SetConfig takes it for a setting of the caller
	}
}
