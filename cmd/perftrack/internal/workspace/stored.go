package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/postgres"
	"github.com/perftrack/perftrack/store/sqlite"
)

// A Database is where runs are stored: in a file, or in a PostgreSQL database. Its methods choose
// the package for opening the store.
type Database struct {
	Name string // for messages: the path of the file, or the URL without secrets
	// Path is the path of the file. The names of a database's local files, such as journals, begin
	// with it. For a PostgreSQL database, no file has exactly this name.
	Path       string
	Repository string            // name of the repository in a PostgreSQL database
	server     *postgres.Address // nil for a file
}

// Database returns the database named by the user or, by default, the one of the repository or the
// directory.
func (a *Session) Database(ctx context.Context) (Database, error) {
	if a.DB == "" {
		path, err := a.defaultFile(ctx)
		return Database{Name: path, Path: path}, err
	}
	return a.DatabaseNamed(ctx, a.DB)
}

// DatabaseNamed returns the database with a name as for --db: a path or a URL.
func (a *Session) DatabaseNamed(ctx context.Context, name string) (Database, error) {
	if !postgres.IsURL(name) {
		path, err := parseFile(name, a.Dir)
		return Database{Name: path, Path: path}, err
	}
	address, err := postgres.ParseURL(name)
	if err != nil {
		return Database{}, fault.Usage(err)
	}
	d := Database{Name: address.Name, Repository: address.Repository, server: &address}
	if d.Repository == "" {
		if d.Repository, err = a.repositoryName(ctx); err != nil {
			return d, err
		}
	}
	beside, err := a.defaultFile(ctx)
	sum := sha256.Sum256([]byte(d.Name + "\x00" + d.Repository))
	d.Path = filepath.Join(filepath.Dir(beside), "postgres-"+hex.EncodeToString(sum[:4]))
	return d, err
}

// repositoryName returns the name of the repository in a PostgreSQL database: the host and path of
// the remote or, without a remote, the name of the root directory.
func (a *Session) repositoryName(ctx context.Context) (string, error) {
	repo, err := a.Repository(ctx)
	if errors.Is(err, gitrepo.ErrNotRepository) {
		dir := a.Dir
		if root := modules.FindRoot(dir); root != "" {
			dir = root
		}
		return filepath.Base(dir), nil
	}
	if err != nil {
		return "", err
	}
	name, err := repo.RemoteName(ctx)
	if name != "" || err != nil {
		return name, err
	}
	root, err := repo.MainWorkTree(ctx)
	if root == "" {
		root = repo.Root()
	}
	return filepath.Base(root), err
}

// IsFile reports whether the database is a file.
func (d Database) IsFile() bool { return d.server == nil }

// Stat describes the file. It returns nil for a PostgreSQL database.
func (d Database) Stat() (os.FileInfo, error) {
	if !d.IsFile() {
		return nil, nil
	}
	return os.Stat(d.Path)
}

// Open opens the database for reading and writing, and creates or migrates it if necessary.
func (d Database) Open(ctx context.Context) (*store.DB, error) {
	if d.IsFile() {
		return sqlite.Open(ctx, d.Path)
	}
	if err := sqlite.MakeFolder(filepath.Dir(d.Path)); err != nil { // for journals
		return nil, err
	}
	return postgres.Open(ctx, *d.server, d.Repository)
}

// OpenReadOnly opens the database for reading.
func (d Database) OpenReadOnly(ctx context.Context) (*store.DB, error) {
	if d.IsFile() {
		return sqlite.OpenReadOnly(ctx, d.Path)
	}
	return postgres.OpenReadOnly(ctx, *d.server, d.Repository)
}

// openUntouched opens the database for reading, without any change to files and without waiting for
// a lock.
func (d Database) openUntouched(ctx context.Context) (*store.DB, error) {
	if d.IsFile() {
		return sqlite.OpenUntouched(ctx, d.Path)
	}
	return postgres.OpenReadOnly(ctx, *d.server, d.Repository)
}

// Remedy gives the remedy for damaged runs in the database with this name.
func Remedy(database string) string {
	if postgres.IsURL(database) {
		return "`perftrack db copy` copies the sound runs to a new database; a backup has the others"
	}
	return "`perftrack db rebuild` makes a new database from the sound runs and from git"
}
