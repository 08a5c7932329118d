package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// FileName is the name of the configuration file.
const FileName = "perftrack.toml"

// MaxSize is the maximum size of a configuration file in bytes.
const MaxSize = 256 << 10

// Find looks for the configuration file in dir and its parents, up to and including top, the root
// of the repository. If dir is not below top, it looks only in dir.
func Find(dir, top string) (path string, ok bool) {
	dir, top = resolved(dir), resolved(top)
	if rel, err := filepath.Rel(top, dir); err != nil || !filepath.IsLocal(rel) {
		top = dir
	}
	for {
		path = filepath.Join(dir, FileName)
		if _, err := os.Lstat(path); err == nil {
			return path, true
		}
		if dir == top {
			return "", false
		}
		dir = filepath.Dir(dir)
	}
}

// resolved returns dir in a form that can be compared. This is necessary because git reports the
// root of a repository without symbolic links, while a shell may report the working directory with
// them.
func resolved(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.Clean(dir)
}

// Load reads the configuration file at path. It refuses a symbolic link out of the file's
// directory, because a repository could link to any of the user's files, and error messages would
// then contain their text.
func Load(path string) (*Config, error) {
	text, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return Parse(text, path)
}

func read(path string) ([]byte, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	// O_NONBLOCK avoids waiting for the writer if the file is a named pipe.
	f, err := root.OpenFile(filepath.Base(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		if underlying := errors.Unwrap(err); underlying != nil {
			err = underlying // the outer error from a Root names only the last path element
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, err
	}
	return text, nil
}
