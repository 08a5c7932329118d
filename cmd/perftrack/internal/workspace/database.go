package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unicode"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/store"
)

// DatabasePath returns the Path of the [Database].
func (a *Session) DatabasePath(ctx context.Context) (string, error) {
	d, err := a.Database(ctx)
	return d.Path, err
}

// DatabaseAddress returns the address of the [Database] for another program: the path of the file, or
// the URL, which may contain a password.
func (a *Session) DatabaseAddress(ctx context.Context) (string, error) {
	d, err := a.Database(ctx)
	if err != nil || !d.IsFile() {
		return a.DB, err
	}
	return d.Path, nil
}

// defaultFile returns the path of the default database: the one in .perftrack in the root of the
// repository, shared by linked work trees. Outside a repository, the default database for a
// directory is in the user's data directory.
func (a *Session) defaultFile(ctx context.Context) (string, error) {
	repo, err := a.Repository(ctx)
	if err == nil {
		return sharedDatabase(ctx, repo)
	}
	if !errors.Is(err, gitrepo.ErrNotRepository) {
		return "", err
	}
	data, err := dataDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(data, "perftrack", "folders", folderName(a.Dir), "perftrack.db"), nil
}

// sharedDatabase returns the path of the database shared by all work trees of a repository. It is
// in the main work tree or, if the repository is bare, in the git directory.
func sharedDatabase(ctx context.Context, repo *gitrepo.Repo) (string, error) {
	main, err := repo.MainWorkTree(ctx)
	if err != nil {
		return "", err
	}
	if main == "" {
		return filepath.Join(repo.GitDir(), "perftrack", "perftrack.db"), nil
	}
	return filepath.Join(main, ".perftrack", "perftrack.db"), nil
}

// folderName returns the name of the data folder for a directory outside a repository. It is
// derived from the root of dir's Go module or else from the directory of the configuration file, or
// from dir itself if there is neither.
func folderName(dir string) string {
	if root := modules.FindRoot(dir); root != "" {
		dir = root
	} else if path, ok := config.Find(dir, filepath.VolumeName(dir)+string(filepath.Separator)); ok {
		dir = filepath.Dir(path)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	sum := sha256.Sum256([]byte(dir))
	base := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, filepath.Base(dir))
	return base + "-" + hex.EncodeToString(sum[:4])
}

func parseFile(s, dir string) (string, error) {
	path := strings.TrimPrefix(s, "sqlite:")
	if path == "" {
		return "", fault.Usagef("--db %q does not name a file", s)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return path, nil
}

// dataDir returns the user's data directory, following the XDG base directory specification.
func dataDir() (string, error) {
	if d := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(d) {
		return d, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fault.Usagef("there is no home directory for the database: %w: name a file with --db", err)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support"), nil
	}
	return filepath.Join(home, ".local", "share"), nil
}

// OpenForWriting opens the database, created or migrated if necessary, and returns it and its Path.
// It also stores runs left by a killed perftrack in its journal.
func (a *Session) OpenForWriting(ctx context.Context) (*store.DB, string, error) {
	d, err := a.Database(ctx)
	if err != nil {
		return nil, "", err
	}
	path := d.Path
	a.Wrote = true
	db, err := d.Open(ctx)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		err = fmt.Errorf("%w: name a database elsewhere with --db", err)
	}
	if err != nil {
		return nil, path, fault.IO(err)
	}
	dead, err := deadJournals(path)
	if err == nil {
		err = a.recoverJournals(ctx, db, dead)
	}
	if err != nil {
		return nil, path, errors.Join(fault.IO(err), db.Close())
	}
	return a.opened(db), path, nil
}

// OpenForReading opens the database read-only. If there is no database, the error says how to
// create one.
func (a *Session) OpenForReading(ctx context.Context) (*store.DB, error) {
	d, err := a.Database(ctx)
	if err != nil {
		return nil, err
	}
	a.showRecovered(ctx, d)
	return a.OpenNamed(ctx, d)
}

// OpenNamed opens a database read-only, and does not look for journals.
func (a *Session) OpenNamed(ctx context.Context, d Database) (*store.DB, error) {
	db, err := d.OpenReadOnly(ctx)
	if errors.Is(err, store.ErrNoDatabase) {
		return nil, fault.Data(fmt.Errorf("%w, or read results with `perftrack import`", err))
	}
	if err != nil {
		return nil, fault.IO(err)
	}
	return a.opened(db), nil
}

// showRecovered stores the runs left by a killed perftrack in its journal, so the user can see
// them. If that fails, showRecovered only prints a notice, because the other runs are still
// readable.
func (a *Session) showRecovered(ctx context.Context, d Database) {
	dead, err := deadJournals(d.Path)
	if len(dead) == 0 && err == nil {
		return
	}
	if err == nil {
		var db *store.DB
		if db, err = d.Open(ctx); err == nil {
			err = errors.Join(a.recoverJournals(ctx, db, dead), db.Close())
		}
	}
	if err != nil {
		a.Noticef("cannot store the rounds of an interrupted measurement in %s: %v", JournalDir(d.Path), err)
	}
}
