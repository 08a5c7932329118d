package documents

import (
	"math"
	"regexp"
	"strconv"

	"github.com/perftrack/perftrack/reports"
)

// MarshalJSON writes NaN and infinities as null, integers exactly, and all other numbers with six
// significant digits. Six digits are more than any page shows, and they take half as many bytes as
// all digits.
func (n Number) MarshalJSON() ([]byte, error) { return n.appendTo(nil), nil }

func (n Number) appendTo(b []byte) []byte {
	v := float64(n)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(b, "null"...)
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return strconv.AppendInt(b, int64(v), 10)
	}
	return strconv.AppendFloat(b, v, 'g', 6, 64)
}

// MarshalJSON writes all numbers in one call, which is three times as fast as a call for each.
func (all Numbers) MarshalJSON() ([]byte, error) {
	if all == nil {
		return []byte("null"), nil
	}
	b := append(make([]byte, 0, 2+10*len(all)), '[')
	for i, n := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = n.appendTo(b)
	}
	return append(b, ']'), nil
}

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	*n = Number(v)
	return err
}

// safeName matches file names that are valid on every system. These names cannot lead out of their
// folder, and no two differ only in case.
var safeName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{3,79}(\.\.[a-z0-9][a-z0-9_-]{3,79})?$`)

// SafeID returns a document name for an untrusted name, such as the id of a trial. It is the name
// itself if that is a safe file name, and a hash of it otherwise.
func SafeID(name string) string {
	if safeName.MatchString(name) {
		return name
	}
	return reports.HashID("x", name)
}
