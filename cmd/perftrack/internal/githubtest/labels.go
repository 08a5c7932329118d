package githubtest

import (
	"fmt"
	"slices"
)

// A labelEvent records the addition or removal of a label.
type labelEvent struct {
	pull                   int
	kind, time, name, user string
}

// Label adds a label to a pull request in the name of user.
func (f *Fake) Label(pull int, name, user string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.pull(fmt.Sprint(pull))
	labels, _ := p["labels"].([]map[string]string)
	p["labels"] = append(labels, map[string]string{"name": name})
	f.events = append(f.events, labelEvent{pull, "labeled", f.clock(), name, user})
}

// Unlabel removes a label from a pull request in the name of user.
func (f *Fake) Unlabel(pull int, name, user string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.pull(fmt.Sprint(pull))
	labels, _ := p["labels"].([]map[string]string)
	p["labels"] = slices.DeleteFunc(labels, func(l map[string]string) bool { return l["name"] == name })
	f.events = append(f.events, labelEvent{pull, "unlabeled", f.clock(), name, user})
}

// eventsOf returns a pull request's events, oldest first.
func (f *Fake) eventsOf(pull int) []map[string]any {
	list := []map[string]any{}
	for i, e := range f.events {
		if e.pull == pull {
			list = append(list, map[string]any{
				"id": i + 1, "event": e.kind, "created_at": e.time,
				"actor": map[string]string{"login": e.user}, "label": map[string]string{"name": e.name},
			})
		}
	}
	return list
}
