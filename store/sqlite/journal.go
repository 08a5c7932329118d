package sqlite

// A journal is SQLite's way to make transactions whole.
type journal string

const (
	// wal lets readers and a writer work at once. It needs memory that all of
	// them share, so they must run on one host.
	wal journal = "WAL"
	// rollback works wherever file locks do.
	rollback journal = "DELETE"
)

// hasJournal reports whether the database at path uses the journal already, as far as
// its file tells.
func hasJournal(path string, j journal) bool {
	head, err := readHeader(path)
	if err != nil || head == nil {
		return false
	}
	const version = 18 // where SQLite says what a program must know to write the file, and behind it, to read it
	return head[version] == 2 && head[version+1] == 2 && j == wal || head[version] == 1 && head[version+1] == 1 && j == rollback
}

// journalFor returns the journal for a database in dir.
func journalFor(dir string) (journal, error) {
	far, err := networked(dir)
	if err != nil || far {
		return rollback, err
	}
	return libraryJournal(), nil
}
