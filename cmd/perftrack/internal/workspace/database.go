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
	"github.com/perftrack/perftrack/reports/kept"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/sqlite"
)

// DatabasePath returns the path of the database: the one the user named, else in .perftrack in
// the repository's root, which linked work trees share, else one of the folder in the user's data
// directory.
func (a *Session) DatabasePath(ctx context.Context) (string, error) {
	if a.DB != "" {
		return parseDatabase(a.DB, a.Dir)
	}
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

// sharedDatabase is where all work trees of a repository have their database: in the main one, or
// where there is none, as of a bare repository, in the git directory.
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

// folderName names the history of what lies in no repository: that of the module, or else of the
// folder with the configuration, or else of the folder itself.
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

func parseDatabase(s, dir string) (string, error) {
	path := s
	if scheme, rest, ok := strings.Cut(s, ":"); ok {
		switch scheme {
		case "sqlite":
			path = rest
		case "postgres", "postgresql":
			return "", fault.Usagef("--db %s://...: PostgreSQL is not supported by this version: name a file, such as --db perftrack.db", scheme)
		}
	}
	if path == "" {
		return "", fault.Usagef("--db %q names no file", s)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return path, nil
}

// dataDir is the user's data directory, as the XDG base directory
// specification has it.
func dataDir() (string, error) {
	if d := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(d) {
		return d, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fault.Usagef("no home directory to keep the database in: %w: name a file with --db", err)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support"), nil
	}
	return filepath.Join(home, ".local", "share"), nil
}

// OpenForWriting opens the database, creating and migrating it as needed, and
// stores what an earlier perftrack left in its journal when it was killed.
func (a *Session) OpenForWriting(ctx context.Context) (*store.DB, string, error) {
	path, err := a.DatabasePath(ctx)
	if err != nil {
		return nil, "", err
	}
	db, err := sqlite.Open(ctx, path)
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

// OpenForReading opens the database read-only. If there is none yet, the error says how to
// get one.
func (a *Session) OpenForReading(ctx context.Context) (*store.DB, error) {
	path, err := a.DatabasePath(ctx)
	if err != nil {
		return nil, err
	}
	a.showRecovered(ctx, path)
	db, err := sqlite.OpenReadOnly(ctx, path)
	if errors.Is(err, store.ErrNoDatabase) {
		return nil, fault.Data(fmt.Errorf("%w, or read results with `perftrack import`", err))
	}
	if err != nil {
		return nil, fault.IO(err)
	}
	if file := a.cacheOf(path, ".sound"); file != "" {
		db.Remember(remembered{kept.File{Path: file, Form: "perftrack sound runs 1"}, a}, rememberedFrom)
	}
	return a.opened(db), nil
}

// showRecovered stores what a killed perftrack left, so that reading shows it.
// Where that cannot be done, what is stored already can still be read.
func (a *Session) showRecovered(ctx context.Context, path string) {
	dead, err := deadJournals(path)
	if len(dead) == 0 && err == nil {
		return
	}
	if err == nil {
		var db *store.DB
		if db, err = sqlite.Open(ctx, path); err == nil {
			err = errors.Join(a.recoverJournals(ctx, db, dead), db.Close())
		}
	}
	if err != nil {
		a.Noticef("what an interrupted measurement left in %s could not be stored: %v", JournalDir(path), err)
	}
}
