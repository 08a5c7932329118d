package modules

import (
	"fmt"
	"strings"
)

// SomeOf names the first few of a list.
func SomeOf(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
