// Package profiles keeps pprof's profiles of benchmarks beside a database: where the time and
// the allocations of an operation went, at a commit. They are no measurements, and nothing in
// the history is made of them. Each file says itself what it is of; profiles.go writes and
// reads them, files.go bounds the folder, and values.go has what they say of an operation.
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

// Kinds of profiles.
const (
	CPU    = "cpu"
	Allocs = "allocs"
)

// A Meta is what a profile is of.
type Meta struct {
	Target    string `json:"target"`
	Package   string `json:"package"`
	Benchmark string `json:"benchmark"`
	Kind      string `json:"kind"`           // CPU or Allocs
	Commit    string `json:"commit"`         // whole hash
	Base      string `json:"base,omitempty"` // of the commit that it was profiled beside
	// Operations is of how many operations the values are; 0 of values as they were sampled.
	Operations float64 `json:"operations"`
	Samples    int     `json:"samples,omitempty"` // that CPU was taken from
	Time       int64   `json:"time"`              // of profiling, seconds since 1970
	// Collections is how often the garbage collector ran in the operations of Allocs, nil where that is
	// not known; Resident the most resident memory of a process of CPU, in bytes, 0 where it is not.
	Collections *int  `json:"collections,omitempty"`
	Resident    int64 `json:"resident,omitempty"`
}

// A Kept is a file.
type Kept struct {
	Meta
	Path string
}

// Folder is where the profiles of a database are kept.
func Folder(database string) string { return database + "-profiles" }

// metaPrefix begins the comment of a profile that has its Meta.
const metaPrefix = "perftrack "

// Write keeps a profile, so that nobody ever sees half of it, in place of that of the same
// benchmark and commit, and removes the oldest ones that are too many. Of what commit it was
// profiled beside before, the new one remembers if it was profiled beside none.
func Write(dir string, m Meta, p *profile.Profile) (path string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("keep profile: %w", err)
	}
	path = Path(dir, m)
	if old, err := Read(path); err == nil && m.Base == "" {
		m.Base = old.Base
	}
	said, err := json.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("keep profile: %w", err)
	}
	p = p.Copy()
	p.Comments = append(slices.DeleteFunc(p.Comments, isMeta), metaPrefix+string(said))
	f, err := os.CreateTemp(dir, ".profile-*")
	if err != nil {
		return "", fmt.Errorf("keep profile: %w", err)
	}
	if err = errors.Join(p.Write(f), f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", fmt.Errorf("keep profile: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return path, prune(dir, limit)
}

func isMeta(comment string) bool { return strings.HasPrefix(comment, metaPrefix+"{") }

// Path is where the profile of a benchmark at a commit is kept. What is not safe in a name of
// a file, and a second package with that benchmark, shows as a hash.
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

// OfBase is the profile of the commit that m was profiled beside, if it is kept.
func (m Meta) OfBase() Meta {
	m.Commit, m.Base = m.Base, ""
	return m
}

// A Profile is a file that was read.
type Profile struct {
	Kept
	*profile.Profile
}

// Most that is read of a file, and of what is in it.
const (
	mostRead     = 16 << 20
	mostUnpacked = 64 << 20
)

// ErrForeign says that a profile does not say what it is of: perftrack did not keep it.
var ErrForeign = errors.New("it does not say which benchmark it is of")

// Read reads a profile that was kept.
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
		return p, fmt.Errorf("read profile %s: what it is of: %w", filepath.Base(path), err)
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

// List returns the newest of the profiles in a folder, at most so many, the newest first; a folder that is not
// there has none. Files that cannot be read, or that are not perftrack's, are told to skipped.
func List(dir string, most int, skipped func(error)) ([]Profile, error) {
	return list(dir, "", most, skipped)
}

// ListOf returns the profiles of a commit, which its hash begins like, or has in full.
func ListOf(dir, commit string, skipped func(error)) ([]Profile, error) {
	all, err := list(dir, record.ShortHash(commit), math.MaxInt, skipped)
	return slices.DeleteFunc(all, func(p Profile) bool { return !strings.HasPrefix(p.Commit, commit) }), err
}

// list is List of the files whose names begin so.
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
