package workspace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// opened remembers an open database for [Session.Damaged].
func (a *Session) opened(db *store.DB) *store.DB {
	a.databases = append(a.databases, db)
	return db
}

// Damaged returns an error naming the damaged runs left out by this session, or nil. Commands
// report the error after showing the sound runs.
func (a *Session) Damaged() error {
	const shown = 10
	var all []store.BadRun
	for _, db := range a.databases {
		for _, b := range db.Damaged() {
			if !slices.ContainsFunc(all, func(have store.BadRun) bool { return have.ID == b.ID }) {
				all = append(all, b)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	var text strings.Builder
	fmt.Fprintf(&text, "read store %s: skipped damaged runs:", a.databases[0].Path())
	for i, b := range all {
		if i == shown {
			fmt.Fprintf(&text, "\n  and %d more: see `perftrack db verify`", len(all)-shown)
			break
		}
		fmt.Fprintf(&text, "\n  run %s: %s", record.ShortHash(b.ID), strings.TrimPrefix(b.Err.Error(), "run "+b.ID+": "))
	}
	text.WriteString("\n" + Remedy(a.databases[0].Path()))
	return fault.Data(errors.New(text.String()))
}
