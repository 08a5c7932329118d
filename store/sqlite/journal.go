package sqlite

import "github.com/perftrack/perftrack/runner/flock"

// A journal is the method by which SQLite makes transactions atomic.
type journal string

const (
	// wal lets readers and a writer work at the same time. They share memory, so all of them must
	// run on the same host.
	wal journal = "WAL"
	// rollback works wherever file locks work.
	rollback journal = "DELETE"
)

// hasJournal reports whether the database at path already uses j, judging by the file header alone.
func hasJournal(path string, j journal) bool {
	head, err := readHeader(path)
	if err != nil || head == nil {
		return false
	}
	const version = 18 // offset of the file format's write version, followed by its read version
	return head[version] == 2 && head[version+1] == 2 && j == wal || head[version] == 1 && head[version+1] == 1 && j == rollback
}

// isFar is a variable so that a test can replace it.
var isFar = flock.Far

// journalFor returns the kind of journal to use for a database in dir.
func journalFor(dir string) (journal, error) {
	far, err := isFar(dir)
	if err != nil || far {
		return rollback, err
	}
	return libraryJournal(), nil
}
