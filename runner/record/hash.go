package record

import "regexp"

// shortHash is how many digits of a hash people read, and may name it by.
const shortHash = 12

// ShortHash returns the beginning of a hash, of a commit or of a record, as people read it.
func ShortHash(hash string) string { return hash[:min(shortHash, len(hash))] }

// MinHashPrefix is the least number of hex digits that name a run or a commit.
const MinHashPrefix = 4

var hashPrefix = regexp.MustCompile(`^[0-9a-f]{4,64}$`)

// IsHashPrefix reports whether text may be a hash or the beginning of one.
func IsHashPrefix(text string) bool { return hashPrefix.MatchString(text) }
