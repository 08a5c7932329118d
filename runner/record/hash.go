package record

import "strings"

// shortHash is the number of hex digits in a hash shown to users.
const shortHash = 12

// ShortHash returns the hash of a commit or a record in the short form for users.
func ShortHash(hash string) string { return hash[:min(shortHash, len(hash))] }

// MinHashPrefix is the minimum number of hex digits that can name a run or a commit.
const MinHashPrefix = 4

// IsHashPrefix reports whether text could be a hash or the beginning of one.
func IsHashPrefix(text string) bool { return isHex(text, MinHashPrefix) }

// IsShortHash reports whether text could be a hash, or a prefix of a hash of at least the length of
// [ShortHash].
func IsShortHash(text string) bool { return isHex(text, shortHash) }

// IsID reports whether text could be the id of a run or a record.
func IsID(text string) bool { return isHex(text, idLen) }

// idLen is the length of an id and of the longest commit hash.
const idLen = 64

// isHex reports whether text consists of lower-case hex digits and has a length from least to
// idLen.
func isHex(text string, least int) bool {
	return len(text) >= least && len(text) <= idLen && strings.Trim(text, "0123456789abcdef") == ""
}
