package reports

import (
	"fmt"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// HashOrDash returns the short hash, or a dash if sha is "".
func HashOrDash(sha string) string {
	if sha == "" {
		return "-"
	}
	return record.ShortHash(sha)
}

// Day returns the date of a time, or "" for the zero time.
func Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// Plural counts things: "1 row", "2 rows".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// NewestOff is the text for a newest run whose value is far from the level before it. It may be an
// outlier or a new level.
const NewestOff = "newest far off"

// BenchmarkName names a benchmark outside of its table, with its target, suite and package.
func BenchmarkName(target string, id record.BenchmarkID) string {
	var parts []string
	for _, p := range []string{target, id.Suite, id.Package, id.Name} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	name := strings.Join(parts, " ")
	if id.Kind == record.Scope {
		name += " (scope)"
	}
	return name
}
