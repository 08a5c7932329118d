package compare

import (
	"strings"

	"github.com/perftrack/perftrack/runner/naming"
)

// nest sets Within in each row of a table to the rows that directly contain it.
func (t *Table) nest() {
	byName := make(map[string]*Row, len(t.Rows))
	names := make([]string, len(t.Rows))
	for i, r := range t.Rows {
		names[i], byName[r.Name] = r.Name, r
	}
	for name, parents := range naming.Nesting(t.Kind, names) {
		for _, p := range parents {
			byName[name].Within = append(byName[name].Within, byName[p])
		}
	}
}

// Caller returns the row of the enclosing scope in its call path. It returns nil for an outermost
// scope or if the nesting is only inferred from naming rules.
func (r *Row) Caller() *Row {
	if len(r.Within) == 1 && strings.HasPrefix(r.Name, r.Within[0].Name+"/") {
		return r.Within[0]
	}
	return nil
}
