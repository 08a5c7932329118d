package explain

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/runner/record"
)

// profilesLimit is how many bytes of profiles are kept beside a database. A profile
// has some ten kilobytes.
const profilesLimit = 256 << 20

// profileFile names the profile of a benchmark at a commit. What is not safe in a
// name of a file, and a second package with that benchmark, shows as a hash.
func profileFile(sha, importPath, bench, kind string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '=' {
			return r
		}
		return '-'
	}, bench)
	sum := sha256.Sum256([]byte(importPath + "\x00" + bench))
	return fmt.Sprintf("%s-%.80s-%s.%s.pb.gz", record.ShortHash(sha), safe, hex.EncodeToString(sum[:3]), kind)
}

// storeProfile writes a profile so that nobody ever sees half of it, and removes the
// oldest ones that are too many.
func storeProfile(dir, name string, p *profile.Profile) (path string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("keep profile: %w", err)
	}
	path = filepath.Join(dir, name)
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
	return path, pruneProfiles(dir, profilesLimit)
}

// pruneProfiles removes the files written longest ago until the others have at most
// limit bytes; the newest stays.
func pruneProfiles(dir string, limit int64) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("bound the profiles: %w", err)
	}
	var files []fs.FileInfo
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(info.Name(), ".pb.gz") {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	total := int64(0)
	for i, f := range files {
		if total += f.Size(); total <= limit || i == 0 {
			continue
		}
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("bound the profiles: %w", err)
		}
	}
	return nil
}
