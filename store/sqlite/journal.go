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

// journalFor returns the journal for a database in dir.
func journalFor(dir string) (journal, error) {
	far, err := networked(dir)
	if err != nil || far {
		return rollback, err
	}
	return libraryJournal(), nil
}
