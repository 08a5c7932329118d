package reports

import (
	"fmt"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// HashOrDash is the short hash for a table, or a dash where there is none.
func HashOrDash(sha string) string {
	if sha == "" {
		return "-"
	}
	return record.ShortHash(sha)
}

// Day is the date of a time, or "" for the zero time.
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

// NewestOff are the words for a newest run that lies far off its level: an outlier, or a new level.
const NewestOff = "newest far off"

// BenchmarkName names a benchmark outside of its table, with target, suite and package.
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
