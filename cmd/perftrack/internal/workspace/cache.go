package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
)

// CacheFile returns the file, with the given ending, for caching results from the session's
// database. It returns "" if there is no cache or the database is unknown.
func (a *Session) CacheFile(ctx context.Context, ending string) string {
	database, err := a.DatabasePath(ctx)
	if err != nil {
		return "" // opening the database reports the error
	}
	if a.Cache == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(database))
	return filepath.Join(a.Cache, "d"+hex.EncodeToString(sum[:])[:16]+ending)
}
