package reports

import (
	"fmt"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// ShortHash is a commit as people read it.
func ShortHash(sha string) string {
	if len(sha) > 12 {
		return sha[:12]
	}
	return sha
}

// HashOrDash is the short form of a hash in a table, where none needs a sign.
func HashOrDash(sha string) string {
	if sha == "" {
		return "-"
	}
	return ShortHash(sha)
}

// Day is the date of a time, "" of none.
func Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// Plural is "1 row", "2 rows".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// BenchmarkName names a benchmark outside of its table.
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
