// Package profiles keeps pprof profiles of benchmarks next to a database. A profile shows the time
// or the allocations per operation at a commit, by function. Profiles are not measurements and are
// not part of the history. Each file contains a description of its profile. The code in profiles.go
// writes and reads the files, files.go limits the size of the folder, and values.go returns the
// values per operation.
package profiles

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/runner/record"
)

// The kinds of profiles.
const (
	CPU    = "cpu"
	Allocs = "allocs"
)

// A Meta describes a stored profile.
type Meta struct {
	Target    string `json:"target"`
	Package   string `json:"package"`
	Benchmark string `json:"benchmark"`
	Kind      string `json:"kind"`           // CPU or Allocs
	Commit    string `json:"commit"`         // full hash
	Base      string `json:"base,omitempty"` // full hash of the commit profiled for comparison
	// Operations is the number of operations of the scaled values, or 0 if they are unscaled.
	Operations float64 `json:"operations"`
	Samples    int     `json:"samples,omitempty"` // number of CPU samples
	Time       int64   `json:"time"`              // time of profiling, in seconds since 1970
	// Collections is the number of garbage collections during the operations of an Allocs profile,
	// or nil if unknown. Resident is the peak resident memory, in bytes, of a process for a CPU
	// profile, or 0 if unknown.
	Collections *int  `json:"collections,omitempty"`
	Resident    int64 `json:"resident,omitempty"`
}

// A Kept holds the description and the path of a stored profile.
type Kept struct {
	Meta
	Path string
}

// Folder returns the folder of the profiles for a database.
func Folder(database string) string { return database + "-profiles" }

// metaPrefix is the prefix of the comment with a profile's Meta.
const metaPrefix = "perftrack "

// Write stores a profile. It atomically replaces an earlier profile of the same kind, benchmark and
// commit, and then removes the oldest profiles beyond the size limit. If m.Base is empty, Write
// uses the Base of the replaced profile.
func Write(dir string, m Meta, p *profile.Profile) (path string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("store profile: %w", err)
	}
	path = Path(dir, m)
	if old, err := Read(path); err == nil && m.Base == "" {
		m.Base = old.Base
	}
	said, err := json.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("store profile: %w", err)
	}
	p = p.Copy()
	p.Comments = append(slices.DeleteFunc(p.Comments, isMeta), metaPrefix+string(said))
	f, err := os.CreateTemp(dir, ".profile-*")
	if err != nil {
		return "", fmt.Errorf("store profile: %w", err)
	}
	if err = errors.Join(p.Write(f), f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", fmt.Errorf("store profile: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return path, prune(dir, limit)
}

func isMeta(comment string) bool { return strings.HasPrefix(comment, metaPrefix+"{") }

// Path returns the path of a stored profile. Dashes replace unsafe characters. The name also
// contains a hash of the package and the benchmark, so that names do not collide.
func Path(dir string, m Meta) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '=' {
			return r
		}
		return '-'
	}, m.Benchmark)
	sum := sha256.Sum256([]byte(m.Package + "\x00" + m.Benchmark))
	return filepath.Join(dir, fmt.Sprintf("%s-%.80s-%s.%s%s", record.ShortHash(m.Commit), safe, hex.EncodeToString(sum[:3]), m.Kind, extension))
}

// OfBase returns the description of the base's profile, stored only if the base was also profiled.
func (m Meta) OfBase() Meta {
	m.Commit, m.Base = m.Base, ""
	return m
}

// A Profile is a stored profile along with its content.
type Profile struct {
	Kept
	*profile.Profile
}

// The maximum size of a file to read, packed and unpacked, in bytes.
const (
	mostRead     = 16 << 20
	mostUnpacked = 64 << 20
)

// ErrForeign reports a profile without a description, not written by perftrack.
var ErrForeign = errors.New("the profile does not name its benchmark")

// Read reads a stored profile.
func Read(path string) (Profile, error) {
	p := Profile{Kept: Kept{Path: path}}
	text, err := readAll(path)
	if err != nil {
		return p, fmt.Errorf("read profile %s: %w", filepath.Base(path), err)
	}
	if p.Profile, err = profile.ParseData(text); err != nil {
		return p, fmt.Errorf("read profile %s: %w", filepath.Base(path), err)
	}
	at := slices.IndexFunc(p.Comments, isMeta)
	if at < 0 {
		return p, fmt.Errorf("read profile %s: %w", filepath.Base(path), ErrForeign)
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(p.Comments[at], metaPrefix)), &p.Meta); err != nil {
		return p, fmt.Errorf("read profile %s: description: %w", filepath.Base(path), err)
	}
	return p, nil
}

func readAll(path string) (text []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	packed, err := io.ReadAll(io.LimitReader(f, mostRead+1))
	if err != nil || len(packed) > mostRead {
		return nil, cmp.Or(err, fmt.Errorf("it has more than %d MiB", mostRead>>20))
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	if text, err = io.ReadAll(io.LimitReader(z, mostUnpacked+1)); err == nil && len(text) > mostUnpacked {
		err = fmt.Errorf("it unpacks to more than %d MiB", mostUnpacked>>20)
	}
	return text, err
}

// List returns up to most profiles from a folder, newest first. A missing folder counts as empty.
// List skips unreadable files and those not written by perftrack, and calls skipped with the error.
func List(dir string, most int, skipped func(error)) ([]Profile, error) {
	return list(dir, "", most, skipped)
}

// ListOf returns the profiles of a commit, given by its hash or a prefix of its hash.
func ListOf(dir, commit string, skipped func(error)) ([]Profile, error) {
	all, err := list(dir, record.ShortHash(commit), math.MaxInt, skipped)
	return slices.DeleteFunc(all, func(p Profile) bool { return !strings.HasPrefix(p.Commit, commit) }), err
}

// list is like [List], but reads only files with the prefix beginning.
func list(dir, beginning string, most int, skipped func(error)) ([]Profile, error) {
	files, err := files(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list profiles: %w", err)
	}
	files = slices.DeleteFunc(files, func(f fs.FileInfo) bool { return !strings.HasPrefix(f.Name(), beginning) })
	var all []Profile
	for _, f := range files[:min(len(files), most)] {
		p, err := Read(filepath.Join(dir, f.Name()))
		if err != nil {
			skipped(err)
			continue
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b Profile) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Path, b.Path)) })
	return all, nil
}
