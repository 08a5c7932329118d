package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/perftrack/perftrack/runner/record"
)

// BenchmarkFile returns the id of a benchmark, which names its document and its address on the web
// page.
func BenchmarkFile(target string, id record.BenchmarkID) string {
	return HashID("b", target, string(id.Kind), id.Suite, id.Package, id.Name)
}

// HashID returns kind followed by 16 hex digits of a hash of the parts.
func HashID(kind string, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p) // writing to a hash never fails
	}
	return kind + hex.EncodeToString(h.Sum(nil))[:16]
}
