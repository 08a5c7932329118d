package reading

import (
	"io/fs"

	"golang.org/x/perf/benchfmt"
)

// A Folder is a format whose results are spread over the files of a folder.
type Folder struct {
	Name        string // name in perftrack.toml
	Description string // one line for a list of formats
	Tool        string // the command that writes the folder
	Yields      Yield

	// Detect reports whether a folder is in this format.
	Detect func(fsys fs.FS) bool
	// Read reads the folder fsys as Read of a [Format] reads a file. name is used in messages.
	Read func(fsys fs.FS, name string, emit func(benchfmt.Record) error) error
}
