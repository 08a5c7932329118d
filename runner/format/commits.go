package format

import (
	"fmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
)

// A commits counts the values at each commit of a history. The results of a commit become a run of
// their own, so that a history of years needs no more memory than its largest run. The limits on the
// benchmarks of a run are enforced when the run is assembled.
type commits struct {
	commit string // of the current configuration; "" outside a history
	values map[string]*int
	here   *int // number of values at commit
}

// at begins the results of a commit, or of none.
func (c *commits) at(commit string) {
	if commit != c.commit {
		c.commit, c.here = commit, c.values[commit]
	}
}

// count adds n values at the current commit. all is the number of values in the input. count returns
// an error if there are more values or commits than the limits allow.
func (c *commits) count(n, all int) error {
	if c.here == nil {
		if len(c.values) == bounds.MaxCommits {
			return errTooMany("commits", bounds.MaxCommits)
		}
		if c.values == nil {
			c.values = map[string]*int{}
		}
		c.here = new(int)
		c.values[c.commit] = c.here
	}
	switch *c.here += n; {
	case *c.here > bounds.MaxValues:
		return fmt.Errorf("more than %d values at commit %s, the limit for one commit", bounds.MaxValues, bounds.Quote(c.commit))
	case all > bounds.MaxHistory:
		return errTooMany("values", bounds.MaxHistory)
	}
	return nil
}

func errTooMany(what string, limit int) error {
	return fmt.Errorf("input exceeds the limit of %d %s", limit, what)
}
