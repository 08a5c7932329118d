package format

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/format/rust"
)

// Folder is a format whose results are spread over the files of a folder. Its records have the
// guarantees of [Format].
type Folder = reading.Folder

// folders lists the formats of folders, in the order in which they are tried.
var folders = []Folder{
	rust.Criterion,
}

// Folders returns the formats of folders, in the order of a list for users.
func Folders() []Folder {
	all := slices.Clone(folders)
	for i := range all {
		all[i].Read = guardedFolder(all[i].Read)
	}
	return all
}

// Listed returns all formats of files and folders for a list for users. Those of folders have no Read.
func Listed() []Format {
	all := All()
	for _, f := range folders {
		all = append(all, Format{Name: f.Name, Description: f.Description, Tool: f.Tool, Yields: f.Yields})
	}
	return all
}

// CheckName returns an error unless a format of files or folders is called name.
func CheckName(name string) error {
	if slices.ContainsFunc(folders, func(f Folder) bool { return f.Name == name }) {
		return nil
	}
	_, err := ByName(name)
	return err
}

var errNoFolder = errors.New("no known format in folder")

// ReadFolder reads the folder called name in fsys, in the format that its files show. It calls emit
// as the Read function of [Format] does.
func ReadFolder(fsys fs.FS, name string, emit func(benchfmt.Record) error) error {
	sub, err := fs.Sub(fsys, name)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	f, ok := OfFolder(sub, name)
	if !ok {
		return fmt.Errorf("read %s: %w", name, errNoFolder)
	}
	return f.Read(nil, name, emit)
}

// OfFolder returns the format of a folder, if it is known, for where a file may be read as well: Read
// does not use its reader and reads the folder. name is used in messages.
func OfFolder(fsys fs.FS, name string) (Format, bool) {
	for _, f := range Folders() {
		if f.Detect(fsys) {
			return Format{
				Name: f.Name, Description: f.Description, Tool: f.Tool, Yields: f.Yields,
				Read: func(_ io.Reader, _ string, emit func(benchfmt.Record) error) error { return f.Read(fsys, name, emit) },
			}, true
		}
	}
	return Format{}, false
}

// folderRead is the function Read of a [Folder].
type folderRead = func(fsys fs.FS, name string, emit func(benchfmt.Record) error) error

// guardedFolder is like guarded.
func guardedFolder(read folderRead) folderRead {
	return func(fsys fs.FS, name string, emit func(benchfmt.Record) error) error {
		g := newGuard(name, emit)
		return read(&limitedFS{fsys, maxFile}, name, g.check)
	}
}

// A limitedFS limits the bytes read of all its files.
type limitedFS struct {
	fs.FS
	left int64
}

func (l *limitedFS) Open(name string) (fs.File, error) {
	f, err := l.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return f, nil
	}
	return &limitedFile{f, l}, nil
}

type limitedFile struct {
	fs.File
	of *limitedFS
}

func (l *limitedFile) Read(p []byte) (int, error) {
	n, err := l.File.Read(p)
	if l.of.left -= int64(n); l.of.left < 0 {
		return 0, fmt.Errorf("the files of the folder are larger than the limit of %d MiB", maxFile>>20)
	}
	return n, err
}
