package sqlite

// A journal is SQLite's method of making transactions atomic.
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

// journalFor returns the kind of journal to use for a database in dir.
func journalFor(dir string) (journal, error) {
	far, err := networked(dir)
	if err != nil || far {
		return rollback, err
	}
	return libraryJournal(), nil
}
