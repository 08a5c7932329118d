package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/perftrack/perftrack/reports/kept"
)

// CacheFile is where what was made of the session's database is kept for the next command, "" where
// there is no place for it.
func (a *Session) CacheFile(ctx context.Context, ending string) string {
	database, err := a.DatabasePath(ctx)
	if err != nil {
		return "" // whoever opens it says so
	}
	return a.cacheOf(database, ending)
}

func (a *Session) cacheOf(database, ending string) string {
	if a.Cache == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(database))
	return filepath.Join(a.Cache, "d"+hex.EncodeToString(sum[:])[:16]+ending)
}

// rememberedFrom is the number of benchmarks, over all runs, from which it is kept which runs are
// what was stored: fewer are read whole by each command, which takes a fraction of a second.
const rememberedFrom = 20_000

// remembered is the memory of a database in a file of the cache.
type remembered struct {
	kept.File
	session *Session
}

// Write writes the file anew.
func (r remembered) Write(text []byte) { r.File.Write(text, r.session.Now()) }
