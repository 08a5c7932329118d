package reports

import (
	"cmp"
	"strings"
)

// CompareNames compares benchmark names in natural order, so that n=9 comes before n=10.
func CompareNames(a, b string) int {
	digits := func(s string) int {
		i := strings.IndexFunc(s, func(c rune) bool { return c < '0' || c > '9' })
		if i < 0 {
			return len(s)
		}
		return i
	}
	for a != "" && b != "" {
		if n, m := digits(a), digits(b); n > 0 && m > 0 {
			x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:m], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(n, m)); c != 0 {
				return c
			}
			a, b = a[n:], b[m:]
			continue
		}
		if c := cmp.Compare(a[0], b[0]); c != 0 {
			return c
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}
